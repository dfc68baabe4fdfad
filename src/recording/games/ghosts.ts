import type { Subject } from './check.ts';

export const ghosts: Subject = {
  about: 'ghost',
  title: 'Ghosts',
  source: 'CGhostLoader in ghost.cpp',
  checks: [
    { code: 'not_a_ghost', severity: 'error', when: 'other magic', ddnet: 'refused' },
    { code: 'ghost_version', severity: 'error', when: 'version below 4 or above 6', ddnet: 'refused' },
    { code: 'ghost_type', severity: 'warning', when: 'chunk of an unknown type', ddnet: 'skipped' },
    { code: 'ghost_items', severity: 'error', when: 'fewer items than the chunk says', ddnet: 'refused' },
    { code: 'ghost_unfinished', severity: 'warning', when: 'counts of 0 in the header', ddnet: 'refused' },
    {
      code: 'ghost_count',
      severity: 'error',
      when: 'another number of characters than the header says',
      ddnet: 'refused',
    },
    {
      code: 'ghost_time',
      severity: 'warning',
      when: 'ticks that do not fit the time of the header',
      ddnet: 'accepted',
    },
  ],
};
