import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, describe, expect, it } from 'vitest';
import { readCapture, readDemo } from '../../src/api/index.ts';
import { type Connection, connect } from '../../src/api/node/connect.ts';
import { recordedDemo } from '../support/demos.ts';
import { freePort } from '../support/free-port.ts';
import { hasTool, spawnSync, tool } from '../support/host.ts';
import { mapOf, PlayerServer } from '../support/player-server.ts';
import { program, run, start, until, withProgram } from '../support/program.ts';

const place = withProgram();
const open: (() => void)[] = [];
afterEach(() => {
  for (const end of open.splice(0)) end();
});

type Version = '0.6' | '0.7';
const pathOf = (name: string) => join(place.folder, name);
const bytesOf = (name: string) => new Uint8Array(readFileSync(pathOf(name)));

/** The map that is in a demo. */
const mapIn = (demo: Uint8Array): Uint8Array =>
  new Uint8Array(Buffer.concat([...readDemo(demo)].flatMap((entry) => (entry.record === 'map' ? [entry.piece] : []))));

/** A map that games can open: a demo with other bytes for its map is told to play nowhere. */
const realMap = mapIn(recordedDemo('vanilla-dm1.demo')!);

async function serverOf(version: Version, name = 'here', bytes = realMap) {
  const server = await PlayerServer.start(version, { map: { name, bytes } });
  open.push(() => server.stop());
  return server;
}

/** A relay that has begun to listen. */
async function recording(
  server: { readonly address: string },
  output: string,
  more: readonly string[] = [],
  host = '127.0.0.1',
) {
  const listen = `${host}:${await freePort()}`;
  const args = [program, 'record', server.address, '-o', pathOf(output), '--listen', listen, ...more];
  const { child, ended } = start(process.execPath, args, { cwd: place.folder });
  open.push(() => child.kill('SIGKILL'));
  let said = '';
  child.stderr!.on('data', (data) => {
    said += data;
  });
  await until(() => said.includes(`connect ${listen}`));
  return { child, ended, listen };
}

/** Plays for some snapshots; returns their checksums by tick, each of them announced and right. */
async function played(client: Connection, count: number): Promise<Map<number, number>> {
  open.push(() => client.close());
  const sums = new Map<number, number>();
  for await (const entry of client) {
    if (entry.record !== 'snapshot') continue;
    expect(entry.verdict).toBe('ok');
    sums.set(entry.tick, entry.snapshot!.checksum());
    if (sums.size >= count) break;
  }
  return sums;
}

const snapshotsOf = (demo: Uint8Array) =>
  [...readDemo(demo)].flatMap((entry) => (entry.record === 'snapshot' ? [entry] : []));
const headerOf = (demo: Uint8Array) => [...readDemo(demo)].find((entry) => entry.record === 'header')!.header;

