import type { IntBuffer } from '../bytes/buffers.ts';
import type { Code } from '../bytes/diagnostic.ts';
import { codeLengths } from '../codec/huffman-tables.ts';
import type { Field } from '../protocol/item.ts';
import { type Meaning, plausibleBoundsOf } from '../protocol/meaning.ts';
import { Delta } from '../snapshot/delta.ts';
import { firstLocalType, KeyIndex, maxItems, maxSnapshotBytes, typeOf, uuidInts } from '../snapshot/key.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { EncodingLayers } from './encoding-layers.ts';
import type { Payload } from './payload.ts';

/** The bits that a rule adds if it is satisfied, and those (negative) if it is broken. */
type Rule = readonly [satisfied: number, broken: number];

/**
 * What decides among readings, in bits.
 *
 * Measured are only the bits that bytes and ints save: the lengths of the games' Huffman code, which was made from
 * their packets. All numbers in `limits`, `rules` and `worth` are set by reason: how many bits random bytes would have
 * to have right by chance, and for broken rules how rarely a whole input breaks them. `scripts/recognition` shows what
 * a change of one of them does, right, in doubt or wrong, on recordings.
 */
export const limits = {
  /** Readings that are no further apart are both shown. More: fewer wrong ones, and more in doubt. */
  close: 5,
  /** The same for a reading that has a flaw but ends without an error. */
  closeDamaged: 25,
  /**
   * A snapshot or delta without a flaw and with this much evidence is not compared with packets and messages, which
   * need not be loaded then. Packed ints look alike wherever one begins to read; Huffman codes do not.
   */
  sure: { huffman: 20, packed: 60, ints: 60, json: 0 },
  /** Damaged bytes with less are not read as anything: of random bytes 98 in 100 have less. */
  enough: -1.5,
  /**
   * What any damage costs at most: beyond it, broken rules say nothing more. Therefore a reading without a flaw does
   * not beat that in the other version by more than this.
   */
  damage: 10,
} as const;

/** What the rules are worth. A satisfied rule saves the bits by which random bytes satisfy it less often. */
export const rules = {
  /** A count of items, or a size in bytes, is possible. */
  count: [1, -20],
  /** The third int of a delta is 0. */
  zero: [1, -20],
  /** The size in the head of a snapshot is that of the ints after it. */
  dataSize: [8, 0],
  /** The offsets of a snapshot's items grow, from 0 on. */
  offset: [2, -10],
  /** The tables know the item and its size, and no other item has its key. */
  knownItem: [2, -5],
  /** The items end at the last int. */
  end: [6, -8],
  unusedBits: [2, -8],
  /** Flags that go together. */
  flags: [1.5, -8],
  controlWithoutChunks: [8, -12],
  controlCode: [5, -8],
  controlContents: [4, -6],
  /** `ff ff ff ff` before the name of a connectionless message. */
  connlessMarker: [32, -8],
  connlessName: [4, -4],
  /** The bits beside the size in the head of a chunk that is not vital. */
  unusedChunkBits06: [4, -6],
  unusedChunkBits07: [2, -6],
  knownMessage: [2.5, -5],
  /** A message ends with its chunk, and has no error. */
  completeMessage: [4, -10],
  /** The size of data in a message is that of the bytes after it. */
  dataInMessage: [9, 0],
  /** The header has the right number of chunks, and the last one ends with the packet. */
  allChunks: [8, -8],
} as const satisfies Record<string, Rule>;

/** What single observations are worth. */
export const worth = {
  registration: 8,
  implausibleValue: -5,
  cut: -6,
  cutHeader: -3,
  refused: -10,
  /** Bytes of 0.5 are rare today. */
  oldProtocol: -8,
  /** Nothing in it says that it is a snapshot or delta. */
  empty: -6,
  /** Most packets are compressed, or have no flag at all. */
  usualFlags: 2,
  connlessMark: { ff: 48, xe: 16, '0.7': 8, none: -8 },
  /** Four bytes ff where a token would be: the sender has none yet. */
  noToken: 24,
  maxZeros: 40,
  fewChunks: 5,
  someChunks: 1,
  manyChunks: -6,
  noChunks: -12,
  /** The number of chunks, which is one byte, is that of the chunks that are there less 256. */
  wrappedChunks: 100,
  /** Bots acknowledge with packets that have a header and a token. */
  onlyToken: 2,
  /** 16 bytes are a UUID of the tables, which the bits of these bytes say less well. */
  knownUuid: 100,
  emptyChunk: -6,
  /** Each byte of a text, and each character that no text has. */
  character: 2,
  noCharacter: -6,
  token: 4,
  minDelta: -10,
  /** The packet is the content of a UDP datagram whose headers precede it. */
  datagram: 60,
} as const;

