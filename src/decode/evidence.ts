import type { IntBuffer } from '../bytes/buffers.ts';
import type { Code, Diagnostic } from '../bytes/diagnostic.ts';
import { codeLengths } from '../codec/huffman-tables.ts';
import type { Field } from '../protocol/item.ts';
import { type Meaning, plausibleBoundsOf } from '../protocol/meaning.ts';
import { Delta } from '../snapshot/delta.ts';
import { firstLocalType, KeyIndex, maxItems, maxSnapshotBytes, typeOf, uuidInts } from '../snapshot/key.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Diagnostics } from './diagnostics.ts';
import type { EncodingLayers } from './encoding-layers.ts';
import type { Payload } from './payload.ts';

/** The bits that a rule adds if it is satisfied, and those (negative) if it is broken. */
export type Rule = readonly [satisfied: number, broken: number];

/**
 * How strongly bytes support a reading: the bits that its rules save in describing the bytes, compared with random ones.
 *
 * The right reading satisfies its rules up to the end, or up to where the bytes are damaged or cut; bytes after damage are no
 * evidence for or against it. A wrong reading breaks its rules early. Therefore the sum counts up to its highest point, and rules
 * broken after that cost a fixed number of bits at most.
 *
 *     const evidence = new Evidence();
 *     evidence.add(savedInInt(count));
 *     evidence.test([2, -20], count <= maxItems);
 *     evidence.bits
 */
export class Evidence {
  #sum = 0;
  #best = 0;

