import type { Splice } from './vector.ts';

/** Bytes that have to be the same after a difference. */
const synchronous = 8;

/** What is another in a file: where it began, how many bytes went, and what came. */
export function splicesOf(from: Uint8Array, to: Uint8Array): Splice[] {
  const splices: Splice[] = [];
  let [a, b] = [0, 0];
  for (;;) {
    while (a < from.length && b < to.length && from[a] === to[b]) {
      a++;
      b++;
    }
    if (a === from.length && b === to.length) return splices;
    const [removed, added] = differenceAt(from, a, to, b);
    splices.push([a, removed, Buffer.from(to.subarray(b, b + added)).toString('hex')]);
    a += removed;
    b += added;
  }
}

/** The shortest difference after which both go on with the same bytes. */
function differenceAt(from: Uint8Array, a: number, to: Uint8Array, b: number): readonly [number, number] {
  const isSame = (removed: number, added: number) => {
    for (let i = 0; i < synchronous; i++) if (from[a + removed + i] !== to[b + added + i]) return false;
    return true;
  };
  const [most, mostAdded] = [from.length - a, to.length - b];
  for (let both = 1; both < Math.min(most + mostAdded, 3000); both++) {
    for (let added = Math.max(0, both - most); added <= Math.min(both, mostAdded); added++)
      if (both - added + synchronous <= most && added + synchronous <= mostAdded && isSame(both - added, added))
        return [both - added, added];
  }
  return [most, mostAdded];
}
