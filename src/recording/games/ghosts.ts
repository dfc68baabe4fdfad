import type { Subject } from './check.ts';

export const ghosts: Subject = {
  about: 'ghost',
  title: 'Ghosts',
  source: 'CGhostLoader in ghost.cpp',
  checks: [
    { code: 'not_a_ghost', severity: 'error', when: 'other magic' },
    { code: 'ghost_version', severity: 'error', when: 'version below 4 or above 6' },
    { code: 'ghost_type', severity: 'warning', when: 'chunk of an unknown type', note: 'the chunk is left out' },
    { code: 'ghost_items', severity: 'error', when: 'fewer items than the chunk says' },
    { code: 'ghost_unfinished', severity: 'warning', when: 'counts of 0 in the header' },
    {
      code: 'ghost_count',
      severity: 'error',
      when: 'another number of characters than the header says',
    },
    {
      code: 'ghost_time',
      severity: 'warning',
      when: 'ticks that do not fit the time of the header',
    },
  ],
};
