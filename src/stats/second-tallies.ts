/** What one second brought. */
export interface SecondTally {
  /** From the first tick, or the first packet. */
  readonly second: number;
  /** In captures those, too, that only say that nothing changed, or can't be rebuilt. */
  snapshots: number;
  /** In one snapshot, at most. */
  items: number;
  messages: number;
  /** Items, and what frames them. */
  snapshotBits: number;
  messageBits: number;
  otherBits: number;
}

export const bitsOfSecond = ({ snapshotBits, messageBits, otherBits }: SecondTally) =>
  snapshotBits + messageBits + otherBits;

/** Seconds told apart: 100 hours. A demo of some bytes can jump over years, and each second takes room. */
export const maxSeconds = 360_000;

/**
 * What went over the wire second by second; a second without anything is not there. What comes after 100 hours is counted in their
 * last second.
 */
export class SecondTallies {
  readonly #bySecond = new Map<number, SecondTally>();
  /** Of what comes now. What belongs to no second is counted in one that is in no list. */
  current: SecondTally = newSecond(Number.NaN);

  /** @param seconds from the beginning; what comes earlier belongs to the first one, not a number to none */
  at(seconds: number): void {
    const second = Math.min(maxSeconds - 1, Math.max(0, Math.floor(seconds)));
    if (second === this.current.second || Number.isNaN(second)) return;
    const known = this.#bySecond.get(second);
    this.current = known ?? newSecond(second);
    if (!known) this.#bySecond.set(second, this.current);
  }

  /** In their order. */
  get all(): SecondTally[] {
    return [...this.#bySecond.values()].sort((a, b) => a.second - b.second);
  }
}

function newSecond(second: number): SecondTally {
  return { second, snapshots: 0, items: 0, messages: 0, snapshotBits: 0, messageBits: 0, otherBits: 0 };
}
