import { describe, expect, it } from 'vitest';
import { DemoWriter } from '../../../src/recording/container/demo/demo-writer.ts';
import type { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { file } from '../../support/bytes.ts';
import { ethernet, ipv4, pcapHeader, pcapRecord, udp, v4 } from '../../support/capture-builder.ts';
import { demoFile } from '../../support/demo-builder.ts';
import { playerItems, serverMessage } from '../../support/made-capture.ts';
import { chunk06, packet06 } from '../../support/packet-builder.ts';
import { Recording } from '../../support/recording.ts';
import { recordingStats } from '../../support/recording-stats.ts';
import { linesOf, run } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

it('the bytes of a player who takes another name are under the name of the time', () => {
  const recording = new Recording('0.6');
  for (const [tick, name] of [
    [1, 'ann'],
    [2, 'ann'],
    [3, 'zoe'],
    [4, 'zoe'],
    [5, 'zoe'],
  ] as const)
    recording.tick(tick).snapshot(...playerItems(0, name));
  const writer = new DemoWriter(4);
  const names = { netVersion: '0.6 626fce9a778df4d4', mapName: 'dm1', type: 'client', timestamp: '' };
  writer.header({ ...names, version: 4, mapSize: 0, mapCrc: 0, length: 0, markers: [] });
  const head = writer.flush().slice();
  const snapshots = recording.records.filter((record) => record.record === 'snapshot') as { snapshot: Snapshot }[];
  const ticks = snapshots.map(({ snapshot }, i) => ({
    tick: i + 1,
    snapshot: writer.encode(snapshot.toInts()).slice(),
    messages: [],
  }));
  const { tally } = recordingStats(demoFile(head, ticks));
  // Three items of the player in each snapshot, all of which are full: two as ann, three as zoe.
  expect(tally.players.all.map(({ client, name, sent }) => [client, name, sent])).toEqual([
    [0, 'ann', 2 * 3],
    [0, 'zoe', 3 * 3],
  ]);
});

it('a message that is sent again is one message, and its second copy a resend', () => {
  const chat = serverMessage('sv_chat', 0, -1, 'hello');
  const packet = (resend: boolean, sequence: number) =>
    pcapRecord(
      ethernet(v4, ipv4(udp([...packet06([chunk06(chat, { vital: true, sequence, resend })])], 8303, 50_001))),
    );
  const capture = file(pcapHeader(), packet(false, 1), packet(false, 2), packet(true, 1), packet(true, 2));
  const { messages, parts } = recordingStats(capture).tally;
  expect([...messages.values()]).toEqual([{ name: 'sv_chat', times: 2, bits: 2 * 8 * chat.length }]);
  expect(parts.get('resends')).toEqual({ name: 'resends', times: 2, bits: 2 * 8 * chat.length });
});

describe('--top', () => {
  const files = { 'a.demo': read('vanilla-dm1.demo'), 'b.demo': read('ddnet-race-player.demo') };
  const lines = async (line: string) => linesOf((await run(`stats ${line}`, files)).stdout);
  const itemsIn = (all: readonly string[]) => all.filter((line) => /^ {4}(obj|event)_/.test(line));
  const moreIn = (all: readonly string[]) =>
    all
      .find((line) => /^ {4}\d+ more /.test(line))
      ?.trim()
      .split(' ')[0];

  it('shows so many items, and how many more there are; one that is left would take the same line', async () => {
    const report = JSON.parse((await run('stats a.demo -t json', files)).stdout)[0];
    const kinds = report.items.length;
    expect(kinds).toBeGreaterThan(5);
    for (const top of [1, 2, kinds - 2]) {
      const all = await lines(`a.demo --top ${top}`);
      expect([itemsIn(all).length, moreIn(all)], `${top}`).toEqual([top, `${kinds - top}`]);
    }
    for (const top of [kinds - 1, kinds])
      expect(itemsIn(await lines(`a.demo --top ${top}`)), `${top}`).toHaveLength(kinds);
  });

  it('shows the seconds with the most bytes, in their order', async () => {
    const report = JSON.parse((await run('stats a.demo -t json', files)).stdout)[0];
    const bits = report.per_second.map((entry: { bits: number }) => entry.bits) as number[];
    const largest = [...bits.keys()]
      .sort((a, b) => bits[b]! - bits[a]!)
      .slice(0, 3)
      .sort((a, b) => a - b);
    const clock = (second: number) => `${Math.floor(second / 60)}:${String(second % 60).padStart(2, '0')}`;
    const all = await lines('a.demo --by second --top 3');
    const rows = all.map((line) => /^ *(\d+:\d\d)(?:\.00)? /.exec(line)?.[1]).filter((text) => text !== undefined);
    expect(rows).toEqual(largest.map(clock));
  });
});
