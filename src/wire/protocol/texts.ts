import { v3 } from 'uuid';

/**
 * Text packed in ints, as names are: four bytes an int, highest first, each plus 128. The last byte of the field is
 * sent as 0; whatever it is, the games put a NUL in its place.
 * ```
 * 'b' + 128 = e2   'r' = f2   'o' = ef   'w' = f7    →  0xe2f2eff7
 * ```
 *
 * Source: `StrToInts` and `IntsToStr` in `src/game/gamecore.h` of the games.
 *
 * @param strict returns undefined also for a last byte other than 0 and control characters, which are usual in the
 *   differences of a delta
 * @returns undefined if there are no ints, and for invalid UTF-8, of which DDNet makes an empty text
 */
export function textOfInts(ints: ArrayLike<number>, at: number, count: number, strict = false): string | undefined {
  if (count === 0 || (strict && (ints[at + count - 1]! & 0xff) !== 0)) return undefined;
  const text = recent(ints, at, count, decodedText);
  return (strict ? /[\p{Cc}\ufffd]/u : /\ufffd/).test(text) ? undefined : text;
}

function decodedText(ints: Int32Array): string {
  const bytes = new Uint8Array(4 * ints.length - 1);
  let length = 0;
  for (; length < bytes.length; length++) {
    const byte = ((ints[length >> 2]! >>> (24 - 8 * (length & 3))) & 0xff) ^ 0x80;
    if (byte === 0) break;
    bytes[length] = byte;
  }
  return utf8.decode(bytes.subarray(0, length));
}

/**
 * The texts and UUIDs that were read last, by a hash of their ints: every snapshot of a recording contains the same
 * ones.
 */
const recents: ({ readonly ints: Int32Array; readonly make: unknown; readonly text: string } | undefined)[] = [];
const recentBits = 12;

/**
 * What `make` makes of `count` ints, made once as long as it is among the recent ones. Ints that do not exist count as
 * 0.
 */
function recent(ints: ArrayLike<number>, at: number, count: number, make: (ints: Int32Array) => string): string {
  let hash = count;
  for (let i = at; i < at + count; i++) hash = Math.imul(hash ^ ints[i]!, 0x9e3779b1);
  const slot = hash >>> (32 - recentBits);
  const known = recents[slot];
  if (known?.make === make && known.ints.length === count) {
    let i = 0;
    while (i < count && known.ints[i] === (ints[at + i]! | 0)) i++;
    if (i === count) return known.text;
  }
  return made(ints, at, count, make, slot);
}

/**
 * A function of its own, since V8 keeps the variables of one with a closure in an object, which it makes at each call.
 */
function made(
  ints: ArrayLike<number>,
  at: number,
  count: number,
  make: (ints: Int32Array) => string,
  slot: number,
): string {
  const own = Int32Array.from({ length: count }, (_, i) => ints[at + i]!);
  const text = make(own);
  recents[slot] = { ints: own, make, text };
  return text;
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The `count` ints of a text; undefined if it does not fit with its NUL, or contains one.
 *
 * Source: `StrToInts` and `IntsToStr` in `src/game/gamecore.h` of the games.
 */
export function intsOfText(text: string, count: number): Int32Array | undefined {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length >= 4 * count || bytes.includes(0)) return undefined;
  const ints = new Int32Array(count);
  for (let i = 0; i < 4 * count; i++) ints[i >> 2] = (ints[i >> 2]! << 8) | ((bytes[i] ?? 0) ^ 0x80);
  ints[count - 1]! &= ~0xff;
  return ints;
}

/** The namespace of all Teeworlds and DDNet UUIDs. */
const namespace = 'e05ddaaa-c4e6-4cfb-b642-5d48e80c0029';

/**
 * `character@netobj.ddnet.tw` → `76ce455b-f9eb-3a48-add7-e04b941d045c`: RFC 4122 version 3, MD5 of the name without a
 * NUL.
 *
 * Source: `CUuidManager` in `src/engine/shared/uuid_manager.cpp` of DDNet.
 */
export function uuidOfName(name: string): string {
  return v3(name, namespace);
}

/**
 * Four big-endian ints → `76ce455b-…`.
 *
 * Source: `CUuidManager` in `src/engine/shared/uuid_manager.cpp` of DDNet.
 */
export const uuidOfInts = (ints: ArrayLike<number>, at = 0): string => recent(ints, at, 4, uuidText);

function uuidText(ints: Int32Array): string {
  const hex = Array.from(ints, (int) => (int >>> 0).toString(16).padStart(8, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * `76ce455b-…` → four big-endian ints.
 *
 * Source: `CUuidManager` in `src/engine/shared/uuid_manager.cpp` of DDNet.
 */
export function intsOfUuid(uuid: string): Int32Array {
  const hex = uuid.replaceAll('-', '');
  return Int32Array.from({ length: 4 }, (_, i) => Number.parseInt(hex.slice(8 * i, 8 * i + 8), 16));
}
