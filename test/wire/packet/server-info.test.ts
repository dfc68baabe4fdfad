import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { main } from '../../../commands/index.ts';
import { type ServerInfo, ServerInfos } from '../../../src/recording/replay/server-info.ts';
import { valueNamed } from '../../../src/wire/packet/message.ts';
import { readConnless } from '../../../src/wire/packet/packet-values.ts';
import { file, text as textBytes } from '../../support/bytes.ts';
import { fakeIo } from '../../support/fake-io.ts';

const sample = new Uint8Array(readFileSync(new URL('server-info.pcap', import.meta.url)));

async function recordsOf(): Promise<Record<string, unknown>[]> {
  const io = fakeIo({ files: { 'info.pcap': sample } });
  expect(await main(['dump', 'info.pcap', '-t', 'ndjson'], io)).toBe(0);
  const lines = io.stdout.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return lines.filter(({ record }) => record === 'server_info');
}

// What the servers were told (recorded on 2026-11-23 on the loopback interface: DDNet 16.4 and Teeworlds 0.7.5): names,
// hostnames, maps, numbers of clients, a password, a skill level.
const ddnet = { map: 'Tutorial', flags: 1, num_players: 0, num_clients: 0, players: [], missing: 0 };

it('the answers of real servers are their settings', async () => {
  const [vanilla, legacy, extended, teeworlds, sixup] = await recordsOf();
  expect(vanilla).toMatchObject({
    ...ddnet,
    name: 'inf3',
    browse_token: 0x2a,
    server_name: 'tw-snap DDNet ä [0/48]',
    max_clients: 16,
  });
  expect(legacy).toMatchObject({
    ...ddnet,
    name: 'dtsf',
    browse_token: 0x2b,
    server_name: 'tw-snap DDNet ä',
    max_clients: 48,
    offset: 0,
  });
  // The extra bytes 12 34 of the request are the upper bits of the token.
  expect(extended).toMatchObject({
    ...ddnet,
    name: 'iext',
    browse_token: 0x12342c,
    max_clients: 48,
    map_size: 1_082_711,
  });
  expect(teeworlds).toMatchObject({
    ...{ name: 'inf3', browse_token: 0x71, version: '0.7.5', server_name: 'tw-snap vanilla', hostname: 'loop.example' },
    ...{ map: 'dm1', game_type: 'DM', flags: 0, skill_level: 2, num_players: 0, max_players: 8, max_clients: 12 },
  });
  expect(sixup).toMatchObject({ ...ddnet, flags: 3, hostname: 'ddnet.example', server_name: 'tw-snap DDNet ä' });
});

it.each([
  [1, { name: 'gie3', browse_token: 0x2a, data: '' }],
  [5, { name: 'gie3', extra: '12340000', browse_token: 0x2c }],
  [9, { name: 'gie3', response_token: '01020304', browse_token: 0x71 }],
])('decode names the token of request %i', async (frame, expected) => {
  const io = fakeIo({ files: { 'info.pcap': sample } });
  await main(['decode', `info.pcap#${frame}`, '-t', 'json'], io);
  expect(JSON.parse(io.stdout.text).connless).toMatchObject(expected);
});

const ascii = (text: string) => Array.from(new TextEncoder().encode(text));
const texts = (...all: readonly (string | number)[]) => all.flatMap((entry) => [...ascii(String(entry)), 0]);
const connless = (name: string, ...bytes: readonly number[]) =>
  Uint8Array.from([...Array(10).fill(0xff), ...ascii(name), ...bytes]);

const person = (name: string, ...more: readonly string[]) => texts(name, 'clan', 276, -9999, 1, ...more);
const head = ['0.6.4, 20.1', 'server', 'dm1', 'crc', 100, 'DDraceNetwork', 2, 3, 64, 3, 64, ''] as const;
const first = connless('iext', ...texts(7, ...head), ...person('one', ''));
const second = connless('iex+', ...texts(7, 1, ''), ...person('two', ''), ...person('three', ''));
const namesOf = (info: ServerInfo | undefined) => info?.players.map(({ name }) => name);

