import type { Change } from '../../annotate/span.ts';
import type { Theme } from '../text/theme.ts';
import { valueInLine } from '../text/untrusted-text.ts';

/** `x   484 → 192   -292   -9.13 tiles`, as cells; undefined if nothing changed. */
export function changeRow(label: string, change: Change, theme: Theme): string[] | undefined {
  if (change.old === change.new) return undefined;
  return [
    label,
    `${valueInLine(change.old)} → ${valueInLine(change.new)}`,
    difference(change),
    theme.role.state(change.step ?? ''),
  ];
}

/** The difference wraps around at 32 bits, as in the games. */
function difference({ old, new: now }: Change): string {
  if (typeof old !== 'number' || typeof now !== 'number') return '';
  const step = (now - old) | 0;
  return step > 0 ? `+${step}` : String(step);
}
