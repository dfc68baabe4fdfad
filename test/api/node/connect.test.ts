import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ClientSession } from '../../../src/api/live/session.ts';
import { EventFinder } from '../../../src/api/match.ts';
import { readAddress } from '../../../src/api/node/address.ts';
import { type Connection, type ConnectOptions, connect } from '../../../src/api/node/connect.ts';
import { mapOf, PlayerServer, type PlayerServerOptions } from '../../support/player-server.ts';

type Version = '0.6' | '0.7';
const open: { stop?(): void; close?(): void }[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const one of open.splice(0)) {
    one.close?.();
    one.stop?.();
  }
});

const started = async (version: Version, options?: PlayerServerOptions) => {
  const server = await PlayerServer.start(version, options);
  open.push(server);
  return server;
};

function joined(server: PlayerServer, version: Version, options: ConnectOptions = {}): Connection {
  const client = connect(server.address, { protocol: version, name: 'walker', ...options });
  open.push(client);
  return client;
}

async function until(isSo: () => boolean, milliseconds = 100_000): Promise<void> {
  for (const end = Date.now() + milliseconds; !isSo() && Date.now() < end; ) await pause(10);
  expect(isSo()).toBe(true);
}

/** Reads until something is so, and returns what was read. */
async function readUntil(client: Connection, isSo: (record: string) => boolean) {
  const records = [];
  for await (const entry of client) {
    records.push(entry);
    if (isSo(entry.record)) break;
  }
  return records;
}

const snapshots = (count: number) => {
  let left = count;
  return (record: string) => record === 'snapshot' && --left <= 0;
};

