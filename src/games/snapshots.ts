import type { Subject } from './check.ts';

export const snapshots: Subject = {
  about: 'snapshot',
  title: 'Whole snapshots',
  source: 'CSnapshot::IsValid in snapshot.cpp',
  checks: [
    {
      code: 'truncated_snapshot',
      severity: 'error',
      when: 'fewer ints than `data_size` and `num_items` announce',
      ddnet: 'refused',
    },
    { code: 'excess_ints', severity: 'error', when: 'more ints', ddnet: 'refused' },
    {
      code: 'bad_data_size',
      severity: 'error',
      when: '`data_size` that is negative or not a multiple of 4',
      ddnet: 'refused',
      teeworlds: { does: 'accepted', how: 'only the sign is checked' },
    },
    {
      code: 'negative_count',
      severity: 'error',
      when: 'negative `num_items`',
      ddnet: 'refused',
      teeworlds: { does: 'accepted', how: 'not checked' },
    },
    {
      code: 'bad_offset',
      severity: 'error',
      when: 'offset below 0, beyond the data, or not a multiple of 4',
      ddnet: 'refused',
      teeworlds: { does: 'accepted', how: 'whether it is a multiple of 4 is not checked' },
    },
    {
      code: 'bad_offset',
      severity: 'error',
      when: 'offset that is less than 4 above the one before',
      ddnet: 'refused',
    },
    {
      code: 'first_offset',
      severity: 'warning',
      when: 'first offset is not 0',
      ddnet: 'accepted',
    },
    { code: 'duplicate_key', severity: 'warning', when: 'the same key twice', ddnet: 'accepted' },
    { code: 'invalid_key', severity: 'warning', when: 'key with a type above 0x7fff', ddnet: 'accepted' },
    {
      code: 'data_without_items',
      severity: 'warning',
      when: 'data, but no items',
      ddnet: 'accepted',
    },
    { code: 'unusual_size', severity: 'warning', when: 'item without the agreed size', ddnet: 'accepted' },
    { code: 'too_many_items', severity: 'error', when: 'more than 1,024 items', ddnet: 'refused' },
    { code: 'snapshot_too_large', severity: 'error', when: 'more than 64 KiB', ddnet: 'refused' },
  ],
};
