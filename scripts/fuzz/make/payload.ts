import { ByteBuffer } from '../../../src/wire/bytes/buffers.ts';
import { compress } from '../../../src/wire/codec/huffman.ts';
import { type Protocol, protocolOf, type Version } from '../../../src/wire/protocol/registry.ts';
import { intsOfText, intsOfUuid } from '../../../src/wire/protocol/texts.ts';
import { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { littleEndian, type Item as SnapshotItem, snapshotInts } from '../../../test/support/readers.ts';
import type { Random } from '../random.ts';
import { damaged, shuffled } from './bytes.ts';
import { untrustedText } from './text.ts';

export interface Item {
  readonly type: number;
  readonly id: number;
  readonly data: readonly number[];
}

/** A snapshot or delta as a list that can be changed. */
export interface Content {
  readonly kind: 'snapshot' | 'delta';
  readonly version: Version;
  readonly removed: readonly number[];
  readonly items: readonly Item[];
  /** The base of a delta. */
  readonly base?: Snapshot | undefined;
}

export type Encoding = 'huffman' | 'packed' | 'ints';

/** The bytes of a snapshot or delta, and their intended reading. */
export interface PayloadInput {
  readonly bytes: Uint8Array;
  readonly encoding: Encoding;
  readonly kind: Content['kind'];
  readonly version: Version;
  readonly base?: Snapshot | undefined;
}

const versions: readonly Version[] = ['0.5', '0.6', '0.7'];

/** A recorded payload with changed items, ints or bytes, or unchanged. */
export function makePayload(random: Random, contents: readonly Content[]): PayloadInput {
  let content = random.pickEarly(contents);
  if (!random.oneIn(8)) for (let left = random.few(); left > 0; left--) content = changed(random, content, contents);
  let ints = intsOf(content);
  if (random.oneIn(3)) ints = tampered(random, ints);
  const encoding = random.pick(['huffman', 'packed', 'ints'] as const);
  const bytes = encoded(random, ints, encoding);
  const { kind } = content;
  const version = random.oneIn(12) ? random.pick(versions) : content.version;
  const base = random.oneIn(3) ? undefined : random.oneIn(10) ? random.pick(contents).base : content.base;
  const held = base && random.oneIn(3) ? otherBase(random, base, content) : base;
  return { bytes, encoding, kind, version, base: kind === 'delta' ? held : undefined };
}

/** A base with repeated, missing, resized or invalid items, or with those that the delta contains. */
function otherBase(random: Random, base: Snapshot, { items, removed }: Content): Snapshot {
  let list = Array.from({ length: base.count }, (_, i): readonly [key: number, data: readonly number[]] => [
    base.keys[i]!,
    [...base.item(i)],
  ]);
  for (let left = random.few(); left > 0; left--) {
    const named = items.length > 0 ? random.pick(items) : undefined;
    const key = removed.length > 0 && random.oneIn(2) ? random.pick(removed) : random.oneIn(4) ? -1 : random.int();
    const others: typeof list = [[key, [random.int()]]];
    if (named)
      others.push([(named.type << 16) | named.id, named.data], [(named.type << 16) | named.id, [random.int()]]);
    list = shuffled(random, list, others);
  }
  list = list.slice(0, 1024);
  const snapshot = Snapshot.withRoom(
    list.length,
    list.reduce((sum, [, data]) => sum + data.length, 0),
  );
  for (const [key, data] of list) snapshot.data.set(data, snapshot.offsets[snapshot.append(key, data.length)]!);
  return snapshot;
}

/** The same content with one change. */
export function changed(random: Random, content: Content, others: readonly Content[]): Content {
  const { items, removed } = content;
  const at = random.below(items.length);
  const item = items[at];
  const withItem = (item: Item): Content => ({ ...content, items: items.with(at, item) });
  switch (random.below(9)) {
    case 0: {
      const other = random.pick(others);
      return { ...content, items: shuffled(random, items, other.items) };
    }
    case 1: {
      const { base } = content;
      const key = base && base.count > 0 && random.oneIn(2) ? base.keys[random.below(base.count)]! : random.int();
      return { ...content, removed: shuffled(random, removed, [key, key, (item?.type ?? 0) * 0x10000]) };
    }
    case 2:
      return { ...content, items: [registration(random, content), ...items] };
    default: {
      if (!item) return { ...content, items: [{ type: random.below(40), id: random.below(9), data: [random.int()] }] };
      return withItem(changedItem(random, item, content));
    }
  }
}

function changedItem(random: Random, item: Item, { version }: Content): Item {
  const { data } = item;
  const at = random.below(data.length);
  switch (random.below(8)) {
    case 0:
      return { ...item, type: random.oneIn(2) ? random.int() & 0xffff : 0x7fff - random.below(8) };
    case 1:
      return { ...item, id: random.oneIn(2) ? random.int() & 0xffff : random.below(64) };
    case 2:
      return { ...item, data: random.oneIn(2) ? data.slice(0, at) : [...data, random.int()] };
    case 3: {
      const text = intsOfText(untrustedText(random).slice(0, 11), 4);
      return text ? { ...item, data: [...data.slice(0, at), ...text, ...data.slice(at + 4)] } : item;
    }
    case 4: {
      // The item gets the size of another type, whose fields get these values.
      const other = random.pick(protocolOf(version).items);
      const type = other.type ?? item.type;
      return { ...item, type, data: Array.from({ length: other.size }, (_, i) => data[i] ?? random.int()) };
    }
    default:
      return data.length > 0 ? { ...item, data: data.with(at, random.int()) } : item;
  }
}

/** An item that registers the UUID of a local type. */
function registration(random: Random, { version }: Content): Item {
  const extended = protocolOf(version).items.filter(({ uuid }) => uuid !== undefined);
  const uuid = extended.length > 0 && !random.oneIn(4) ? random.pick(extended).uuid : undefined;
  const data = uuid ? [...intsOfUuid(uuid)] : Array.from({ length: 4 }, () => random.int());
  return { type: 0, id: 0x7fff - random.below(8), data };
}

/** The ints as sent. */
export function intsOf({ kind, items, removed, version }: Content, protocol: Protocol = protocolOf(version)): number[] {
  if (kind === 'delta') {
    const ints = [removed.length, items.length, 0, ...removed];
    for (const { type, id, data } of items) {
      ints.push(type, id);
      if (protocol.sizeOf(type) === 0) ints.push(data.length);
      ints.push(...data);
    }
    return ints;
  }
  return [...snapshotInts(...items.map(({ type, id, data }): SnapshotItem => [type, id, ...data]))];
}

/** Ints with wrong counts, sizes or offsets, or with the end missing. */
function tampered(random: Random, ints: readonly number[]): number[] {
  const copy = ints.slice();
  for (let left = random.few(); left > 0; left--) {
    const at = random.oneIn(2) ? random.below(Math.min(copy.length, 5)) : random.below(copy.length);
    const kind = random.below(6);
    if (kind === 0) copy.splice(at, random.few());
    else if (kind === 1) copy.splice(at, 0, random.int());
    else if (kind === 2) copy.length = at;
    else copy[at] = random.oneIn(2) ? random.int() : (copy[at] ?? 0) + random.pick([1, -1, 4, -4]);
  }
  return copy;
}

/** Ints as bytes, which are sometimes damaged before or after compression. */
export function encoded(random: Random, ints: readonly number[], encoding: Encoding): Uint8Array {
  let bytes = encoding === 'ints' ? littleEndian(ints) : packed(random, ints);
  if (random.oneIn(10)) bytes = damaged(random, bytes);
  if (encoding === 'huffman') bytes = compressed(random, bytes);
  return random.oneIn(6) ? damaged(random, bytes) : bytes;
}

export function compressed(random: Random, bytes: Uint8Array): Uint8Array {
  const out = new ByteBuffer();
  compress(bytes, 0, bytes.length, out, random.oneIn(2) ? 'extra' : 'none');
  return out.bytes.slice(0, out.length);
}

/** Varints, some of them longer than necessary or with padding. */
export function packed(random: Random, ints: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  const isSloppy = random.oneIn(8);
  for (const int of ints) {
    const value = int | 0;
    const sign = value < 0 ? 0x40 : 0;
    let rest = value < 0 ? ~value : value;
    const first = bytes.length;
    bytes.push(sign | (rest & 0x3f));
    rest >>>= 6;
    while (rest > 0 || (isSloppy && bytes.length - first < 5 && random.oneIn(40))) {
      bytes[bytes.length - 1]! |= 0x80;
      bytes.push(rest & 0x7f);
      rest >>>= 7;
    }
    if (isSloppy && bytes.length - first === 5 && random.oneIn(3)) bytes[bytes.length - 1]! |= random.byte() & 0xf0;
  }
  return Uint8Array.from(bytes);
}