it.each([
  ['in order', [first, second], ['one', 'two', 'three']],
  ['the other way round', [second, first], ['two', 'three', 'one']],
])('the parts of an answer are joined, %s', (_, parts, names) => {
  const infos = new ServerInfos();
  expect(infos.add(parts[0]!)).toEqual([]);
  const [info] = infos.add(parts[1]!);
  expect(namesOf(info)).toEqual(names);
  expect(info).toMatchObject({ missing: 0, fields: { server_name: 'server', map_crc: 0, num_clients: 3 } });
  expect(info!.players[0]).toMatchObject({ clan: 'clan', country: 276, score: -9999, is_player: 1 });
  expect([...infos.rest()]).toEqual([]);
});

it('parts with another token belong to another answer, and one that is not complete comes last', () => {
  const infos = new ServerInfos();
  infos.add(first);
  expect(infos.add(connless('iex+', ...texts(8, 1, ''), ...person('two', '')))).toEqual([]);
  const [left, right] = [...infos.rest()];
  expect(left).toMatchObject({ missing: 2 });
  expect(right).toMatchObject({ fields: {}, missing: Infinity });
});

it('answers of one server to two requests, part by part, are told apart by their tokens', () => {
  const infos = new ServerInfos();
  const more = (token: number, ...names: readonly string[]) =>
    connless('iex+', ...texts(token, 1, ''), ...names.flatMap((name) => person(name, '')));
  const begin = (token: number, name: string) => connless('iext', ...texts(token, ...head), ...person(name, ''));
  const ends = { source: '10.0.0.1', sourcePort: 8303, destination: '10.0.0.9', destinationPort: 50_000 };
  const parts = [begin(7, 'a1'), begin(8, 'b1'), more(8, 'b2', 'b3'), more(7, 'a2', 'a3')];
  const answers = parts.flatMap((bytes) => infos.add(bytes, ends));
  expect(answers.map(({ fields, missing }) => [fields.browse_token, missing])).toEqual([
    [8, 0],
    [7, 0],
  ]);
  expect(answers.map(namesOf)).toEqual([
    ['b1', 'b2', 'b3'],
    ['a1', 'a2', 'a3'],
  ]);
  expect([...infos.rest()]).toEqual([]);
});

it('the players of 0.6 for 64 players follow a packed offset', () => {
  const infos = new ServerInfos();
  const fields = texts(5, '0.6.4', 'server', 'dm1', 'DM', 0, 2, 64, 2, 64);
  expect(infos.add(connless('dtsf', ...fields, 0x00, ...person('one')))).toEqual([]);
  const [info] = infos.add(connless('dtsf', ...fields, 0x01, ...person('two')));
  expect(namesOf(info)).toEqual(['one', 'two']);
});

it('what is cut remains as data', async () => {
  const io = fakeIo({ files: { 'a.packet': first.slice(0, -5) } });
  await main(['decode', 'a.packet', '-f', 'packet', '-t', 'json'], io);
  const { connless } = JSON.parse(io.stdout.text);
  expect(connless).toMatchObject({ server_name: 'server', players: [{ name: 'one', country: 276 }] });
  expect(connless.data).not.toBe('');
});

it('every text of an answer is shown without what a terminal would act on', async () => {
  const hostile = head.map((value, i) => (i === 0 ? value : `\u001b[31m\u202e${value}`));
  const answer = Uint8Array.from(connless('iext', ...texts(7, ...hostile), ...person('\u001b[2Jone', '')));
  for (const format of ['hexdump', 'table']) {
    const io = fakeIo({ files: { answer } });
    await main(['decode', 'answer', '-t', format], io);
    expect(io.stdout.text).toContain('server');
    expect(`${io.stdout.text}${io.stderr.text}`).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  }
});

it('a part that comes again counts once', () => {
  const infos = new ServerInfos();
  for (let i = 0; i < 3000; i++) expect(infos.add(Uint8Array.from(second))).toEqual([]);
  expect([...infos.rest()].map(namesOf)).toEqual([['two', 'three']]);
});

