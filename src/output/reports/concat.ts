import { pathText } from '../text/escape.ts';
import { count, size } from '../text/number.ts';
import type { Theme } from '../text/theme.ts';
import { ticksText, type WrittenCapture } from './slice.ts';

interface Joined {
  readonly files: readonly string[];
  /** Whether they were named in this order. */
  readonly isSorted: boolean;
  /** By how many seconds a packet was captured before one that is earlier in the result. */
  readonly back: number;
}

/** More is no jitter of a clock: two captures overlap. */
const overlapSeconds = 1;

/** `all.pcap   3 files   15,700 packets   ticks 314 to 9072   4,711 snapshots   4.6 MB` */
export function renderJoined(
  { name, packets, bytes, snapshots }: WrittenCapture,
  { files, isSorted, back }: Joined,
  theme: Theme,
): string[] {
  const parts = [count(files.length, 'file'), count(packets, 'packet'), ...ticksText(snapshots, theme), size(bytes)];
  return [
    [theme.strong(name), ...parts].join('   '),
    ...(isSorted ? [] : [`in order of time: ${files.map(pathText).join(', ')}`]),
    ...(back > overlapSeconds ? [`the files overlap: packets go back in time by up to ${back.toFixed(1)} s`] : []),
  ];
}