describe.each(['0.6', '0.7'] as const)('tw-snap record, %s', (version) => {
  it('writes the demo of what a client was sent, and ends with Ctrl-C', async () => {
    const server = await serverOf(version);
    const { child, ended, listen } = await recording(server, `${version}.demo`);
    const client = connect(listen, { protocol: version, name: 'walker' });
    const sums = await played(client, 60);
    await until(() => server.heard.length > 0);
    child.kill('SIGINT');
    const { status, stdout, stderr } = await ended;
    expect([status, stderr]).toEqual([0, expect.stringContaining('is recorded as')]);
    expect(stdout).toMatch(/checksums: \d+ right\n$/);
    const demo = bytesOf(`${version}.demo`);
    const snapshots = snapshotsOf(demo);
    const last = snapshots.at(-1)!.tick;
    // Snapshots of 25 a second for 60 of them: every one that the client had is in the demo, under its tick.
    if (version === '0.6') {
      for (const [tick, sum] of sums) {
        expect([tick, snapshots.find((one) => one.tick === tick)?.snapshot?.checksum()]).toEqual([tick, sum]);
      }
    } else expect(snapshots.length).toBeGreaterThanOrEqual(sums.size);
    const header = headerOf(demo);
    expect(header.mapName).toBe('here');
    expect(header.length).toBe(Math.floor((last - snapshots[0]!.tick) / 50));
    // The client downloaded it.
    expect(mapIn(demo)).toEqual(realMap);
  });

  it('leaves a demo that is whole, if it is killed', async () => {
    const server = await serverOf(version);
    const name = `${version}-killed.demo`;
    const { child, ended, listen } = await recording(server, name);
    const client = connect(listen, { protocol: version, name: 'walker', reconnect: 0 });
    const sums = await played(client, 80);
    child.kill('SIGKILL');
    await ended;
    const records = [...readDemo(bytesOf(name))];
    expect(records.filter(({ record }) => record === 'diagnostic')).toEqual([]);
    const ticks = [...sums.keys()];
    const snapshots = snapshotsOf(bytesOf(name));
    expect(snapshots.at(-1)!.tick).toBeGreaterThanOrEqual(ticks.at(-1)! - 2);
    // The length is brought up to date each second.
    expect(headerOf(bytesOf(name)).length).toBeGreaterThanOrEqual(Math.floor((ticks.at(-1)! - ticks[0]!) / 50) - 1);
  });

  it('keeps the packets of all clients as a capture', async () => {
    const server = await serverOf(version);
    const name = `${version}.pcapng`;
    const { child, ended, listen } = await recording(server, name);
    const clients = ['one', 'two'].map((player) => connect(listen, { protocol: version, name: player }));
    await Promise.all(clients.map((client) => played(client, 20)));
    child.kill('SIGINT');
    expect((await ended).status).toBe(0);
    const entries = [...readCapture(bytesOf(name))];
    const snapshots = entries.flatMap((entry) => (entry.record === 'snapshot' ? [entry] : []));
    expect(snapshots.length).toBeGreaterThanOrEqual(40);
    expect(new Set(snapshots.map(({ verdict }) => verdict))).toEqual(new Set(['ok']));
    expect(new Set(snapshots.map(({ stream }) => stream.server))).toEqual(new Set([server.address]));
    expect(new Set(snapshots.map(({ stream }) => stream.client)).size).toBe(2);
    const { status } = await run(['checksum', pathOf(name)]);
    expect(status).toBe(0);
  });
});

it('several clients and maps become several files, and a file that is there stays', async () => {
  const server = await serverOf('0.6');
  writeFileSync(pathOf('many.demo'), 'mine');
  const { child, ended, listen } = await recording(server, 'many.demo');
  const clients = ['one', 'two'].map((player) => connect(listen, { name: player }));
  const verdicts = clients.map((): string[] => []);
  const playing = clients.map(async (client, i) => {
    open.push(() => client.close());
    for await (const entry of client) if (entry.record === 'snapshot') verdicts[i]!.push(entry.verdict);
  });
  const haveMore = async () => {
    const before = verdicts.map(({ length }) => length);
    await until(() => verdicts.every(({ length }, i) => length >= before[i]! + 10));
  };
  await haveMore();
  server.changeMap({ name: 'there', bytes: mapOf(1000, 5) });
  await until(() => clients.every(({ state, map }) => state === 'playing' && map?.name === 'there'));
  await haveMore();
  for (const client of clients) client.close();
  await Promise.all(playing);
  expect(new Set(verdicts.flat())).toEqual(new Set(['ok']));
  child.kill('SIGINT');
  const { status } = await ended;
  expect(status).toBe(0);
  expect(readFileSync(pathOf('many.demo'), 'utf8')).toBe('mine');
  const maps = [2, 3, 4, 5].map((number) => headerOf(bytesOf(`many-${number}.demo`)).mapName);
  expect(maps.sort()).toEqual(['here', 'here', 'there', 'there']);
});

it('finds the map that a client has already', async () => {
  const map = { name: 'mine', bytes: mapOf(4000, 3) };
  const server = await serverOf('0.6', map.name, map.bytes);
  writeFileSync(pathOf('mine.map'), map.bytes);
  writeFileSync(pathOf('other.map'), mapOf(4000, 4));
  for (const [name, args, size] of [
    ['with.demo', ['--map', pathOf('mine.map')], 4000],
    ['folder.demo', ['--map', place.folder], 4000],
    ['other.demo', ['--map', pathOf('other.map')], 0],
    ['without.demo', [], 0],
  ] as const) {
    const { child, ended, listen } = await recording(server, name, args);
    await played(connect(listen, { downloadMap: false }), 10);
    child.kill('SIGINT');
    const { stderr } = await ended;
    expect([name, headerOf(bytesOf(name)).mapSize]).toEqual([name, size]);
    expect(stderr.includes('the map is not in it')).toBe(size === 0);
  }
});

