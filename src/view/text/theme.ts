import type { Role } from '../../annotate/span.ts';

type Style = (text: string) => string;

/**
 * The styles of a view. Colour is never the only way in which a view conveys something.
 *
 * @example
 * ```ts
 * import { plainTheme, type Theme } from 'tw-snap/view';
 *
 * const theme: Theme = { ...plainTheme, error: (text) => `\u001b[31m${text}\u001b[39m` };
 * ```
 */
export interface Theme {
  readonly role: Readonly<Record<Role, Style>>;
  readonly dim: Style;
  readonly strong: Style;
  readonly error: Style;
  readonly warning: Style;
  readonly added: Style;
  readonly removed: Style;
}

const asIs: Style = (text) => text;

/**
 * The theme without colours.
 *
 * @example
 * ```ts
 * import { plainTheme } from 'tw-snap/view';
 *
 * console.log(plainTheme.error('as it is')); // as it is
 * ```
 */
export const plainTheme: Theme = {
  role: {
    structure: asIs,
    identity: asIs,
    position: asIs,
    time: asIs,
    state: asIs,
    number: asIs,
    text: asIs,
    unknown: asIs,
    gap: asIs,
    error: asIs,
  },
  dim: asIs,
  strong: asIs,
  error: asIs,
  warning: asIs,
  added: asIs,
  removed: asIs,
};
