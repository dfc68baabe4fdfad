import { u32 } from '../../bytes/fixed-int.ts';

/** The unit of time of a pcapng interface, according to its options. */
export interface TimeUnit {
  /** 0DDD DDDD: 10 to the power of -D seconds; 1DDD DDDD: 2 to the power of -D. */
  readonly resolution: number;
  /** Seconds to add. */
  readonly offset: number;
}

export const microseconds: TimeUnit = { resolution: 6, offset: 0 };

/** Reads a 64-bit count, upper half first, as whole seconds and nanoseconds. */
export function readTimestamp(
  bytes: Uint8Array,
  at: number,
  little: boolean,
  { resolution, offset }: TimeUnit,
  into: { seconds: number; nanoseconds: number },
): void {
  const high = u32(bytes, at, little);
  const low = u32(bytes, at + 4, little);
  if (resolution <= 9) {
    const perSecond = powersOfTen[resolution]!;
    // Long division in steps of 16 bits, since nanoseconds since 1970 do not fit into a double.
    const upper = high < perSecond ? 0 : Math.floor(high / perSecond);
    const middle = (high - upper * perSecond) * 0x10000 + (low >>> 16);
    const middleSeconds = Math.floor(middle / perSecond);
    const lower = (middle - middleSeconds * perSecond) * 0x10000 + (low & 0xffff);
    const lowerSeconds = Math.floor(lower / perSecond);
    into.seconds = upper * 0x1_0000_0000 + middleSeconds * 0x10000 + lowerSeconds + offset;
    into.nanoseconds = (lower - lowerSeconds * perSecond) * powersOfTen[9 - resolution]!;
  } else {
    const exponent = BigInt(resolution & 0x7f);
    const perSecond = resolution & 0x80 ? 1n << exponent : 10n ** exponent;
    const count = (BigInt(high) << 32n) | BigInt(low);
    into.seconds = Number(count / perSecond) + offset;
    into.nanoseconds = Number(((count % perSecond) * 1_000_000_000n) / perSecond);
  }
}

const powersOfTen = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
