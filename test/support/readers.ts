import { DecodeError, type Diagnostic, type Warn } from '../../src/wire/bytes/diagnostic.ts';
import { unwrap } from '../../src/wire/payload/encoding-layers.ts';
import { type Kind, type Payload, readPayload } from '../../src/wire/payload/payload.ts';
import { protocolOf, type Version } from '../../src/wire/protocol/registry.ts';
import { Snapshot } from '../../src/wire/snapshot/snapshot.ts';

/** `00 03` as bytes. */
export function bytes(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/[0-9a-f]{2}/g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/**
 * The diagnostics of a reader in order: `overlong_varint 3` for a warning at 3, `error: truncated_varint 4` for the
 * error that ended reading.
 */
export function codesOf(read: (warn: Warn) => void): string[] {
  const reported: string[] = [];
  try {
    read((code, offset) => reported.push(`${code} ${offset}`));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    reported.push(`error: ${error.code} ${error.offset}`);
  }
  return reported;
}

/** The same with the arguments of each. */
export function diagnosticsInFull(read: (warn: Warn) => void): unknown[] {
  const reported: unknown[] = [];
  try {
    read((code, offset, args = {}) => reported.push([code, offset, args]));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    reported.push(['error', error.code, error.offset, error.args]);
  }
  return reported;
}

/** The diagnostics of a payload in the same form, with offsets in bytes. */
export function diagnosticsOf({ diagnostics }: Payload): string[] {
  const reported = ({ severity, code, offset }: Diagnostic) =>
    `${severity === 'error' ? 'error: ' : ''}${code} ${offset}`;
  return diagnostics.all.map(reported);
}

/** Sizes of a small protocol: type 1 has 2 ints, type 2 has 3, and all others send theirs. */
export const smallSizes = (type: number): number => [0, 2, 3][type] ?? 0;

export type Item = readonly [type: number, id: number, ...data: number[]];

/** `type << 16 | id`, as in a delta. */
export const key = (type: number, id: number): number => type * 0x10000 + id;

export function snapshotInts(...items: Item[]): Int32Array<ArrayBuffer> {
  const offsets: number[] = [];
  const data: number[] = [];
  for (const [type, id, ...ints] of items) {
    offsets.push(4 * data.length);
    data.push(key(type, id), ...ints);
  }
  return Int32Array.from([4 * data.length, items.length, ...offsets, ...data]);
}

export function snapshotOf(...items: Item[]): Snapshot {
  const snapshot = new Snapshot();
  const ints = snapshotInts(...items);
  snapshot.read(ints, ints.length, () => 0);
  return snapshot;
}

/** The items of a snapshot or delta in order. */
export function itemsOf(body: {
  readonly count: number;
  type(i: number): number;
  id(i: number): number;
  item(i: number): Int32Array;
}): number[][] {
  return Array.from({ length: body.count }, (_, i) => [body.type(i), body.id(i), ...body.item(i)]);
}

/** Ints as 32-bit little-endian bytes: int `i` is at byte `4 * i`. */
export function littleEndian(ints: ArrayLike<number>): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(4 * ints.length));
  for (let i = 0; i < ints.length; i++) view.setInt32(4 * i, ints[i]!, true);
  return new Uint8Array(view.buffer);
}

/** Reads ints as a payload, so that the diagnostics count bytes, four per int. */
export function payloadOfInts(ints: ArrayLike<number>, kind: Kind, version: Version = '0.6', base?: Snapshot): Payload {
  return readPayload(unwrap(littleEndian(ints), 'ints'), kind, protocolOf(version), base);
}
