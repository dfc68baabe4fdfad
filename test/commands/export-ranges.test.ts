import { describe, expect, it } from 'vitest';
import { main } from '../../commands/index.ts';
import { DemoWriter } from '../../src/container/demo/writer.ts';
import { Snapshot } from '../../src/snapshot/snapshot.ts';
import { demoFile } from '../support/demo-builder.ts';
import { expectSameRows } from '../support/export-texts.ts';
import { fakeIo } from '../support/fake-io.ts';
import { messageBytes } from '../support/recording.ts';
import { read } from '../support/samples.ts';

/** A demo of 0.7 in which messages name a player who is in no snapshot, and each tick has several markers. */
function demoWithNames(): Uint8Array {
  const writer = new DemoWriter(4);
  const names = { netVersion: '0.7 802f1be60a05665f', mapName: 'dm1', type: 'client', timestamp: '' };
  writer.header({ ...names, version: 4, mapSize: 0, mapCrc: 0, length: 0, markers: [] });
  const snapshot = writer.encode(new Snapshot().toInts()).slice();
  const skin = ['', '', '', '', '', '', ...new Array(12).fill(0)];
  const called = (name: string) => messageBytes('0.7', 'sv_clientinfo', [9, 0, 0, name, '', -1, ...skin, 0]);
  const says = (text: string) => messageBytes('0.7', 'sv_chat', [1, 9, -1, text]);
  const ticks = Array.from({ length: 90 }, (_, i) => ({
    tick: 100 + 2 * Math.floor(i / 3),
    snapshot,
    messages: [...(i === 0 ? [called('ann')] : i === 50 ? [called('bob')] : []), says('same'), says(`marker ${i}`)],
  }));
  return demoFile(writer.flush(), ticks);
}

describe('an export whose rows are divided among threads', () => {
  it.each([[[]], [['--every', '30', '--changes']]])('writes the rows that one thread writes: %j', async (options) => {
    for (const name of ['vanilla-dm1.demo', 'vanilla-ctf-timeout.pcap']) {
      const { writers } = await expectSameRows(read(name), name, [3], options);
      expect(writers).toEqual([3]);
    }
  });

  it('knows the names from messages before its rows, and keeps the messages of a tick together', async () => {
    const { texts, writers } = await expectSameRows(demoWithNames(), 'a.demo', [2, 3, 5, 8]);
    expect(writers).toEqual([2, 3, 5, 8]);
    const rows = texts.chat!.trimEnd().split('\n');
    const chat = rows.map((row) => JSON.parse(row));
    expect(chat.filter(({ text }) => text === 'same').map(({ receivers }) => receivers)).toEqual(new Array(30).fill(3));
    expect(new Set(chat.map(({ from_name }) => from_name))).toEqual(new Set(['ann', 'bob']));
  });

  it('is the same with --quiet, also if no thread can be started', async () => {
    const io = fakeIo({ files: { 'a.demo': demoWithNames() } });
    expect(
      await main(['export', 'a.demo', '--jobs', '2', '-q', '-t', 'csv', '-o', 'out', '--summary', 'json'], io),
      // A snapshot that comes three times in a tick is suspect: no game records that.
    ).toBe(1);
    const { rows } = JSON.parse(io.stdout.text);
    // The same text three times in each of 30 ticks is one row.
    expect(rows.chat).toBe(30 + 90);
    expect([...io.files.keys()].filter((path) => path.startsWith('out/chat/'))).toHaveLength(2);
    // One task reports the findings: two of each three tick marks and snapshots repeat a tick, and five are printed.
    expect(io.stderr.text.match(/[0-9]+ more/g)).toEqual(['115 more']);
  });

  it('leaves one thread the whole of a file of unknown size', async () => {
    const { writers } = await expectSameRows(new Uint8Array(), 'empty.demo', [3]);
    expect(writers).toEqual([1]);
  });
});
