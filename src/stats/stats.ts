/**
 * Where the bytes of a recording go.
 *
 * `statsOfDemo(bytes)` and `statsOfCapture(bytes)` count a whole file at once. Long ones are counted piece by piece, beside
 * whatever else is done with their records: {@link DemoStats} and {@link CaptureStats} show how. Both have
 * - `tally`, of which `tally.bits` is exactly `8 * bytes`: the sum over
 *   - `tally.items.all`: for each kind of item, {@link ItemTally}: times sent (`full`, `new`, `updated`), `changed` and
 *     `removed`, `bits` as they were compressed, `estimate` by the games' own measure, and the same by `fields`;
 *   - `tally.messages`: by name, times and bits;
 *   - `tally.parts`: what stands around them, by {@link PartName};
 * - once more, in other ways: `tally.players.all` (items by client), `tally.seconds.all` (everything over time);
 * - `tally.most`: the fullest snapshots, with their ticks; `tally.snapshots`: how many there were;
 * - of captures `modes`: the server's rates.
 *
 * Bits are those of the file: in a compressed stream, each byte has those of its Huffman code.
 */

import type { ItemType } from '../protocol/item.ts';
import type { TickRange } from '../protocol/ticks.ts';
import { CaptureReplay } from '../recording/capture.ts';
import { DemoReplay } from '../recording/demo.ts';
import { CaptureStats, type CaptureStatsOptions } from './capture-stats.ts';
import { DemoStats } from './demo-stats.ts';

/** Counts a demo. */
export function statsOfDemo(
  bytes: Uint8Array,
  options: { readonly range?: TickRange; readonly added?: readonly ItemType[] } = {},
): DemoStats {
  const stats = new DemoStats(options.range);
  const replay = new DemoReplay({ messages: true, extraItems: options.added ?? [], parts: true });
  for (const record of replay.feed(bytes)) stats.add(record);
  for (const record of replay.finish()) stats.add(record);
  stats.finish(bytes.length);
  return stats;
}

/** Counts a capture, pcap or pcapng. */
export function statsOfCapture(
  bytes: Uint8Array,
  options: CaptureStatsOptions & { readonly added?: readonly ItemType[] } = {},
): CaptureStats {
  const stats = new CaptureStats(options);
  const replay = new CaptureReplay({ messages: false, extraItems: options.added ?? [], parts: true });
  for (const record of replay.feed(bytes)) stats.add(record);
  for (const record of replay.finish()) stats.add(record);
  stats.finish();
  return stats;
}
