import type { RecordingSummary } from '../../recording/recording-summary.ts';
import { address, count } from '../text/number.ts';
import type { Theme } from '../text/theme.ts';

/** The maximum number of damaged offsets that are listed; the others are counted. */
const maxPlaces = 3;

/** The health as text: `healthy`, or the kind and offsets of the damage. */
export function healthText(summary: RecordingSummary, theme: Theme): string {
  const { state, at } = summary.health;
  const places = at.slice(0, maxPlaces).map((offset) => `0x${address(offset)}`);
  switch (state) {
    case 'healthy':
      return theme.added('healthy');
    case 'cut':
      return theme.warning(`cut at ${places[0]}`);
    case 'unreadable':
      return theme.error('unreadable');
    case 'undecodable':
      return theme.error(`✗ ${count(summary.undecodable, 'packet')} can't be read`);
    case 'mismatched':
      return theme.error(`✗ ${count(summary.mismatched, 'checksum')} mismatched`);
    case 'damaged': {
      if (summary.datagrams && at.length > 0) return theme.error('damaged');
      if (summary.datagrams) return theme.error(`✗ ${count(summary.damagedSnapshots, 'snapshot')} damaged`);
      const more = at.length > places.length ? ` and ${at.length - places.length} more places` : '';
      return theme.error(`damaged at ${places.join(', ')}${more}`);
    }
  }
}
