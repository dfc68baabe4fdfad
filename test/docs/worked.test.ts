import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Decoded, decode } from '../../src/api/index.ts';
import type { CaptureFrame } from '../../src/recording/container/capture/capture-frame.ts';
import { NetlogReader } from '../../src/recording/container/capture/netlog-frames.ts';
import { ChunkHead } from '../../src/recording/container/demo/chunk.ts';
import { GhostReplay } from '../../src/recording/demo/ghost-replay.ts';
import { ByteBuffer, IntBuffer } from '../../src/wire/bytes/buffers.ts';
import { DecodeError } from '../../src/wire/bytes/diagnostic.ts';
import { decompress } from '../../src/wire/codec/huffman.ts';
import { bytesOfInts } from '../../src/wire/codec/int32.ts';
import { unpackInts } from '../../src/wire/codec/varint.ts';
import { messageFields, readMessage } from '../../src/wire/packet/message.ts';
import { controlsOf, flagsOf, type PacketVersion, readPacket } from '../../src/wire/packet/packet.ts';
import { protocolOf, type Version } from '../../src/wire/protocol/registry.ts';
import { intsOfUuid, textOfInts, uuidOfName } from '../../src/wire/protocol/texts.ts';
import { SnapshotBuilder } from '../../src/wire/snapshot/builder.ts';
import { fieldValues } from '../../src/wire/snapshot/item-fields.ts';
import type { Snapshot } from '../../src/wire/snapshot/snapshot.ts';

/*
 * A block `worked KIND` in docs/formats is an example: what is before `=` is given, what follows it results. Here each
 * KIND is computed by the library. The results in the pages are from arithmetic or from the games' recordings, never
 * from the library.
 */

const folder = join(import.meta.dirname, '../../docs/formats');
const root = join(import.meta.dirname, '../..');
const read = (file: string) => new Uint8Array(readFileSync(join(root, file)));
const pages = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);

/** These pages are lists: of fields, numbers, or what is said elsewhere. */
const lists = ['expected.md', 'item-tables.md', 'limits.md', 'message-tables.md', 'tolerated.md'];

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '');

/** The bytes at the beginning of each line; a remark may follow after two spaces or more. */
const bytesOf = (hex: string) =>
  Uint8Array.from(
    hex.split('\n').flatMap((line) => wordsOf(/^\s*(?:[\da-f]{2}(?: {1,2}|$))*/.exec(line)![0])),
    (byte) => Number.parseInt(byte, 16),
  );
const hexOf = (bytes: Iterable<number>) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
const intsOf = (text: string) =>
  Int32Array.from(wordsOf(text), (word) => {
    expect(word).toMatch(/^-?\d+$/);
    return Number(word);
  });
const fieldsText = (fields: object) =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

function unpacked(bytes: Uint8Array, codes: string[] = []) {
  const ints = new IntBuffer();
  unpackInts(bytes, 0, bytes.length, ints, (code) => codes.push(code));
  return ints.ints.slice(0, ints.length);
}

function listOf(ints: IntBuffer['ints']): IntBuffer {
  const list = new IntBuffer();
  list.ints = ints;
  list.length = ints.length;
  return list;
}

function decompressed(bytes: Uint8Array): Uint8Array {
  const out = new ByteBuffer();
  decompress(bytes, 0, bytes.length, out, () => {}, 1 << 16);
  return out.bytes.slice(0, out.length);
}

function messageText(bytes: Uint8Array, version: string, padded = false): string {
  const message = readMessage(bytes, 0, bytes.length, version as Version, { padded });
  const { type, system, id, uuid } = message;
  if (!type) return `unknown ${system ? 'system' : 'game'} message ${uuid ?? id}`;
  return `${type.name} ${fieldsText(messageFields(message, hexOf))}`.trim();
}

function packetText(bytes: Uint8Array, version: string): string {
  const packet = readPacket(bytes, version as PacketVersion, () => {});
  const chunks = packet.chunks.map(({ vital, sequence, start, end }) => {
    const kind = vital ? `vital ${sequence}` : 'not vital';
    return `${kind}: ${messageText(packet.payload.subarray(start, end), version)}`;
  });
  const token = packet.token?.toString(16).padStart(8, '0');
  return [
    ...flagsOf(packet),
    `ack ${packet.ack}`,
    ...(token === undefined ? [] : [`token ${token}`]),
    ...(packet.control === undefined ? [] : [controlsOf(packet.version)[packet.control]!]),
    ...chunks,
  ].join('; ');
}

