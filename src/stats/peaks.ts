/** The highest value of a quantity, and its position. */
export interface Peak {
  readonly value: number;
  readonly tick: number;
  /** Undefined in demos. */
  readonly client: string | undefined;
  /** Its position in the recording; the first of equal values is the peak. */
  readonly position: number;
}

/** The number of bytes of a delta that a server puts into one message. */
export const partBytes = 900;

/** The largest snapshots, for comparison with the games' limits. */
export class Peaks {
  /** Items in one snapshot. */
  items: Peak | undefined;
  /** Bytes of one snapshot in the games' memory: header, offsets, keys and data, 4 bytes per int. */
  bytes: Peak | undefined;
  /** Bytes of one delta before compression. Servers split it into parts of {@link partBytes}. */
  deltaBytes: Peak | undefined;

  add(name: 'items' | 'bytes' | 'deltaBytes', one: Peak): void {
    const highest = this[name];
    const difference = highest ? one.value - highest.value : 1;
    if (difference > 0 || (difference === 0 && one.position < highest!.position)) this[name] = one;
  }
}