/**
 * How strongly bytes support a reading: the bits that its rules save in describing the bytes, compared with random
 * ones.
 *
 * The right reading satisfies its rules up to the end, or up to where the bytes are damaged or cut; bytes after damage
 * are no evidence for or against it. A wrong reading breaks its rules early. Therefore the sum counts up to its highest
 * point, and rules broken after that cost a fixed number of bits at most.
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
    return Math.max(this.#sum, this.#best - limits.damage);
  }
}

/**
 * Bits by which these bytes are shorter in the games' Huffman code, which was made for their values. Negative for rare
 * ones.
 */
export function savedInBytes(bytes: Uint8Array, start: number, end: number): number {
  let saved = 0;
  for (let at = start; at < end; at++) saved += 8 - codeLengths[bytes[at]!]!;
  return saved;
}

/**
 * The same for a 32-bit int, which the games send as a varint: its first byte is ESDD DDDD, the others are EDDD DDDD.
 */
function savedInInt(int: number): number {
  let rest = int < 0 ? ~int : int;
  const first = (rest > 0x3f ? 0x80 : 0) | (int < 0 ? 0x40 : 0) | (rest & 0x3f);
  let saved = 32 - codeLengths[first]!;
  for (rest >>>= 6; rest > 0; rest >>>= 7) saved -= codeLengths[(rest > 0x7f ? 0x80 : 0) | (rest & 0x7f)]!;
  return saved;
}

/**
 * The evidence from the end of compressed bytes: the end symbol is rare in random bits, and even rarer at their end.
 */
export function endSymbolEvidence(codes: ReadonlySet<string>): number {
  if (codes.has('huffman_no_eof') || codes.has('huffman_output_full')) return -2;
  return codes.has('huffman_after_eof') ? -6 : 12;
}

/** How strongly the bytes of a snapshot or delta support its reading, in bits. */
export function payloadEvidence(payload: Payload): number {
  const { layers, body, diagnostics, types } = payload;
  const evidence = new Evidence();
  const { codes } = diagnostics;
  const saved = savedInInts(layers);
  if (layers.bits) evidence.add(endSymbolEvidence(codes));
  const isKnown = (type: number) => type > 0 && (types.of(type) !== undefined || type >= firstLocalType);
  if (body instanceof Delta) addDeltaHead(evidence, body, layers.ints, saved, isKnown);
  else addSnapshotHead(evidence, layers, saved);
  addItems(evidence, payload, saved, isKnown);
  if (types.protocol.version === '0.5') evidence.add(worth.oldProtocol);
  if (body.count === 0 && !(body instanceof Delta && body.removedCount > 0)) evidence.add(worth.empty);
  const { error } = diagnostics;
  if (!error) evidence.test(rules.end, !codes.has('excess_ints'));
  else evidence.add(cutCodes.has(error.code) ? worth.cut : worth.refused);
  return evidence.bits;
}

/** Errors that only mean that the input ends early. */
export const cutCodes: ReadonlySet<Code> = new Set([
  ...(['huffman_no_eof', 'truncated_varint', 'ints_not_aligned', 'input_too_large'] as const),
  ...(['truncated_delta', 'truncated_snapshot', 'truncated_message', 'unterminated_string'] as const),
  ...(['truncated_packet', 'truncated_packet_chunk', 'missing_chunks'] as const),
]);

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
function addSnapshotHead(evidence: Evidence, layers: EncodingLayers, saved: SavedInInts): void {
  const { ints, length } = layers.ints;
  if (length < 2) return;
  const size = ints[0]!;
  const count = ints[1]!;
  // A snapshot as it is in memory may have bytes after its last int.
  const bytes = layers.encoding === 'ints' ? layers.bytes.length : 4 * length;
  const isWhole = size > 0 && size === bytes - 4 * (2 + count);
  evidence.add(saved(0, 1));
  evidence.test(rules.count, size >= 0 && size <= maxSnapshotBytes && (size % 4 === 0 || isWhole));
  evidence.add(saved(1, 2));
  // Each item has at least its key, and without items there is no data.
  evidence.test(rules.count, count >= 0 && count <= maxItems && size >= 4 * count && (count > 0 || size === 0));
  evidence.test(rules.dataSize, isWhole);
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
  { body, types, diagnostics }: Payload,
  saved: SavedInInts,
  isKnown: (type: number) => boolean,
): void {
  // The size of an item in a delta is that of the tables, if these have one; the last item may be cut.
  const whole = body instanceof Delta ? 0 : body.count - (diagnostics.error ? 1 : 0);
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
    const size = i < whole ? types.protocol.sizeOf(type) : 0;
    evidence.test(rules.knownItem, isKnown(type) && (size === 0 || size === values.length));
  }
}

