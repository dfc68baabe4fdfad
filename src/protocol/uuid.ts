import { v3 } from 'uuid';

/** The namespace of all Teeworlds and DDNet UUIDs. */
const namespace = 'e05ddaaa-c4e6-4cfb-b642-5d48e80c0029';

/**
 * `character@netobj.ddnet.tw` → `76ce455b-f9eb-3a48-add7-e04b941d045c`: RFC 4122 version 3, MD5 of the name without a NUL.
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
export function uuidOfInts(ints: ArrayLike<number>, at = 0): string {
  const [first, second, third, fourth] = [ints[at]!, ints[at + 1]!, ints[at + 2]!, ints[at + 3]!];
  const known = recent.get(first);
  if (known && known.second === second && known.third === third && known.fourth === fourth) return known.text;
  const hex = [first, second, third, fourth].map((int) => (int >>> 0).toString(16).padStart(8, '0')).join('');
  const text = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  if (recent.size >= maxRecent) recent.clear();
  recent.set(first, { second, third, fourth, text });
  return text;
}

/** The last UUIDs by their first int: every snapshot of a recording contains the same ones. */
const recent = new Map<number, { second: number; third: number; fourth: number; text: string }>();
const maxRecent = 256;

/**
 * `76ce455b-…` → four big-endian ints.
 *
 * Source: `CUuidManager` in `src/engine/shared/uuid_manager.cpp` of DDNet.
 */
export function intsOfUuid(uuid: string): Int32Array {
  const hex = uuid.replaceAll('-', '');
  return Int32Array.from({ length: 4 }, (_, i) => Number.parseInt(hex.slice(8 * i, 8 * i + 8), 16));
}
