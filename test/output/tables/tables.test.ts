import { describe, expect, it } from 'vitest';
import { main } from '../../../commands/index.ts';
import { DemoWriter } from '../../../src/recording/container/demo/demo-writer.ts';
import { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { demoFile } from '../../support/demo-builder.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { mapChange, playerItems, serverCapture, serverMessage, snapshotMessage } from '../../support/made-capture.ts';
import { snapshotOf } from '../../support/readers.ts';
import { messageBytes } from '../../support/recording.ts';

/** Two clients; a map change lets client 0 be another player, and the ticks begin again. */
const [left, right] = [50001, 50002];
const capture = serverCapture([
  ...[left, right].map((port) => [port, mapChange('dm1')] as const),
  ...[left, right].map((port) => [port, snapshotMessage(100, ...playerItems(0, 'old', 320))] as const),
  ...[left, right].map((port) => [port, mapChange('dm2')] as const),
  [left, serverMessage('sv_chat', 0, 0, 'early')],
  [left, snapshotMessage(10, ...playerItems(0, 'new', 640))],
  [left, serverMessage('sv_chat', 0, 0, 'late')],
]);

async function tableOf(table: string, files: Readonly<Record<string, Uint8Array | string>> = { 'a.pcap': capture }) {
  const io = fakeIo({ files });
  const [name, schema] = Object.keys(files);
  const options = ['--tables', table, '-t', 'ndjson', ...(schema ? ['--schema', schema] : [])];
  expect(await main(['export', name!, ...options], io)).toBe(0);
  const lines = io.stdout.text.split('\n').filter((line) => line !== '');
  return lines.map((line): Record<string, unknown> => JSON.parse(line));
}

/** A demo with these messages in the first of its two ticks. */
function demoWith(snapshot: Snapshot, ...messages: readonly Uint8Array[]): Uint8Array {
  const writer = new DemoWriter(4);
  const names = { netVersion: '0.6 626fce9a778df4d4', mapName: 'dm1', type: 'server', timestamp: '' };
  writer.header({ ...names, version: 4, mapSize: 0, mapCrc: 0, length: 0, markers: [] });
  const head = writer.flush().slice();
  const [first, second] = [snapshot, new Snapshot()].map((snapshot) => writer.encode(snapshot.toInts()).slice());
  return demoFile(head, [
    { tick: 1, snapshot: first!, messages },
    { tick: 2, snapshot: second!, messages: [] },
  ]);
}

describe('a map change', () => {
  it('begins a session, in which no player and no tick of the old map is known', async () => {
    const chat = await tableOf('chat');
    expect(chat.map(({ text, tick, from_name, session }) => [text, tick, from_name, session])).toEqual([
      ['early', -1, null, 2],
      ['late', 10, 'new', 2],
    ]);
  });

  it('that was not captured is one, too: the ticks begin again', async () => {
    const items = playerItems(0, 'old', 320);
    const ticks = [9000, 9002, 10, 12];
    const cut = serverCapture([
      [left, mapChange('dm1')],
      ...ticks.map((tick) => [left, snapshotMessage(tick, ...items)] as const),
    ]);
    const rows = await tableOf('sessions', { 'a.pcap': cut });
    expect(rows.map(({ session, map, first_tick, snapshots }) => [session, map, first_tick, snapshots])).toEqual([
      [1, 'dm1', 9000, 2],
      [2, null, 10, 2],
    ]);
  });

  it('is in all tables, so that they can be joined', async () => {
    const rows = async (table: string, ...columns: string[]) =>
      (await tableOf(table)).map((row) => ['stream', 'session', ...columns].map((name) => row[name]));
    expect(await rows('sessions', 'map', 'first_tick', 'snapshots')).toEqual([
      [1, 1, 'dm1', 100, 1],
      [2, 1, 'dm1', 100, 1],
      [1, 2, 'dm2', 10, 1],
      [2, 2, 'dm2', -1, 0],
    ]);
    expect(await rows('players', 'name', 'first_tick')).toEqual([
      [1, 1, 'old', 100],
      [2, 1, 'old', 100],
      [1, 2, 'new', 10],
    ]);
    for (const table of ['snapshots', 'obj_character', 'obj_client_info']) {
      expect([table, await rows(table)]).toEqual([
        table,
        [
          [1, 1],
          [2, 1],
          [1, 2],
        ],
      ]);
    }
    expect((await tableOf('connections')).map(({ stream }) => stream)).toEqual([1, 2]);
  });
});

it('a finish of a team in a server demo has a row for each player, though the message that all get names none', async () => {
  const chat = (text: string) => messageBytes('0.6', 'sv_chat', [0, -1, text]);
  // Each member is told the time, and everybody the names.
  const demo = demoWith(
    new Snapshot(),
    messageBytes('0.6', 'sv_ddracetimelegacy', [1234, -50, 1]),
    chat('ann finished in: 0 minute(s) 12.34 second(s)'),
    messageBytes('0.6', 'sv_ddracetimelegacy', [1234, 20, 1]),
    chat('bob finished in: 0 minute(s) 12.34 second(s)'),
  );
  const rows = await tableOf('finishes', { 'a.demo': demo });
  expect(rows.map(({ player_name, time_ms }) => [player_name, time_ms])).toEqual([
    ['ann', 12_340],
    ['bob', 12_340],
  ]);
});

it('clients of a capture who are told different things about one finish share its row', async () => {
  const chat = serverMessage('sv_chat', 0, -1, 'ann finished in: 0 minute(s) 12.34 second(s)');
  const local = [...playerItems(0, 'ann'), ['obj_player_info', 0, { local: 1 }] as const].filter(
    ([name, , fields]) => name !== 'obj_player_info' || fields?.local === 1,
  );
  const rows = await tableOf('finishes', {
    'a.pcap': serverCapture([
      [right, chat],
      [left, snapshotMessage(100, ...local)],
      [left, serverMessage('sv_ddracetimelegacy', 1234, -50, 1)],
      [left, chat],
    ]),
  });
  expect(rows.map(({ player_name, diff_ms, receivers }) => [player_name, diff_ms, receivers])).toEqual([
    ['ann', -500, 2],
  ]);
});

describe('a schema with the names of tables and columns', () => {
  const fields = { file: 'int', snap_tick: 'int', field_file: 'int', a: { list: 2, of: 'int' }, a_1: 'int' };
  const files = {
    'a.demo': demoWith(snapshotOf([50, 7, 1, 2, 3, 4, 5, 6]), messageBytes('0.6', 'sv_killmsg', [1, 2, 3, 0])),
    'schema.json': JSON.stringify({ items: [{ name: 'kills', type: 50, fields }] }),
  };

  it('has its items in a table of their own, each value in a column of its own', async () => {
    const [row, ...rest] = await tableOf('item-kills', files);
    expect(rest).toEqual([]);
    expect(row).toMatchObject({ file: 'a.demo', snap_tick: 1, item_id: 7 });
    const { field_file, field_snap_tick, field_field_file, a_0, a_1, field_a_1 } = row!;
    expect([field_file, field_snap_tick, field_field_file, a_0, a_1, field_a_1]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('leaves the table with that name as it is', async () => {
    expect(await tableOf('kills', files)).toMatchObject([{ killer_id: 1, victim_id: 2 }]);
    const io = fakeIo({ files });
    await main(['export', 'a.demo', '--schema', 'schema.json', '-o', 'out', '--summary', 'json'], io);
    expect(JSON.parse(io.stdout.text).rows).toMatchObject({ kills: 1, 'item-kills': 1 });
  });
});
