import type { IntBuffer } from '../bytes/buffers.ts';
import { Delta } from '../snapshot/delta.ts';
import { firstLocalType, maxItems, maxSnapshotBytes, typeOf, uuidInts } from '../snapshot/key.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { EncodingLayers } from './encoding-layers.ts';
import { Evidence, endSymbolEvidence, type Rule, savedInBytes, savedInInt } from './evidence.ts';
import type { Payload } from './payload.ts';
import { countImplausible, cutCodes } from './plausibility.ts';

/** The evidence of the rules of snapshots and deltas, beside the bits that their ints save. */
const rules = {
  /** A count of items, or a size in bytes, is possible. */
  count: [1, -20],
  /** The third int of a delta is 0. */
  zero: [1, -20],
  /** The size in the head of a snapshot is that of the ints after it. */
  dataSize: [8, 0],
  /** The offsets of a snapshot's items grow, from 0 on. */
  offset: [2, -10],
  /** The tables know the item, and no other item has its key. */
  knownItem: [2, -5],
  /** The items end at the last int. */
  end: [6, -8],
} as const satisfies Record<string, Rule>;

const worth = { registration: 8, implausibleValue: -5, cut: -6, refused: -10 } as const;

/** How strongly the bytes of a snapshot or delta support its reading, in bits. */
export function payloadEvidence(payload: Payload): number {
  const { layers, body, diagnostics, types } = payload;
  const evidence = new Evidence();
  const codes = new Set(diagnostics.all.map(({ code }) => code));
  const saved = savedInInts(layers);
  if (layers.bits) evidence.add(endSymbolEvidence(codes));
  const isKnown = (type: number) => type > 0 && (types.of(type) !== undefined || type >= firstLocalType);
  if (body instanceof Delta) addDeltaHead(evidence, body, layers.ints, saved, isKnown);
  else addSnapshotHead(evidence, layers.ints, saved);
  addItems(evidence, payload, saved, isKnown);
  const { error } = diagnostics;
  if (!error) evidence.test(rules.end, !codes.has('excess_ints'));
  else evidence.add(cutCodes.has(error.code) ? worth.cut : worth.refused);
  return evidence.bits;
}

/** The bits that the ints from one index up to another save. */
type SavedInInts = (from: number, end: number) => number;

function savedInInts({ encoding, bytes, ints }: EncodingLayers): SavedInInts {
  switch (encoding) {
    case 'huffman':
      return () => 0;
    case 'packed':
      return (from, end) => savedInBytes(bytes, ints.offsets![from]!, ints.offsets![Math.min(end, ints.length)]!);
    default:
      return (from, end) => {
        let saved = 0;
        for (let i = from; i < Math.min(end, ints.length); i++) saved += savedInInt(ints.ints[i]!);
        return saved;
      };
  }
}

/** `num_removed num_item_deltas _zero  removed_key[num_removed]` */
function addDeltaHead(
  evidence: Evidence,
  delta: Delta,
  { ints, length }: IntBuffer,
  saved: SavedInInts,
  isKnown: (type: number) => boolean,
): void {
  for (let i = 0; i < Math.min(length, 3); i++) {
    evidence.add(saved(i, i + 1));
    if (i < 2) evidence.test(rules.count, ints[i]! >= 0 && ints[i]! <= maxItems);
    else evidence.test(rules.zero, ints[i] === 0);
  }
  const knownKeys = new Set<number>();
  for (let i = 0; i < delta.removedCount; i++) {
    const key = delta.removedKey(i);
    const isGood = isKnown(typeOf(key)) && !knownKeys.has(key);
    knownKeys.add(key);
    if (isGood) evidence.add(saved(3 + i, 4 + i));
    evidence.test(rules.knownItem, isGood);
  }
}

/** `data_size num_items  offset[num_items]` */
function addSnapshotHead(evidence: Evidence, { ints, length }: IntBuffer, saved: SavedInInts): void {
  if (length < 2) return;
  const [size, count] = [ints[0]!, ints[1]!];
  evidence.add(saved(0, 1));
  evidence.test(rules.count, size >= 0 && size <= maxSnapshotBytes && size % 4 === 0);
  evidence.add(saved(1, 2));
  // Each item has at least its key, and without items there is no data.
  evidence.test(rules.count, count >= 0 && count <= maxItems && size >= 4 * count && (count > 0 || size === 0));
  evidence.test(rules.dataSize, size > 0 && size === 4 * (length - 2 - count));
  for (let i = 2, before = -4; i < Math.min(length, 2 + count); i++) {
    const offset = ints[i]!;
    const isGood = offset % 4 === 0 && (i === 2 ? offset === 0 : offset > before);
    if (isGood) evidence.add(saved(i, i + 1));
    evidence.test(rules.offset, isGood);
    if (!isGood) return;
    before = offset;
  }
}

function addItems(
  evidence: Evidence,
  { body, types }: Payload,
  saved: SavedInInts,
  isKnown: (type: number) => boolean,
): void {
  for (let i = 0; i < body.count; i++) {
    const type = body.type(i);
    const values = body.item(i);
    if (type === 0 && body.id(i) >= firstLocalType && values.length === uuidInts) {
      evidence.add(worth.registration);
      continue;
    }
    if (isKnown(type)) {
      const implausible = countImplausible(values, types.of(type)?.fields ?? [], body instanceof Delta);
      evidence.add(saved(body.start(i), endOfItem(body, i)) + worth.implausibleValue * implausible);
    }
    evidence.test(rules.knownItem, isKnown(type));
  }
}

/** The int after an item. In a snapshot the key precedes the values; in a delta the type, the id, and for some types the size. */
function endOfItem(body: Snapshot | Delta, i: number): number {
  return (body instanceof Delta ? body.starts[i]! : body.start(i) + 1) + body.item(i).length;
}