/**
 * The int after an item. In a snapshot the key precedes the values; in a delta the type, the id, and for some types the
 * size.
 */
function endOfItem(body: Snapshot | Delta, i: number): number {
  return (body instanceof Delta ? body.starts[i]! : body.start(i) + 1) + body.item(i).length;
}

/**
 * How strongly bytes support a reading. The order of proof: a checksum that matches decides; a reading without a flaw
 * beats all with one; then bits of evidence.
 */
export interface Weighed {
  /** An announced checksum is that of what was read: 32 bits that no wrong reading has by chance. */
  readonly isProven: boolean;
  /**
   * No error and no warning, every number is in the tables, every value one that the games accept, and it ends at the
   * last byte.
   */
  readonly isFlawless: boolean;
  readonly evidence: number;
}

/** Sorts readings of the same bytes, the best one first. */
export const byProof = (a: Weighed, b: Weighed): number =>
  Number(b.isProven) - Number(a.isProven) || Number(b.isFlawless) - Number(a.isFlawless) || b.evidence - a.evidence;

/**
 * What differs only in the version; a `snapshot` has the sizes of its items, which tell the versions apart although it
 * is damaged.
 */
export type Alike = 'snapshot' | 'other' | undefined;

/**
 * Whether a reading may well be right although another one is better.
 * @param fails whether the better one ends with an error: then nobody takes it for whole
 * @param alsoFails whether the other one does; not of packets, which if cut may well look like a whole something else
 */
export function isInDoubt(best: Weighed, other: Weighed, alike: Alike, fails: boolean, alsoFails = false): boolean {
  if (best.isProven !== other.isProven) return false;
  const lead = best.evidence - other.evidence;
  if (other.isFlawless || fails || (alike === 'snapshot' && !best.isFlawless)) return lead < limits.close;
  // Damage more often happens to make sense in the other version than as something else.
  if (alike) return !best.isFlawless || lead <= limits.damage;
  if (alsoFails) return lead < limits.close;
  return other.evidence >= limits.enough && lead <= (best.isFlawless ? limits.damage : limits.closeDamaged);
}

/**
 * Whether no game sends bytes with this warning. Bots acknowledge with packets without chunks, Teeworlds up to 0.6.4 and
 * DDNet up to 19.3 compress a close with a reason; and if a removed item is not in the base, the base may be another one.
 */
export const isDamage = (code: Code): boolean =>
  !/^(missing_registration|unknown_removed|wrong_checksum|no_chunks|compressed_control)$/.test(code);

/** Whether a snapshot or delta has no flaw. A registration is normally missing in a delta without its base. */
export function isFlawlessPayload({ body, types, diagnostics }: Payload): boolean {
  const { error, warnings } = diagnostics;
  if (error || warnings.some(({ code }) => isDamage(code))) return false;
  const isDelta = body instanceof Delta;
  for (let i = 0; i < body.count; i++) {
    const number = body.type(i);
    const ints = body.item(i);
    const isRegistration = number === 0 && body.id(i) >= firstLocalType && ints.length === uuidInts;
    const type = types.of(number);
    const isLocal = isDelta ? number >= firstLocalType : types.uuidOf(number) !== undefined;
    if (!isRegistration && (number === 0 || body.id(i) >= firstLocalType || (!type && !isLocal))) return false;
    if (type && countImplausible(ints, type.fields, isDelta) > 0) return false;
  }
  if (!isDelta) return true;
  for (let i = 0; i < body.removedCount; i++) {
    const number = typeOf(body.removedKey(i));
    if (number < firstLocalType && !types.of(number)) return false;
  }
  return true;
}

function countImplausible(ints: Int32Array, fields: readonly Field[], differences: boolean): number {
  let penalty = 0;
  for (const { meaning, at, ints: count } of fields) {
    for (let i = at; i < Math.min(at + count, ints.length); i++) {
      if (isImplausible(ints[i]!, meaning, differences)) penalty++;
    }
  }
  return penalty;
}

/**
 * Whether a value is out of plausible bounds. A difference in a delta can be as large as the whole range, in either
 * direction.
 */
export function isImplausible(value: number, meaning: Meaning, mayBeDifference: boolean): boolean {
  const bounds = plausibleBoundsOf(meaning);
  if (!bounds || (value >= bounds.min && value <= bounds.max)) return false;
  return !mayBeDifference || Math.abs(value) > bounds.max - bounds.min;
}
