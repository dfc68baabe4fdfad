import { expect, it } from 'vitest';
import { RecordingHealth } from '../../../src/analysis/explain/server-faults.ts';
import type { DiagnosticEntry } from '../../../src/recording/replay/record.ts';
import { SnapshotStory } from '../../../src/recording/story/snapshot-story.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { snapshotOf } from '../../support/readers.ts';
import { read } from '../../support/samples.ts';
import { explainPlayed } from '../../support/server/cases.ts';
import { play, type Switches } from '../../support/server/faulty-server.ts';
import { compressedTwice } from '../../support/server/mixed-faults.ts';
import { excerpt, scenarioOf } from '../../support/server/scenario.ts';

/** What is found in snapshots of every second tick from 100 on, each with an item of a type that nothing registers. */
function findingsOf(count: number) {
  const health = new RecordingHealth();
  const protocol = protocolOf('0.7');
  const story = new SnapshotStory(false);
  const snapshot = snapshotOf([0x7ffe, 3, 1]);
  for (let i = 0; i < count; i++) {
    const alone = { base: -1, kind: 'snapshot', delta: undefined, before: undefined } as const;
    story.add({ ...alone, tick: 100 + 2 * i, frame: i }, snapshot, protocol);
  }
  for (const { code, args, frame } of story.finish())
    health.add({ record: 'diagnostic', stream: { protocol }, frame, diagnostic: { code, args } } as DiagnosticEntry);
  return health.findings;
}

it('a type without registration is a finding from the third snapshot on, which then counts the first two', () => {
  expect(findingsOf(2)).toEqual([]);
  expect(findingsOf(3)).toMatchObject([{ subject: 0x7ffe, count: 3, firstTick: 100, lastTick: 104, frame: 0 }]);
  expect(findingsOf(4)).toMatchObject([{ subject: 0x7ffe, count: 4, firstTick: 100, lastTick: 106, frame: 0 }]);
});

/** What is found where the packets of the steps 5 to 9, of 20, are made otherwise: frames 7 to 11. */
function findingsWith(switches: Switches) {
  const scenario = excerpt(scenarioOf('vanilla-dm1.demo', read('vanilla-dm1.demo')), 100, 20);
  // A connect and the parts of the first snapshot come before.
  const { capture, sent } = play(scenario, switches, { from: 5, to: 10 });
  expect(sent.filter(({ outcome }) => outcome === 'unpack_failed')).toHaveLength(5);
  return explainPlayed({ capture, sent, log: '' }).findings;
}

it('packets of another table beside sound ones are counted, with their frames, and not explained further', () => {
  const [finding, ...more] = findingsWith({ symbol: (byte) => (byte * 3 + 7) & 0xff });
  expect(more).toEqual([]);
  expect(finding).toMatchObject({ cause: 'senseless', count: 5 });
  expect(finding!.frames).toHaveLength(5);
  expect(finding!.frames![4]! - finding!.frames![0]!).toBe(4);
});

it('packets that are compressed twice have a sense if they are decompressed once more', () => {
  const { switches } = compressedTwice(scenarioOf('x', read('vanilla-dm1.demo')), () => 0, 0, 0)!;
  expect(findingsWith(switches)).toMatchObject([{ cause: 'packed_twice', count: 5 }]);
});

it('packets of which a capture has the first 90 bytes are no fault of the server', () => {
  const whole = Buffer.from(read('ddnet-ipv6.pcap'));
  const pieces = [whole.subarray(0, 24)];
  for (let at = 24; at < whole.length; at += 16 + whole.readUInt32LE(at + 8)) {
    const record = Buffer.from(whole.subarray(at, at + 16 + Math.min(90, whole.readUInt32LE(at + 8))));
    record.writeUInt32LE(record.length - 16, 8);
    pieces.push(record);
  }
  expect(explainPlayed({ capture: Buffer.concat(pieces), sent: [], log: '' }).findings).toEqual([]);
});
