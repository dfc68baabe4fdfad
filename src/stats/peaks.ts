/** The highest value of something, and where it was. */
export interface Peak {
  readonly value: number;
  readonly tick: number;
  /** Undefined in demos. */
  readonly client: string | undefined;
}

/** Bytes of a delta that a server puts into one message. */
export const partBytes = 900;

/** The fullest snapshots, for comparison with the games' limits. */
export class Peaks {
  /** Items in one snapshot. */
  items: Peak | undefined;
  /** Bytes of one snapshot, as the games keep it: header, offsets, keys and data, 4 bytes an int. */
  bytes: Peak | undefined;
  /** Bytes of one delta, as it is split into parts of {@link partBytes}: not compressed. */
  deltaBytes: Peak | undefined;

  add(name: 'items' | 'bytes' | 'deltaBytes', value: number, tick: number, client?: string): void {
    const highest = this[name];
    if (!highest || value > highest.value) this[name] = { value, tick, client };
  }
}