  add(bits: number): void {
    this.#sum += bits;
    if (this.#sum > this.#best) this.#best = this.#sum;
  }

  test([satisfied, broken]: Rule, isSatisfied: boolean): void {
    this.add(isSatisfied ? satisfied : broken);
  }

  get bits(): number {
    return Math.max(this.#sum, this.#best - damagePenalty);
  }
}

/** Most inputs are undamaged: a damaged reading needs this many bits more. */
const damagePenalty = 10;

/** Bits by which these bytes are shorter in the games' Huffman code, which was made for their values. Negative for rare ones. */
export function savedInBytes(bytes: Uint8Array, start: number, end: number): number {
  let saved = 0;
  for (let at = start; at < end; at++) saved += 8 - codeLengths[bytes[at]!]!;
  return saved;
}

/** The same for a 32-bit int, which the games send as a varint: its first byte is ESDD DDDD, the others are EDDD DDDD. */
export function savedInInt(int: number): number {
  let rest = int < 0 ? ~int : int;
  const first = (rest > 0x3f ? 0x80 : 0) | (int < 0 ? 0x40 : 0) | (rest & 0x3f);
  let saved = 32 - codeLengths[first]!;
  for (rest >>>= 6; rest > 0; rest >>>= 7) saved -= codeLengths[(rest > 0x7f ? 0x80 : 0) | (rest & 0x7f)]!;
  return saved;
}

/** The evidence from the end of compressed bytes: the end symbol is rare in random bits, and even rarer at their end. */
export function endSymbolEvidence(codes: ReadonlySet<string>): number {
  if (codes.has('huffman_no_eof') || codes.has('huffman_output_full')) return -2;
  return codes.has('huffman_after_eof') ? -6 : 12;
}

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
  const { codes } = diagnostics;
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

type SavedInInts = (from: number, end: number) => number;

function savedInInts({ encoding, bytes, ints }: EncodingLayers): SavedInInts {
  if (encoding === 'huffman') return () => 0;
  if (encoding === 'packed')
    return (from, end) => savedInBytes(bytes, ints.offsets![from]!, ints.offsets![Math.min(end, ints.length)]!);
  return (from, end) => {
    let saved = 0;
    for (let i = from; i < Math.min(end, ints.length); i++) saved += savedInInt(ints.ints[i]!);
    return saved;
  };
}

/** The removed keys of a delta, filled again for each. */
const removed = new KeyIndex();

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
  removed.reset(delta.removedCount);
  for (let i = 0; i < delta.removedCount; i++) {
    const key = delta.removedKey(i);
    const isGood = removed.add(key, i) && isKnown(typeOf(key));
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

/** The penalty of each flaw of a reading. A clean reading has 0, one that uses none of its ints about 100. */
const cost = {
  unclaimed: 100,
  /** The input ends early: this is common, and everything before may be right. */
  cut: 30,
  /** The games refuse it. */
  refused: 150,
  warning: 25,
  empty: 20,
  onlyRemoved: 5,
  unknownItem: 10,
  badRegistration: 20,
  badId: 10,
  unregistered: 2,
  implausibleValue: 8,
  /** Bytes of 0.5 are rare today. */
  oldProtocol: 3,
} as const;

/** Errors that only mean that the input ends early. */
const cutCodes: ReadonlySet<Code> = new Set([
  ...(['huffman_no_eof', 'truncated_varint', 'ints_not_aligned', 'input_too_large'] as const),
  ...(['truncated_delta', 'truncated_snapshot', 'truncated_message', 'unterminated_string'] as const),
  ...(['truncated_packet', 'truncated_packet_chunk', 'missing_chunks'] as const),
]);

/** Codes whose penalty does not follow from their severity. */
const costOfCode: Readonly<Partial<Record<Code, number>>> = {
  unknown_control: 100,
  /** Such packets exist, but many short inputs look like one. */
  no_chunks: 60,
  chunks_in_control: 150,
  control_excess: 150,
};

/** The penalty of the errors and warnings of any reading. */
export function flawPenalty(errors: readonly Code[], warnings: readonly Code[]): number {
  const forError = (code: Code) => costOfCode[code] ?? (cutCodes.has(code) ? cost.cut : cost.refused);
  const forErrors = errors.reduce((sum, code) => sum + forError(code), 0);
  return warnings.reduce((sum, code) => sum + (costOfCode[code] ?? cost.warning), forErrors);
}

/** The same for diagnostics. A registration is normally missing in a delta without its base. */
export function diagnosticsPenalty({ error, otherErrors, warnings }: Diagnostics): number {
  const codesOf = (diagnostics: readonly Diagnostic[]) => diagnostics.map(({ code }) => code);
  const unexpected = codesOf(warnings).filter((code) => code !== 'missing_registration');
  return flawPenalty(codesOf(error ? [error, ...otherErrors] : []), unexpected);
}

/** A reading with at least this penalty is not accepted. */
export const implausible = 150;

/** How implausible a reading is; readings of the same bytes are compared by it. */
export function penaltyOf(payload: Payload): number {
  const { body, types, diagnostics, layers } = payload;
  const isDelta = body instanceof Delta;
  let penalty = diagnosticsPenalty(diagnostics) + (types.protocol.version === '0.5' ? cost.oldProtocol : 0);
  if (body.count === 0) penalty += isDelta && body.removedCount > 0 ? cost.onlyRemoved : cost.empty;

  let claimed = isDelta ? 3 + body.removedCount : 2 + body.count;
  for (let i = 0; i < body.count; i++) {
    const number = body.type(i);
    const type = types.of(number);
    const ints = body.item(i);
    const isRegistration = number === 0 && body.id(i) >= firstLocalType;
    if (number === 0 && (!isRegistration || ints.length !== uuidInts)) penalty += cost.badRegistration;
    if (number !== 0 && body.id(i) >= firstLocalType) penalty += cost.badId;
    if (type) penalty += cost.implausibleValue * countImplausible(ints, type.fields, isDelta);
    else if (number < firstLocalType) penalty += cost.unknownItem;
    else if (types.uuidOf(number) === undefined) penalty += isDelta ? cost.unregistered : cost.unknownItem;
    if (type || number >= firstLocalType) claimed += ints.length + (isDelta ? body.starts[i]! - body.start(i) : 1);
  }
  if (isDelta) {
    for (let i = 0; i < body.removedCount; i++) {
      const number = body.removedKey(i) >> 16;
      if (number < firstLocalType && !types.of(number)) penalty += cost.unknownItem;
    }
  }
  const length = Math.max(1, layers.ints.length);
  return penalty + (cost.unclaimed * Math.max(0, length - claimed)) / length;
}

export function countImplausible(ints: Int32Array, fields: readonly Field[], differences: boolean): number {
  let penalty = 0;
  for (const { meaning, at, ints: count } of fields) {
    for (let i = at; i < Math.min(at + count, ints.length); i++) {
      if (isImplausible(ints[i]!, meaning, differences)) penalty++;
    }
  }
  return penalty;
}

/** Whether a value is out of plausible bounds. A difference in a delta can be as large as the whole range, in either direction. */
function isImplausible(value: number, meaning: Meaning, mayBeDifference: boolean): boolean {
  const bounds = plausibleBoundsOf(meaning);
  if (!bounds || (value >= bounds.min && value <= bounds.max)) return false;
  return !mayBeDifference || Math.abs(value) > bounds.max - bounds.min;
}
