/** Up to this many elements, a loop is faster than a view and `set`. */
const few = 32;

/** Copies `from[start, end)` to `into[at]` and on. */
export function copyInts(from: Int32Array, start: number, end: number, into: Int32Array, at: number): void {
  const count = end - start;
  if (count > few) into.set(from.subarray(start, end), at);
  else for (let i = 0; i < count; i++) into[at + i] = from[start + i]!;
}

/** Copies `from[start, end)`, often all of it, to `into[at]` and on. */
export function copyBytes(from: Uint8Array, start: number, end: number, into: Uint8Array, at: number): void {
  const count = end - start;
  if (count > few) into.set(count === from.length ? from : from.subarray(start, end), at);
  else for (let i = 0; i < count; i++) into[at + i] = from[start + i]!;
}
