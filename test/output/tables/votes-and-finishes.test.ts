import { describe, expect, it } from 'vitest';
import { DemoWriter } from '../../../src/recording/container/demo/demo-writer.ts';
import { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { demoFile } from '../../support/demo-builder.ts';
import { serverCapture, serverMessage, snapshotMessage } from '../../support/made-capture.ts';
import { messageBytes } from '../../support/recording.ts';
import { recordsOf, run } from '../../support/run.ts';

type Made = readonly [name: string, ...values: readonly (number | string)[]];

/** A server's demo with these messages in ticks from 1 on. */
function demoOf(version: '0.6' | '0.7', ...ticks: readonly (readonly Made[])[]): Uint8Array {
  const writer = new DemoWriter(4);
  const netVersion = { '0.6': '0.6 626fce9a778df4d4', '0.7': '0.7 802f1be60a05665f' }[version];
  const names = { netVersion, mapName: 'dm1', type: 'server', timestamp: '' };
  writer.header({ ...names, version: 4, mapSize: 0, mapCrc: 0, length: 0, markers: [] });
  const head = writer.flush().slice();
  const snapshot = writer.encode(new Snapshot().toInts()).slice();
  const made = ticks.map((messages, i) => ({
    tick: i + 1,
    snapshot,
    messages: messages.map(([name, ...values]) => messageBytes(version, name, values)),
  }));
  return demoFile(head, made);
}

async function rowsOf(table: string, name: string, bytes: Uint8Array): Promise<Record<string, unknown>[]> {
  const { status, stdout } = await run(`export ${name} --tables ${table} -t ndjson`, { [name]: bytes });
  expect(status).toBe(0);
  return recordsOf(stdout);
}

describe('votes', () => {
  it('0.6: a vote that has time left is called, one without time is over', async () => {
    const demo = demoOf('0.6', [['sv_voteset', 25, 'kick bob', 'afk']], [['sv_voteset', 0, '', '']]);
    const rows = await rowsOf('votes', 'a.demo', demo);
    expect(rows.map(({ tick, state, description }) => [tick, state, description])).toEqual([
      [1, 'called', 'kick bob'],
      [2, 'over', ''],
    ]);
  });

  // Client, type, seconds; the types of datasrc/network.py of 0.7: unknown, start_op, start_kick, start_spec,
  // end_abort, end_pass, end_fail.
  it('0.7: the type says how a vote ends', async () => {
    const called: Made[] = [1, 2, 3].map((type) => ['sv_voteset', 0, type, 25, `vote ${type}`, '']);
    const ended: Made[] = [4, 5, 6].map((type) => ['sv_voteset', -1, type, 0, '', '']);
    const rows = await rowsOf('votes', 'a.demo', demoOf('0.7', ...[...called, ...ended].map((entry) => [entry])));
    expect(rows.map(({ state, kind }) => [state, kind])).toEqual([
      ['called', 'option'],
      ['called', 'kick'],
      ['called', 'spectate'],
      ['aborted', null],
      ['passed', null],
      ['failed', null],
    ]);
  });
});

describe('a finish that is announced twice', () => {
  const rows = async (chat: string) => {
    const messages: Made[] = [
      // 12.34 s, in hundredths.
      ['sv_ddracetimelegacy', 1234, 0, 1],
      ['sv_chat', 0, -1, `ann finished in: 0 minute(s) ${chat} second(s)`],
    ];
    const demo = demoOf('0.6', messages, []);
    const found = await rowsOf('finishes', 'a.demo', demo);
    return found.map(({ player_name, time_ms, source }) => [player_name, time_ms, source]);
  };

  it('has one row, also if the times are 10 ms apart', async () => {
    for (const chat of ['12.33', '12.34', '12.35']) {
      expect(await rows(chat), chat).toEqual([['ann', expect.any(Number), 'chat']]);
    }
  });

  it('has two rows if they are more than 10 ms apart', async () => {
    expect(await rows('12.32')).toEqual([
      [null, 12_340, 'ddrace_time'],
      ['ann', 12_320, 'chat'],
    ]);
  });
});

describe('equal messages', () => {
  const chat: Made = ['sv_chat', 0, -1, 'gg'];

  it('of one tick in a server demo are one for each receiver, those of two ticks are two', async () => {
    const rows = await rowsOf('chat', 'a.demo', demoOf('0.6', [chat, chat], [chat]));
    expect(rows.map(({ tick, receivers, text }) => [tick, receivers, text])).toEqual([
      [1, 2, 'gg'],
      [2, 1, 'gg'],
    ]);
  });

  it('to two clients of a capture are one, those of two ticks are two', async () => {
    const [first, second] = [50_001, 50_002];
    const said = serverMessage(...chat);
    const capture = serverCapture([
      [first, snapshotMessage(100)],
      [second, snapshotMessage(100)],
      [first, said],
      [second, said],
      [first, snapshotMessage(102)],
      [second, snapshotMessage(102)],
      [first, said],
      [second, said],
    ]);
    const rows = await rowsOf('chat', 'a.pcap', capture);
    expect(rows.map(({ receivers, text }) => [receivers, text])).toEqual([
      [2, 'gg'],
      [2, 'gg'],
    ]);
  });
});
