import type { HealthState } from '../../recording/health/health.ts';
import { type Role, roles } from '../../wire/annotate/span.ts';

export type Style = (text: string) => string;

/** The styles of a view. Colour is never the only way in which a view conveys something. */
export interface Theme {
  readonly role: Readonly<Record<Role, Style>>;
  readonly dim: Style;
  readonly strong: Style;
  readonly error: Style;
  readonly warning: Style;
  readonly added: Style;
  readonly removed: Style;
}

export interface ViewStyle {
  readonly theme: Theme;
  readonly width: number;
  /** The width that no line exceeds: that of the terminal, or a stated one. Lines in a pipe have no limit. */
  readonly limit?: number | undefined;
  /** Whether it is printed as markdown, without colours. */
  readonly isMarkdown?: boolean;
  /** Whether details are shown that are usually left out. */
  readonly verbose: boolean;
}

export const asIs: Style = (text) => text;

export const markOf = (severity: 'error' | 'warning', theme: Theme): string =>
  severity === 'error' ? theme.error('✗') : theme.warning('!');

export function healthStyle(state: HealthState, theme: Theme): Style {
  if (state === 'healthy') return theme.added;
  return state === 'incomplete' ? theme.warning : theme.error;
}

/** The theme without colours. */
export const plainTheme: Theme = {
  role: Object.fromEntries(roles.map((role) => [role, asIs])) as Theme['role'],
  dim: asIs,
  strong: asIs,
  error: asIs,
  warning: asIs,
  added: asIs,
  removed: asIs,
};