it('parts without an end take bounded memory', () => {
  const infos = new ServerInfos();
  for (let i = 1; i < 3000; i++) infos.add(connless('iex+', ...texts(7, i, ''), ...person('two', '')));
  expect([...infos.rest()].map(({ players }) => players.length)).toEqual([1024]);
});

const answerOf = (server: string, names: readonly string[]) => [
  connless(
    'iext',
    ...texts(7, ...head.map((entry) => (entry === 'server' ? server : entry))),
    ...person(names[0]!, ''),
  ),
  connless('iex+', ...texts(7, 1, ''), ...names.slice(1).flatMap((name) => person(name, ''))),
];
const [a, b] = [answerOf('A', ['a1', 'a2', 'a3']), answerOf('B', ['b1', 'b2', 'b3'])];
const client = { destination: '10.0.0.9', destinationPort: 50_000 };
const from = (source: string, sourcePort = 8303) => ({ source, sourcePort, ...client });

it.each([
  ['address', from('10.0.0.1'), from('10.0.0.2')],
  ['port', from('10.0.0.1'), from('10.0.0.1', 8304)],
  ['receiver', from('10.0.0.1'), { ...from('10.0.0.1'), destinationPort: 50_001 }],
])('two answers with one token are told apart by their %s', (_, first, second) => {
  const infos = new ServerInfos();
  const found = [
    [a[0]!, first],
    [b[0]!, second],
    [a[1]!, first],
    [b[1]!, second],
  ] as const;
  const answers = found.flatMap(([bytes, ends]) => infos.add(bytes, ends));
  expect(answers.map(({ fields, missing }) => [fields.server_name, missing])).toEqual([
    ['A', 0],
    ['B', 0],
  ]);
  expect(answers.map(namesOf)).toEqual([
    ['a1', 'a2', 'a3'],
    ['b1', 'b2', 'b3'],
  ]);
  expect([...infos.rest()]).toEqual([]);
});

it('a server that answers again with other contents begins another answer', () => {
  const infos = new ServerInfos();
  const ends = from('10.0.0.1');
  const answers = [a[0]!, b[0]!, b[1]!].flatMap((bytes) => infos.add(bytes, ends));
  expect(answers.map(({ fields, missing }) => [fields.server_name, missing])).toEqual([
    ['A', 2],
    ['B', 0],
  ]);
});

it('without addresses, nobody knows whose the other parts of two answers with one token are', () => {
  const infos = new ServerInfos();
  const answers = [a[0]!, b[0]!, a[1]!, b[1]!].flatMap((bytes) => infos.add(bytes));
  expect(answers.map(({ fields, missing }) => [fields.server_name, missing])).toEqual([
    ['A', 2],
    ['B', 2],
    [undefined, Infinity],
    [undefined, Infinity],
  ]);
});

it('without addresses, the parts for 64 players belong to the server that they name', () => {
  const infos = new ServerInfos();
  const part = (server: string, offset: number) =>
    connless(
      'dtsf',
      ...texts(5, '0.6.4', server, 'dm1', 'DM', 0, 2, 64, 2, 64),
      offset,
      ...person(`${server}${offset}`),
    );
  const answers = [part('A', 0), part('B', 0), part('B', 1), part('A', 1)].flatMap((bytes) => infos.add(bytes));
  expect(answers.map(namesOf)).toEqual([
    ['B0', 'B1'],
    ['A0', 'A1'],
  ]);
});

// str_toint of DDNet: strtol with base 10, a long of 64 bits, cut to an int.
it.each([
  ['0x1', 0],
  [' 1', 1],
  ['+1', 1],
  ['1a', 1],
  ['-7.5', -7],
  ['', 0],
  ['a', 0],
  ['+-1', 0],
  ['2147483648', -2147483648],
  ['9999999999', 1410065407],
  ['99999999999999999999', -1],
  ['-99999999999999999999', 0],
])('the games read a number in %j as %i', (text, value) => {
  const packet = file(new Array(10).fill(0xff), textBytes(`iex+${text}\0${text}\0\0`));
  const values = readConnless(packet, { version: '0.6' });
  expect(valueNamed(values, 'browse_token')).toBe(value);
  expect(valueNamed(values, 'part')).toBe(value);
});
