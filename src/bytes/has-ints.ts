/** Whether `data` has these ints from `start` on. */
export function hasIntsAt(data: Int32Array, start: number, ints: Int32Array): boolean {
  for (let i = 0; i < ints.length; i++) if (ints[i] !== data[start + i]) return false;
  return true;
}
