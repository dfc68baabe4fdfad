/** The content of one second of a recording. */
export interface SecondTally {
  /** The number of the second, counted from the first tick or packet. */
  readonly second: number;
  /** In captures, this includes empty snapshots and snapshots that cannot be rebuilt. */
  snapshots: number;
  /** The largest number of items in one snapshot. */
  items: number;
  messages: number;
  /** Bits of items, and of the counts, sizes and messages that contain them. */
  snapshotBits: number;
  messageBits: number;
  otherBits: number;
}

export const bitsOfSecond = ({ snapshotBits, messageBits, otherBits }: SecondTally) =>
  snapshotBits + messageBits + otherBits;

/** The first 100 hours are counted by second. A demo of a few bytes can span years, and each second needs memory. */
const maxSeconds = 360_000;

/**
 * The content of a recording by second; seconds without data are left out. Data after 100 hours is counted in the last of these
 * seconds.
 */
export class SecondTallies {
  readonly #bySecond = new Map<number, SecondTally>();
  /** The second of the current data. Data without a time is counted in an object that is not listed. */
  current: SecondTally = newSecond(Number.NaN);

  /** @param seconds from the beginning; a negative number is the first second, NaN is ignored */
  at(seconds: number): void {
    const second = Math.min(maxSeconds - 1, Math.max(0, Math.floor(seconds)));
    if (second === this.current.second || Number.isNaN(second)) return;
    const known = this.#bySecond.get(second);
    this.current = known ?? newSecond(second);
    if (!known) this.#bySecond.set(second, this.current);
  }

  /** Adds the counts of another part of the recording. */
  addCounts(seconds: readonly SecondTally[]): void {
    for (const { second, ...counts } of seconds) {
      const into = this.#bySecond.get(second) ?? newSecond(second);
      this.#bySecond.set(second, into);
      into.items = Math.max(into.items, counts.items);
      for (const name of ['snapshots', 'messages', 'snapshotBits', 'messageBits', 'otherBits'] as const) {
        into[name] += counts[name];
      }
    }
  }

  /** The second before the current one, if it had data. */
  get lastWhole(): SecondTally | undefined {
    return this.#bySecond.get(this.current.second - 1);
  }

  /** The seconds in ascending order. */
  get all(): SecondTally[] {
    return [...this.#bySecond.values()].sort((a, b) => a.second - b.second);
  }
}

function newSecond(second: number): SecondTally {
  return { second, snapshots: 0, items: 0, messages: 0, snapshotBits: 0, messageBits: 0, otherBits: 0 };
}
