import { typeOf } from '../snapshot/key.ts';
import { Snapshot } from '../snapshot/snapshot.ts';

/** A value that jumps at the next full snapshot. */
interface Jump {
  readonly key: number;
  readonly at: number;
  readonly by: number;
}

/** The number of changes of a field by their size in bits; index 0 counts updates without a change. */
type Steps = Uint32Array;

const maxFields = 1 << 8;
/** Steps as large as a jump are rare if at most one of this many is. */
const rare = 400;
/** The number of updates after which the usual steps of a field are known. */
const fewest = 100;
/** The maximum number of jumps to examine: more result from a map change or a mod. */
const maxJumps = 64;

const bits = (value: number) => 32 - Math.clz32(Math.abs(value));

/**
 * Finds values that a delta or the first full snapshot moved by an unusual amount and that the next full snapshot moves
 * back: all snapshots between contain a wrong difference.
 */
export class JumpCheck {
  readonly #steps = new Map<number, Steps>();
  /** The last reliable snapshot before the current segment, and that of the current segment. */
  #last: Snapshot | undefined;
  readonly #copies = [new Snapshot(), new Snapshot()] as const;

  /** Counts the steps from one snapshot to the next. */
  onStep(before: Snapshot, now: Snapshot, keys: Int32Array, count: number): void {
    for (let i = 0; i < count; i++) {
      const key = keys[i]!;
      const [was, is] = [before.findKey(key), now.findKey(key)];
      if (was < 0 || is < 0) continue;
      const [from, to, size] = [before.offsets[was]!, now.offsets[is]!, now.size(is)];
      if (before.size(was) !== size) continue;
      for (let at = 0; at < size; at++) this.#stepsOf(key, at)[bits(now.data[to + at]! - before.data[from + at]!)]!++;
    }
  }

  /** The values that jump from the last snapshot of a segment to the next full one. */
  jumps(last: Snapshot, next: Snapshot): Jump[] {
    const jumps: Jump[] = [];
    for (let i = 0; i < next.count && jumps.length < maxJumps; i++) {
      const key = next.keys[i]!;
      const was = last.findKey(key);
      if (was < 0 || last.size(was) !== next.size(i)) continue;
      for (let at = 0; at < next.size(i); at++) {
        const by = (next.data[next.offsets[i]! + at]! - last.data[last.offsets[was]! + at]!) | 0;
        if (by !== 0 && this.#isRare(key, at, by)) jumps.push({ key, at, by });
      }
    }
    return jumps;
  }

  /** The jump that reverses this step, if there is one. */
  makes(jumps: readonly Jump[], before: Snapshot, now: Snapshot): Jump | undefined {
    return jumps.find(({ key, at, by }) => {
      const [was, is] = [before.findKey(key), now.findKey(key)];
      if (was < 0 || is < 0 || at >= before.size(was) || at >= now.size(is)) return false;
      const value = now.data[now.offsets[is]! + at]!;
      const step = (value - before.data[before.offsets[was]! + at]!) | 0;
      // Fields are often reset to 0 or -1 and set again.
      if (value === 0 || value === -1) return false;
      return step !== 0 && Math.abs(step + by) <= this.#tolerance(key, at) && this.#isRare(key, at, step);
    });
  }

  /** The last snapshot of the preceding segment; undefined if that was damaged. */
  get before(): Snapshot | undefined {
    return this.#last;
  }

  /** Ends a segment. */
  end(last: Snapshot | undefined): void {
    const copy = this.#copies[this.#last === this.#copies[0] ? 1 : 0];
    if (last) copy.copyFrom(last);
    this.#last = last && copy;
  }

  #stepsOf(key: number, at: number): Steps {
    const number = typeOf(key) * maxFields + at;
    let steps = this.#steps.get(number);
    if (!steps) {
      steps = new Uint32Array(33);
      this.#steps.set(number, steps);
    }
    return steps;
  }

  /** Whether steps of this size, other than this one, are rare. */
  #isRare(key: number, at: number, by: number): boolean {
    const steps = this.#stepsOf(key, at);
    let [all, large] = [0, 0];
    for (let i = 1; i < steps.length; i++) {
      all += steps[i]!;
      if (i >= bits(by)) large += steps[i]!;
    }
    const seen = all + steps[0]!;
    // Names, for instance, are never updated; any other field must have been updated often enough.
    return seen === 0 || (seen >= fewest && (large <= 1 || (large - 1) * rare < all));
  }

  /** The usual movement of a field: twice the median of its steps. */
  #tolerance(key: number, at: number): number {
    const steps = this.#stepsOf(key, at);
    const all = steps.reduce((sum, one) => sum + one, 0);
    let [size, below] = [0, steps[0]!];
    while (2 * below < all) below += steps[++size]!;
    return size === 0 ? 0 : 2 ** size;
  }
}
