/** The highest that was seen of something, and where. */
export interface Peak {
  readonly value: number;
  readonly tick: number;
  /** In captures. */
  readonly client: string | undefined;
}

/** Bytes of a delta that a server puts into one message. */
export const partBytes = 900;

/** The fullest snapshots: what stands against the games' limits. */
export class Peaks {
  /** In one snapshot. */
  items: Peak | undefined;
  /** Of one snapshot, as the games keep it: header, offsets, keys and data, 4 bytes an int. */
  bytes: Peak | undefined;
  /** Of one delta, as it is cut into parts of {@link partBytes}: not compressed. */
  deltaBytes: Peak | undefined;

  add(name: 'items' | 'bytes' | 'deltaBytes', value: number, tick: number, client?: string): void {
    const highest = this[name];
    if (!highest || value > highest.value) this[name] = { value, tick, client };
  }
}
