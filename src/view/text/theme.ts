import type { Role } from '../../annotate/span.ts';

type Style = (text: string) => string;

/** How a view marks kinds of things; colour never carries meaning alone. */
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