it('says why it does not begin, with the status of wrong usage', async () => {
  const { status, stderr } = await run(['record', '127.0.0.1:1']);
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^tw-snap: name the file to write with -o/)]);
  for (const [args, expected] of [
    [['record', '127.0.0.1:1', '-o', 'x.pcap'], /not x\.pcap/],
    [['record', 'a b', '-o', 'x.demo'], /the server: expected HOST:PORT/],
    [['record', '127.0.0.1', '-o', 'x.demo', '--listen', 'nonsense:0'], /--listen: expected HOST:PORT/],
    [['record', '127.0.0.1', '-o', 'x.demo', '--listen', '192.0.2.1:8304'], /not an address of this machine/],
  ] as const) {
    const result = await run(args);
    expect([result.status, result.stderr]).toEqual([2, expect.stringMatching(expected)]);
  }
  const missing = await run(['record', 'no-such-host.invalid', '-o', 'x.demo']);
  expect([missing.status, missing.stderr]).toEqual([3, expect.stringMatching(/^tw-snap: no-such-host\.invalid: /)]);
});

it('ends with a message where nothing was recorded, or the file can not be written', async () => {
  const server = await serverOf('0.6');
  const { child, ended } = await recording(server, 'nothing.demo');
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ status: 3, stderr: expect.stringContaining('nothing was recorded') });
  const unwritable = await recording(server, 'no/such/folder.demo');
  const client = connect(unwritable.listen, { reconnect: 0 });
  open.push(() => client.close());
  expect(await unwritable.ended).toMatchObject({ status: 2, stderr: expect.stringContaining("can't be written") });
});

const outside = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

it.skipIf(!outside)('a client of another machine plays with a token (needs a network address)', async () => {
  const server = await serverOf('0.7');
  const { child, ended, listen } = await recording(server, 'outside.demo', [], outside);
  const client = connect(listen, { protocol: '0.7' });
  await played(client, 10);
  child.kill('SIGINT');
  expect((await ended).status).toBe(0);
});

const games = [
  ['0.7', 'teeworlds-server', ['sv_map dm1']],
  ['0.6', 'DDNet-Server', ['sv_map dm1']],
  // One of the maps that DDNet has for clients of 0.7.
  ['0.7', 'DDNet-Server', ['sv_map Tsunami', 'sv_sixup 1']],
] as const;

for (const [version, name, settings] of games) {
  it.skipIf(!hasTool(name))(`records a client of ${version} on a real server (needs ${name})`, async () => {
    const port = await freePort();
    const home = mkdtempSync(join(place.folder, 'home-'));
    const env = { ...process.env, HOME: home };
    const server = start(tool(name), [`sv_port ${port}`, 'sv_register 0', ...settings], { cwd: home, env });
    open.push(() => server.child.kill('SIGKILL'));
    const file = `${name}-${version}.demo`;
    const { child, ended, listen } = await recording({ address: `127.0.0.1:${port}` }, file);
    // The server may still begin.
    const client = connect(listen, { protocol: version, timeout: 100 });
    await played(client, 60);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ status: 0, stdout: expect.stringMatching(/checksums: \d+ right\n$/) });
    const { status, stdout } = await run(['info', pathOf(file), '-t', 'json']);
    const [{ health, map, plays }] = JSON.parse(stdout);
    expect([status, health, map.ok]).toEqual([0, 'healthy', true]);
    expect(plays.map(({ play }: { readonly play: string }) => play)).toContain('plays');
  });
}

it.skipIf(!hasTool('tshark'))('its captures are right for tshark (needs tshark)', async () => {
  const server = await serverOf('0.6');
  const { child, ended, listen } = await recording(server, 'shark.pcapng');
  await played(connect(listen), 5);
  child.kill('SIGINT');
  await ended;
  const args = ['-r', pathOf('shark.pcapng'), '-o', 'udp.check_checksum:TRUE', '-o', 'ip.check_checksum:TRUE'];
  const fields = ['-T', 'fields', '-e', 'udp.checksum.status', '-e', 'ip.checksum.status', '-e', 'udp.dstport'];
  const { stdout } = spawnSync(tool('tshark'), [...args, ...fields], { encoding: 'utf8' });
  const rows = stdout.trim().split('\n');
  expect(rows.length).toBeGreaterThan(10);
  // 1: good.
  expect(rows.filter((row) => !/^1\t1\t\d+$/.test(row))).toEqual([]);
});
