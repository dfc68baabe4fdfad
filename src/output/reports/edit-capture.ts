import type { Leftover } from '../../editing/packets/leftovers.ts';
import { nameText } from '../text/escape.ts';
import { count, thousands } from '../text/number.ts';
import type { Theme } from '../text/theme.ts';
import { renderCuts, type WrittenCapture } from './slice.ts';

interface Replaced {
  readonly player: number;
  readonly clan: number;
  readonly addresses: number;
  /** How many names and secrets were searched for. */
  readonly searched: number;
}

/** What an anonymised capture has, what was replaced in it, and what is left out. */
export function renderAnonymised(
  written: WrittenCapture,
  frames: number,
  { player, clan, addresses, searched }: Replaced,
  leftOut: ReadonlyMap<string, number>,
  theme: Theme,
): string[] {
  const names = [count(player, 'name'), count(clan, 'clan'), count(addresses, 'address', 'addresses')];
  const left = [...leftOut].sort(([, a], [, b]) => b - a).map(([what, times]) => `${thousands(times)} ${what}`);
  return [
    ...renderCuts([written], frames, theme),
    `replaced: ${names.join(', ')}; texts of people and servers are x's, data of maps are zeros`,
    ...(left.length > 0 ? [`left out: ${left.join(', ')}`] : []),
    `searched: no address and none of ${count(searched, 'name or secret', 'names and secrets')} is in it`,
  ];
}

const maxShown = 10;

/** Lines about what the final search found: nothing is written then. */
export function renderLeftovers(found: readonly Leftover[]): string[] {
  const shown = found.slice(0, maxShown).map(({ text, frame }) => {
    const where = frame ? `packet ${thousands(frame)} of the output` : 'the bytes of the output';
    return `${nameText(text)} is still in ${where}`;
  });
  const more = found.length > maxShown ? [count(found.length - maxShown, 'more place')] : [];
  return [...shown, ...more, 'nothing was written; --except WORD keeps a name or password that is a common word'];
}