/** `TYPE ID: INTS` for each item. */
function snapshotOf(text: string): Snapshot {
  const builder = new SnapshotBuilder();
  for (const item of text.split(';')) {
    const [key = '', data = ''] = item.split(':');
    const [type = 0, id = 0] = intsOf(key);
    if (key.trim() !== '') builder.add(type, id, intsOf(data));
  }
  return builder.build();
}

function snapshotText(snapshot: Snapshot): string {
  const items = Array.from(
    { length: snapshot.count },
    (_, i) => `${snapshot.type(i)} ${snapshot.id(i)}: ${snapshot.item(i).join(' ')}`,
  );
  return [...items, `checksum ${snapshot.checksum()}`].join('; ');
}

/** A whole snapshot of these ints: its items and checksum, and the codes of what is odd in it. */
function wholeSnapshot(text: string, version: string): string {
  const options = { encoding: 'ints', kind: 'snapshot', protocol: version as Version, partial: true } as const;
  const decoded = decode(bytesOfInts(listOf(intsOf(text))), options);
  const codes = decoded.diagnostics.map(({ code }) => code);
  return [snapshotText((decoded as Decoded & { kind: 'snapshot' }).snapshot), ...codes].join('; ');
}

/** `base | delta`, both as they are written in the pages. */
function applied(text: string, version: string): string {
  const [base = '', delta = ''] = text.split('|');
  const options = { encoding: 'packed', kind: 'delta', protocol: version as Version, base: snapshotOf(base) } as const;
  const decoded = decode(bytesOf(delta.split('=')[0]!), options);
  return snapshotText((decoded as Decoded & { kind: 'delta' }).snapshot!);
}

/** `FIELD OLD + DIFFERENCE` of an item, in a recorded snapshot and the delta after it. */
function recordedDifference(text: string, version: string, type: string, id: string, base: string, delta: string) {
  const protocol = protocolOf(version as Version);
  const options = { protocol: version as Version };
  const old = decode(read(base), { ...options, kind: 'snapshot' }) as Decoded & { kind: 'snapshot' };
  const now = decode(read(delta), { ...options, kind: 'delta', base: old.snapshot }) as Decoded & { kind: 'delta' };
  const at = (snapshot: Snapshot) => snapshot.item(snapshot.find(Number(type), Number(id)));
  const fields = (ints: Int32Array) => fieldValues(protocol.byType(Number(type))!.fields, ints);
  const sent = now.delta.item(now.delta.keys.indexOf((Number(type) << 16) | Number(id)));
  const [name = '', , sign, amount] = wordsOf(text);
  expect(Number(`${sign}${amount}`), text).toBe(fields(sent)[name]);
  expect(text.trim().replaceAll(/ +/g, ' ')).toBe(`${name} ${fields(at(old.snapshot))[name]} ${sign} ${amount}`);
  return String(fields(at(now.snapshot!))[name]);
}

function ticksText(bytes: Uint8Array, version: string): string {
  const head = new ChunkHead();
  const found: string[] = [];
  let tick = 0;
  for (let at = 0; at < bytes.length; at += head.headSize) {
    if (!head.read(bytes, at, bytes.length, Number(version))) return `${found.join('; ')}; cut`;
    if (head.kind === 'tick') {
      tick = head.absolute ? head.tick : tick + head.tick;
      found.push(head.keyframe ? `keyframe ${tick}` : `tick ${tick}`);
    } else found.push(`${head.kind}, ${head.size} bytes`);
  }
  return found.join('; ');
}

function ghostText(bytes: Uint8Array): string {
  const replay = new GhostReplay();
  const characters: string[] = [];
  for (const entry of [...replay.feed(bytes), ...replay.finish()]) {
    if (entry.record !== 'snapshot') continue;
    const [x, y] = entry.snapshot!.item(0);
    characters.push(`tick ${entry.tick}: ${x} ${y}`);
  }
  return characters.join('; ');
}

function netlogText(bytes: Uint8Array): string {
  const found: string[] = [];
  const reader = new NetlogReader();
  // The frame is reused.
  const add = ({ kind, start, end }: CaptureFrame) =>
    found.push(`${kind === 'datagram' ? 'packet' : 'payload'}: ${end - start} B`);
  for (const frame of reader.feed(bytes)) add(frame);
  for (const frame of reader.finish()) add(frame);
  return found.join('; ');
}