describe.each(['0.6', '0.7'] as const)('connect to a server of %s', (version) => {
  it('downloads the map, enters the game and acknowledges its snapshots', async () => {
    const bytes = mapOf(5000);
    const server = await started(version, { map: { name: 'here', bytes } });
    const client = joined(server, version, { clan: 'clan', password: 'secret' });
    const records = await readUntil(client, snapshots(20));
    const verdicts = records.flatMap((entry) => (entry.record === 'snapshot' ? [entry.verdict] : []));
    expect(verdicts).toEqual(Array(20).fill('ok'));
    expect(client.map).toMatchObject({ name: 'here', size: 5000 });
    expect(Buffer.from(client.map!.bytes!).equals(bytes)).toBe(true);
    if (version === '0.6') expect(client.clientId).toBe(0);
    const heard = (name: string) => server.heard.filter((one) => one.name === name);
    expect(heard('info')[0]!.fields).toMatchObject({ password: 'secret' });
    expect(heard('cl_startinfo')[0]!.fields).toMatchObject({ name: 'walker', clan: 'clan', country: -1 });
    // 7 pieces of 800 bytes: each is asked for in 0.6, two at once in 0.7.
    expect(heard('request_map_data').length).toBe(version === '0.6' ? 7 : 4);
    const acks = heard('input').map(({ fields }) => Number(fields.ack_snapshot));
    expect(acks.at(-1)).toBeGreaterThan(100);
    expect([...acks].sort((a, b) => a - b)).toEqual(acks);
    // Leaving the loop leaves the server.
    expect(client.closed).toEqual({ by: 'self', reason: '' });
  });

  it('has the last snapshot, the players, and events through a loss of 20 %', async () => {
    const server = await started(version, { isLossy: true });
    const client = joined(server, version);
    const info = { client_id: 0, local: 1, team: 0, name: 'player', clan: 'clan', country: 276 };
    const skin = {
      skin_part_names: Array(6).fill('standard'),
      use_custom_colors: Array(6).fill(0),
      skin_part_colors: Array(6).fill(0),
    };
    await until(() => client.snapshot !== undefined);
    if (version === '0.7') server.say('sv_clientinfo', { ...info, ...skin, silent: 1 });
    for (let i = 0; i < 8; i++) {
      const to = version === '0.6' ? { team: 0 } : { mode: 1, target_id: -1 };
      server.say('sv_chat', { ...to, client_id: 0, message: `number ${i}` });
    }
    const heard: string[] = [];
    for await (const { events } of client.events) {
      for (const event of events) if (event.what === 'chat') heard.push(event.text);
      if (heard.length === 8) break;
    }
    expect(heard).toEqual(Array.from({ length: 8 }, (_, i) => `number ${i}`));
    expect(client.players).toMatchObject([{ client: 0, name: 'player', team: 0 }]);
    expect(client.snapshot?.count).toBe(version === '0.6' ? 2 : 1);
    expect(client.closed).toEqual({ by: 'self', reason: '' });
  });

  it('sends inputs, which stay, chat, deaths and emoticons', async () => {
    const server = await started(version);
    const client = joined(server, version);
    expect(client.chat('too early')).toBe(false);
    await until(() => client.state === 'playing');
    client.input({ direction: 1, target_x: 77, hook: true });
    expect([client.chat('hello'), client.chat('us', { team: true }), client.kill(), client.emoticon('zzz')]).toEqual(
      Array(4).fill(true),
    );
    const last = () => server.heard.filter(({ name }) => name === 'input').at(-1)?.fields;
    await until(() => last()?.target_x === 77 && server.heard.some(({ name }) => name === 'cl_emoticon'));
    expect(last()).toMatchObject({ direction: 1, jump: 0, hook: 1 });
    const names = ['cl_say', 'cl_kill', 'cl_emoticon'];
    const sent = server.heard.filter(({ name }) => names.includes(name)).map(({ name, fields }) => [name, fields]);
    const say = (team: boolean, message: string) => [
      'cl_say',
      version === '0.6' ? { team: Number(team), message } : { mode: team ? 2 : 1, target: -1, message },
    ];
    // zzz is the 13th of the emoticons of the games.
    expect(sent).toEqual([say(false, 'hello'), say(true, 'us'), ['cl_kill', {}], ['cl_emoticon', { emoticon: 12 }]]);
    await pause(100);
    expect(last()).toMatchObject({ direction: 1, target_x: 77 });
  });

  it('yields what a finder of events takes', async () => {
    const server = await started(version);
    const client = joined(server, version);
    await until(() => client.state === 'playing');
    const said = version === '0.6' ? { team: 0 } : { mode: 1, target_id: -1 };
    server.say('sv_chat', { ...said, client_id: -1, message: 'welcome' });
    const finder = new EventFinder();
    const texts: string[] = [];
    for await (const entry of client) {
      for (const { events } of finder.add(entry)) {
        for (const event of events) if (event.what === 'chat') texts.push(event.text);
      }
      if (texts.length > 0) break;
    }
    expect(texts).toEqual(['welcome']);
  });

  it('follows a map change, and downloads a map only once', async () => {
    const [first, second] = [
      { name: 'first', bytes: mapOf(2000) },
      { name: 'second', bytes: mapOf(1700, 9) },
    ];
    const server = await started(version, { map: first });
    const client = joined(server, version);
    await until(() => client.state === 'playing');
    server.changeMap(second);
    await until(() => client.state === 'playing' && client.map?.name === 'second');
    expect(client.map!.bytes!.length).toBe(1700);
    const requests = () => server.heard.filter(({ name }) => name === 'request_map_data').length;
    const before = requests();
    server.changeMap(second);
    await until(() => client.state === 'loading');
    await until(() => client.state === 'playing');
    expect(requests()).toBe(before);
  });

  it('is closed where the map is not the announced one', async () => {
    const server = await started(version, { crc: 12_345 });
    const client = joined(server, version);
    await until(() => client.closed !== undefined);
    expect(client.closed).toEqual({
      by: 'self',
      reason: 'the map dm1 has another checksum than the server announced',
    });
  });

  it('needs no map', async () => {
    const server = await started(version);
    const client = joined(server, version, { downloadMap: false });
    await until(() => client.state === 'playing');
    expect(client.map!.bytes).toBeUndefined();
    expect(server.heard.some(({ name }) => name === 'request_map_data')).toBe(false);
  });

  it('is closed with the reason of the server, once and for all', async () => {
    const server = await started(version);
    const client = joined(server, version);
    await until(() => client.state === 'playing');
    server.closeAll('kicked for a test');
    await until(() => client.closed !== undefined);
    expect(client.closed).toEqual({ by: 'peer', reason: 'kicked for a test' });
    // What came before can still be read.
    const records = await readUntil(client, () => false);
    expect(records.some(({ record }) => record === 'close')).toBe(true);
  });

  it('comes back after a restart, with its input and its map', async () => {
    const server = await started(version);
    const { port } = server;
    const client = joined(server, version);
    await until(() => client.state === 'playing');
    client.input({ direction: -1 });
    server.closeAll('Server shutdown');
    // A client that is quick would come back to this server.
    server.isSilent = true;
    // The system sends it before the socket is closed.
    await pause(50);
    server.stop();
    open.splice(open.indexOf(server), 1);
    await until(() => client.state === 'connecting');
    const again = await started(version, { port });
    await until(() => client.state === 'playing');
    await until(() => again.heard.some(({ name, fields }) => name === 'input' && fields.direction === -1));
    expect(again.heard.some(({ name }) => name === 'request_map_data')).toBe(false);
    expect(client.closed).toBeUndefined();
  });

  it('gives up a server that is silent', async () => {
    const server = await started(version);
    server.isSilent = true;
    const client = joined(server, version, { timeout: 0.3 });
    await until(() => client.closed !== undefined);
    expect(client.closed!.by).toBe('timeout');
  });

  it('gives up after a restart that does not come', async () => {
    const server = await started(version);
    // A machine that stops for less than that does not end the game before.
    const client = joined(server, version, { timeout: 2, reconnect: 1 });
    await until(() => client.state === 'playing');
    server.isSilent = true;
    const begin = performance.now();
    await until(() => client.closed !== undefined);
    expect(client.closed!.by).toBe('timeout');
    expect(performance.now() - begin).toBeGreaterThan(2500);
  });

  it('is closed by a signal, which ends the loop', async () => {
    const server = await started(version);
    const controller = new AbortController();
    const client = joined(server, version, { signal: controller.signal });
    const reading = readUntil(client, () => false);
    await until(() => client.state === 'playing');
    controller.abort(new Error('enough'));
    expect((await reading).length).toBeGreaterThan(5);
    expect(client.closed).toEqual({ by: 'self', reason: '' });
  });

  it('loses no chat, and time does not go back, where packets are lost and overtake each other', async () => {
    const server = await started(version, { isLossy: true });
    const client = joined(server, version);
    const ticks: number[] = [];
    let said = 0;
    const texts = () => server.heard.filter(({ name }) => name === 'cl_say').map(({ fields }) => fields.message);
    for await (const entry of client) {
      if (entry.record !== 'snapshot') continue;
      ticks.push(entry.tick);
      if (said < 20 && client.chat(`line ${said}`)) said++;
      if (texts().length === 20 && ticks.length >= 50) break;
    }
    expect(texts()).toEqual(Array.from({ length: 20 }, (_, i) => `line ${i}`));
    expect(ticks).toEqual([...ticks].sort((a, b) => a - b));
  });

  it.each([false, true])('says that the server speaks another version (lossy: %s)', async (isLossy) => {
    const other = version === '0.6' ? '0.7' : '0.6';
    const server = await started(other, { isLossy });
    const client = joined(server, version);
    expect(await readUntil(client, () => false)).not.toContain('snapshot');
    expect(client.closed).toEqual({ by: 'peer', reason: `the server speaks ${other}, not ${version}` });
  });

  it('is given up after exactly the time that was asked for', async () => {
    const server = await started(version);
    server.isSilent = true;
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const client = joined(server, version, { timeout: 3.2 });
    const begin = performance.now();
    await until(() => {
      vi.advanceTimersByTime(10);
      return client.closed !== undefined;
    });
    // A second attempt, which begins after 3 seconds, does not have another 3.
    expect(client.closed!.by).toBe('timeout');
    expect(performance.now() - begin).toBeGreaterThan(3190);
    expect(performance.now() - begin).toBeLessThan(3400);
  });

  it('is bounded where its records are not taken', async () => {
    const server = await started(version);
    const client = joined(server, version);
    await until(() => client.state === 'playing');
    const said = version === '0.6' ? { team: 0 } : { mode: 1, target_id: -1 };
    for (let i = 0; i < 1500; i++) {
      server.say('sv_chat', { ...said, client_id: -1, message: `line ${i}` });
      if (i % 100 === 99) await pause(60);
    }
    await until(() => client.missed > 0);
    client.close();
    expect((await readUntil(client, () => false)).length).toBeLessThanOrEqual(1024);
  });
});

