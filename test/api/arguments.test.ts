import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  compress,
  createDelta,
  decompress,
  intsOfUuid,
  packInts,
  protocolOf,
  SnapshotBuilder,
  toHex,
  unpackInts,
  uuidOfInts,
  uuidOfName,
} from '../../src/api/codec.ts';
import { edited, Rename, Strip } from '../../src/api/edit.ts';
import {
  apply,
  build,
  checksum,
  columns,
  decode,
  diagnosticMessage,
  diff,
  encode,
  items,
  messageOf,
  readDemo,
  Snapshot,
  valueNames,
} from '../../src/api/index.ts';
import { observe, SnapshotReceiver, SnapshotSender, writeMessage } from '../../src/api/live.ts';
import { eventsOf, readMap, summaryOf } from '../../src/api/match.ts';
import { CaptureReplay, DemoReplay } from '../../src/api/unstable.ts';

const sample = (name: string) => new Uint8Array(readFileSync(join(import.meta.dirname, '../../samples', name)));

describe('a wrong argument', () => {
  it.each<[string, () => unknown, string]>([
    ['a version', () => protocolOf('0.8' as '0.7'), 'a protocol is one of 0.5, 0.6, 0.7, not 0.8'],
    [
      'an encoding',
      () => encode(new Snapshot(), 'zip' as 'ints'),
      `encode expects 'huffman', 'packed' or 'ints'; got the string "zip"`,
    ],
    ['bytes', () => decode('2d da' as never), 'decode expects a Uint8Array or an ArrayBuffer; got the string "2d da"'],
    ['no bytes', () => decode(undefined as never), 'decode expects a Uint8Array or an ArrayBuffer; got undefined'],
    [
      'a kind',
      () => decode(new Uint8Array(9), { kind: 'demo' as 'delta' }),
      'decode expects snapshot, delta, packet, message; got the string "demo"',
    ],
    [
      'NaN',
      () => new SnapshotBuilder().add(1, 0, [1, Number.NaN]),
      'an item consists of 32-bit ints; its int 1 is NaN',
    ],
    ['a fraction', () => new SnapshotBuilder().add(1, 0, [0.5]), 'an item consists of 32-bit ints; its int 0 is 0.5'],
    [
      'a large int',
      () => new SnapshotBuilder().add(1, 0, [2 ** 31]),
      'an item consists of 32-bit ints; its int 0 is 2147483648',
    ],
  ])('is a TypeError that says what was expected: %s', (_, call, message) => {
    expect(call).toThrow(new TypeError(message));
  });
});

it('the message of what decode throws is a sentence', () => {
  expect(() => decode(sample('first.packed').subarray(0, 20), { kind: 'delta', encoding: 'packed' })).toThrow(
    'byte 20: the delta ends before direction of obj_character 0 (read 6 of 22 fields, 1 of 3 items)',
  );
});

it('a base is asked for by the tick that a message names', () => {
  const asked: number[] = [];
  const base = (tick: number) => {
    asked.push(tick);
    return undefined;
  };
  const packet = sample('vanilla-dm1-tick9892.packet');
  const { messages } = decode(packet, { kind: 'packet', protocol: '0.7', base });
  const deltas = messages.filter(({ message }) => message.type?.name === 'snap_single');
  const value = (name: string) => deltas[0]!.message.values.find((value) => value.name === name)!.value as number;
  expect(new Set(asked)).toEqual(new Set([value('tick') - value('delta')]));
  const known = new Snapshot();
  const { messages: read } = decode(packet, { kind: 'packet', protocol: '0.7', base: () => known, partial: true });
  expect(read.some(({ delta }) => delta?.payload.base === known)).toBe(true);
});

it.each([
  ['demos', () => new DemoReplay(), 'vanilla-dm1.demo'],
  ['captures', () => new CaptureReplay(), 'ddnet-ipv6.pcap'],
])('what was fed and not asked for comes first from the next piece: %s', (_, open, name) => {
  const file = sample(name);
  const records = (replay: DemoReplay | CaptureReplay, first: boolean) => {
    const found: string[] = [];
    const half = replay.feed(file.subarray(0, 20_000));
    if (first) for (const { record } of half) found.push(record);
    for (const { record } of replay.feed(file.subarray(20_000))) found.push(record);
    for (const { record } of replay.finish()) found.push(record);
    return found.filter((record) => record !== 'map');
  };
  expect(records(open(), false)).toEqual(records(open(), true));
  expect(records(open(), true).length).toBeGreaterThan(400);
});

it('tw-snap/match: events, summary and map of a demo', async () => {
  const file = sample('vanilla-dm1.demo');
  const events = [...eventsOf(readDemo(file))].flatMap(({ events: list }) => list);
  // Each message is an event, also of the death by the game before a change of the team.
  const deaths = [...readDemo(file)].filter(
    (entry) => entry.record === 'message' && messageOf(entry.message).name === 'sv_killmsg',
  );
  expect(events.filter(({ what }) => what === 'kill').length).toBe(deaths.length);
  expect(summaryOf(file.slice().buffer)).toMatchObject({ format: 'demo', snapshots: 1369 });
  const pieces = [...readDemo(file)].flatMap((entry) => (entry.record === 'map' ? [...entry.piece] : []));
  const map = await readMap(Uint8Array.from(pieces));
  expect(map.layers[0]!.types.length).toBe(map.width * map.height);
  expect(map.layers[0]!.types).toContain(1);
  await expect(readMap(Uint8Array.of(1))).rejects.toThrow('not a map');
});

