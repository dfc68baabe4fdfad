import type { Code } from '../../wire/bytes/diagnostic.ts';

/**
 * What the games accept in snapshots and deltas, and in the header and chunks of demos, but do not write: signs of
 * damage. `docs/formats/tolerated.md` says what they do with it.
 *
 * A key that comes twice, in a snapshot or among the updates or removed keys of a delta, is none: `CSnapshotBuilder`
 * takes it, and `CreateDelta` then lists it twice. DDNet did that to clients of 0.7 before 19.9 (ddnet/ddnet#12070).
 */
export const neverWritten: ReadonlySet<Code> = new Set<Code>([
  'huffman_after_eof',
  'huffman_padding',
  'overlong_varint',
  'varint_padding',
  'negative_count',
  'nonzero_zero',
  'unknown_removed',
  'removed_and_updated',
  'excess_ints',
  'first_offset',
  'data_without_items',
  'invalid_key',
  'chunk_type',
  'empty_chunk',
  'tick_backwards',
  'repeated_snapshot',
  'demo_version',
  'net_version',
]);