it('plays on servers of 0.6 without tokens', async () => {
  const server = await started('0.6', { isOld: true });
  const client = joined(server, '0.6');
  const records = await readUntil(client, snapshots(5));
  const connections = records.flatMap((entry) => (entry.record === 'connection' ? [entry.stream.hasTokens] : []));
  expect(connections).toEqual([false]);
  expect(client.map!.bytes!.length).toBe(3000);
});

it('is closed at once by a signal that was aborted before', async () => {
  const client = connect('127.0.0.1:1', { signal: AbortSignal.abort(new Error('never')) });
  expect(await readUntil(client, () => false)).toEqual([]);
  expect(client.state).toBe('closed');
});

it('a host without an address is an error for who reads', async () => {
  const client = connect('no-such-host.invalid');
  await expect(readUntil(client, () => false)).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/);
  expect(client.closed).toMatchObject({ by: 'error', error: expect.any(Error) });
});

it.each([
  ['127.0.0.1:8303', { host: '127.0.0.1', port: 8303 }],
  ['example.org', { host: 'example.org', port: 8303 }],
  ['[::1]:8305', { host: '::1', port: 8305 }],
  ['[fe80::1]', { host: 'fe80::1', port: 8303 }],
  ['::1', undefined],
  ['host:0', undefined],
  ['host:70000', undefined],
  ['host:', undefined],
  ['', undefined],
  ['a b', undefined],
])('the address %s', (text, expected) => {
  expect(readAddress(text)).toEqual(expected);
});

