import type { Code } from '../bytes/diagnostic.ts';

/** What the games accept in snapshots and chunks of demos, but do not record: signs of damage. */
export const neverWritten: ReadonlySet<Code> = new Set<Code>([
  'chunk_type',
  'empty_chunk',
  'tick_backwards',
  'huffman_after_eof',
  'huffman_padding',
  'huffman_past_end',
  'overlong_varint',
  'varint_padding',
  'nonzero_zero',
  'excess_ints',
  'removed_twice',
  'removed_and_updated',
  'updated_twice',
  'unknown_removed',
  'first_offset',
  'data_without_items',
  'repeated_snapshot',
]);