describe('what is no snapshot, delta, message or option is refused by name', () => {
  const snapshot = build('0.7').add('obj_character', 0, { x: 1 }).build();
  const delta = createDelta(snapshot, snapshot, '0.7');
  const say = writeMessage('0.6', 'cl_say', { team: 0, message: 'hi' });
  const demo = sample('vanilla-dm1.demo');
  it.each<[string, (...wrong: never[]) => unknown, unknown[]]>([
    ['encode expects', encode, []],
    ['apply expects', apply, [snapshot]],
    ['apply expects', apply, [snapshot, snapshot]],
    ['apply expects', apply, [undefined, delta]],
    ['checksum expects', checksum, [delta]],
    ['diff expects', diff, [snapshot, delta, '0.7']],
    ['a protocol is one of', diff, [snapshot, snapshot]],
    ['a protocol is one of', (body) => [...items(body, undefined as never)], [snapshot]],
    ['messageOf expects', messageOf, [say]],
    ['createDelta expects', createDelta, [snapshot]],
    ['a protocol is one of', createDelta, [snapshot, snapshot]],
    ['packInts expects', packInts, [[1, 2]]],
    ['unpackInts expects', unpackInts, [[1, 2]]],
    ['compress expects', compress, ['text']],
    ['has no field "wepon"', valueNames, ['0.7', 'obj_character', 'wepon']],
    ['no protocol has an item "obj_char"', valueNames, ['0.7', 'obj_char', 'x']],
    ['an item expects', (id) => new SnapshotBuilder().add(9, id, [1]), [1.5]],
    ['SnapshotReceiver expects', (bytes) => new SnapshotReceiver('0.6').add(bytes), [say]],
    ['acknowledge expects', (tick) => new SnapshotSender('0.6').acknowledge(tick), [Number.NaN]],
    ['send expects', (tick) => new SnapshotSender('0.7').send(tick, undefined as never), [5]],
    ['Strip: "sv_chatt" is neither', (words) => new Strip(words), [['sv_chatt']]],
    ['Strip expects', (words) => new Strip(words), ['chat']],
    ['Rename expects', (names) => new Rename(names), [{ a: 'b' }]],
    ['readDemo has no option "version"', readDemo, [demo, { version: '0.7' }]],
    ['columns has no option "palyer"', columns, [demo, 'obj_character', ['x'], { palyer: 0 }]],
    ['decode has no option "knd"', decode, [say, { knd: 'message' }]],
    ["encode expects 'extra' or 'none'", encode, [snapshot, 'huffman', 'one']],
    ['columns expects records, as `read` returns them; got the Uint8Array', columns, [demo, 'obj_character', ['x']]],
    ['toHex expects a Uint8Array', toHex, [Int32Array.of(300)]],
    ['uuidOfName expects a text', uuidOfName, [5]],
    ['intsOfUuid expects a UUID', intsOfUuid, ['76ce455b-f9eb']],
    ['observe has no option "schemas"', observe, [{ schemas: [] }]],
    ['protocolOf expects a Schema', protocolOf, ['0.6', 'my-schema.json']],
    ['diagnosticMessage expects a diagnostic', diagnosticMessage, []],
    ['diagnosticMessage expects a diagnostic', diagnosticMessage, [{ code: 'no_such_code', args: {} }]],
  ])('%s', (message, call, wrong) => {
    const called = () => call(...(wrong as never[]));
    expect(called).toThrow(TypeError);
    expect(called).toThrow(message);
  });

  it('Strip takes the groups of the command line', () => {
    const left = [...edited(readDemo(demo), new Strip(['chat']))];
    const names = left.flatMap((entry) => (entry.record === 'message' ? [messageOf(entry.message).name] : []));
    expect(names).not.toContain('sv_chat');
    expect(names).toContain('sv_killmsg');
  });
});

it('tw-snap/codec: a UUID is four ints, hex text ends where the bytes do', () => {
  const uuid = '76ce455b-f9eb-3a48-add7-e04b941d045c';
  expect(uuidOfInts([0, ...intsOfUuid(uuid)], 1)).toBe(uuid);
  expect(() => uuidOfInts(intsOfUuid(uuid), 1)).toThrow(RangeError);
  expect(toHex(Uint8Array.of(1, 2, 255), 1, 99)).toBe('02 ff');
});

it('tw-snap/codec packs and compresses without buffers', () => {
  // The second int of docs/ARCHITECTURE.md: 9b 13 is 1243, 40 is -1.
  expect([...packInts(Int32Array.of(1243, -1))]).toEqual([0x9b, 0x13, 0x40]);
  expect([...unpackInts(Uint8Array.of(0x9b, 0x13, 0x40))]).toEqual([1243, -1]);
  const huffman = sample('first.huff');
  const ints = unpackInts(decompress(huffman));
  expect([...ints.subarray(0, 6)]).toEqual([0, 3, 0, 6, 0, 0]);
  expect(decompress(compress(packInts(ints)))).toEqual(packInts(ints));
});