it.each([
  ['TypeError', { protocol: '0.5' as never }],
  ['TypeError', { nmae: 'walker' } as never],
  ['RangeError', { reconnect: -1 }],
  ['TypeError', { reconnect: '60' as never }],
  ['RangeError', { timeout: 0 }],
  ['TypeError', { timeout: '3' as never }],
  ['TypeError', { signal: true as never }],
  ['TypeError', { downloadMap: 'no' as never }],
  // What no message can say.
  ['RangeError', { name: 'a\0b' }],
  ['RangeError', { clan: '\0' }],
  ['RangeError', { country: 1.5 }],
  ['RangeError', { country: 2 ** 40 }],
  ['TypeError', { skin: 7 as never }],
  ['RangeError', { password: 'x'.repeat(1400) }],
  ['RangeError', { protocol: '0.7', name: 'x'.repeat(1400) }],
] as const)('options that are refused at once with a %s, case %#', (name, options) => {
  expect(() => connect('127.0.0.1', options)).toThrow(expect.objectContaining({ name }));
});

it('a server can end the connection, not the process: an empty snapshot of the last tick', async () => {
  const server = await started('0.6');
  server.isFrozen = true;
  const client = joined(server, '0.6', { downloadMap: false });
  await until(() => client.state === 'playing');
  // As CServer::DoSnapshot sends it to who has no base.
  server.say('snap_empty', { tick: 2147483646, delta: 2147483647 });
  const isHeard = () => server.heard.find(({ fields }) => fields.ack_snapshot === 2147483646);
  await until(() => isHeard() !== undefined);
  // Ints wrap, as in the games: two ticks later.
  expect(isHeard()!.fields.intended_tick).toBe(-2147483648);
  const records = await readUntil(client, (record) => record === 'snapshot');
  expect(records.at(-1)).toMatchObject({ tick: 2147483646, verdict: 'ok' });
});

it.each(['receive', 'packets'] as const)('an error in %s ends the connection, and closed has it', async (name) => {
  const server = await started('0.6');
  const client = joined(server, '0.6');
  const error = new Error('a fault');
  const spy = vi.spyOn(ClientSession.prototype, name).mockImplementation(() => {
    throw error;
  });
  try {
    await readUntil(client, () => false);
  } finally {
    spy.mockRestore();
  }
  expect(client.closed).toEqual({ by: 'error', reason: 'a fault', error });
});

it('wrong arguments are refused', async () => {
  expect(() => connect('')).toThrow(TypeError);
  expect(() => connect(8303 as never)).toThrow(TypeError);
  expect(() => connect('host', 'walker' as never)).toThrow(TypeError);
  const server = await started('0.6');
  const client = joined(server, '0.6');
  expect(() => client.input({ direction: 1.5 })).toThrow(RangeError);
  expect(() => client.input({ speed: 1 } as never)).toThrow(TypeError);
  expect(() => client.emoticon('smile' as never)).toThrow(TypeError);
});