const kinds: Readonly<Record<string, (given: string, ...rest: string[]) => string>> = {
  varint: (hex) => {
    const codes: string[] = [];
    return [unpacked(bytesOf(hex), codes).join(' '), ...codes].join(' ');
  },
  huffman: (hex) => hexOf(decompressed(bytesOf(hex))),
  packet: (hex, version = '') => packetText(bytesOf(hex), version),
  message: (hex, version = '') => messageText(bytesOf(hex), version),
  'demo-message': (hex, version = '') => {
    const ints = unpacked(decompressed(bytesOf(hex)));
    return messageText(bytesOfInts(listOf(ints)), version, true);
  },
  item: (ints, version = '', type = '') =>
    fieldsText(fieldValues(protocolOf(version as Version).byType(Number(type))!.fields, intsOf(ints))),
  'uuid-item': (ints, version = '', uuidName = '') =>
    fieldsText(
      fieldValues(
        protocolOf(version as Version).items.find((item) => item.uuid === uuidOfName(uuidName))!.fields,
        intsOf(ints),
      ),
    ),
  text: (hex) => {
    const ints = bytesOf(hex);
    const view = new DataView(ints.buffer);
    const list = Array.from({ length: ints.length / 4 }, (_, i) => view.getInt32(4 * i));
    return `"${textOfInts(list, 0, list.length)}"`;
  },
  uuid: (name) => {
    const uuid = uuidOfName(name.trim());
    return `${uuid} ${Array.from(intsOfUuid(uuid), (int) => (int >>> 0).toString(16).padStart(8, '0')).join(' ')}`;
  },
  snapshot: wholeSnapshot,
  apply: applied,
  difference: recordedDifference,
  ticks: (hex, version = '') => ticksText(bytesOf(hex), version),
  ghost: (hex) => ghostText(bytesOf(hex)),
  netlog: (hex) => netlogText(bytesOf(hex)),
};

const oneLine = (text: string) => text.trim().replaceAll(/\s+/g, ' ');

const worked = pages.flatMap(([page, text]) =>
  [...text.matchAll(/^ *```worked (\S+)([^\n]*)\n([\s\S]*?)^ *```$/gm)].map(
    ([, kind, options, body]) => [page, kind!, options!.trim(), body!] as const,
  ),
);

it.each(worked)('%s: computes what it says of %s %s', (_page, kind, options, body) => {
  let given = '';
  let results = 0;
  for (const line of body.trimEnd().split('\n')) {
    const at = line.indexOf('=');
    given += `${at < 0 ? line : line.slice(0, at)}\n`;
    if (at < 0) continue;
    expect(oneLine(kinds[kind]!(given, ...wordsOf(options))), given).toBe(oneLine(line.slice(at + 1)));
    given = '';
    results++;
  }
  expect(given.trim(), 'every example has a result').toBe('');
  expect(results).toBeGreaterThan(0);
});

const rulers = pages.flatMap(([page, text]) =>
  [...text.matchAll(/^```bits\n([\s\S]*?)^```$/gm)].map(([, ruler]) => [page, ruler!.trimEnd()] as const),
);

it.each(rulers)('%s: a bar of a ruler stands between two corners:\n%s', (_page, ruler) => {
  const lines = ruler.split('\n');
  lines.forEach((line, i) => {
    if (!line.includes('|')) return;
    const [above, below] = [lines[i - 1], lines[i + 1]];
    for (let column = 0; column < line.length; column++) {
      if (line[column] === '|') expect([above?.[column], below?.[column]], line).toEqual(['+', '+']);
    }
    expect([above?.length, below?.length], line).toEqual([line.length, line.length]);
  });
});

it('every page has an example and a ruler, unless it is a list', () => {
  const have = (rows: readonly (readonly [string, ...unknown[]])[]) => new Set(rows.map(([page]) => page));
  const all = pages.map(([page]) => page);
  expect(all.filter((page) => !have(worked).has(page))).toEqual(lists);
  expect(all.filter((page) => !have(rulers).has(page))).toEqual(
    [...lists, 'readers.md'].filter((page) => all.includes(page)).sort(),
  );
});

// The examples would prove nothing if a kind accepted everything.
it('a wrong result of an example is seen', () => {
  expect(kinds.varint!('9b 13')).toBe('1243');
  expect(() => kinds.varint!('9b')).toThrow(DecodeError);
});
