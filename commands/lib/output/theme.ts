import type { ColorSupportLevel } from 'chalk';
import { plainTheme, type Theme } from '../../../src/view/text/theme.ts';
import type { Io } from '../io.ts';

/** The number of colours, from `--color`, FORCE_COLOR, NO_COLOR and the terminal, in this order. */
export function colorLevel(asked: string, { env, stdout }: Io): ColorSupportLevel {
  const able = Math.max(1, stdout.colors) as ColorSupportLevel;
  if (asked === 'never') return 0;
  if (asked === 'always') return able;
  const forced = env.FORCE_COLOR;
  if (forced === 'false') return 0;
  if (forced !== undefined) return /^[0-3]$/.test(forced) ? (Number(forced) as ColorSupportLevel) : able;
  return env.NO_COLOR ? 0 : (stdout.colors as ColorSupportLevel);
}

/** Medium tones, which are readable on dark and light terminals. */
export async function themeOf(level: ColorSupportLevel): Promise<Theme> {
  if (level === 0) return plainTheme;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level });
  // Chalk joins all its arguments, which in `map(style)` would include the index and the list.
  const colour = (code: number) => (text: string) => chalk.ansi256(code)(text);
  const [grey, red, green, orange] = [colour(243), colour(160), colour(64), colour(166)];
  const bold = (code: number) => (text: string) => chalk.ansi256(code).bold(text);
  return {
    role: {
      structure: grey,
      identity: bold(32),
      position: colour(30),
      time: colour(133),
      state: green,
      number: (text) => text,
      text: orange,
      unknown: (text) => chalk.italic(text),
      gap: (text) => chalk.ansi256(243).italic(text),
      error: red,
    },
    dim: grey,
    strong: (text) => chalk.bold(text),
    error: bold(160),
    warning: bold(166),
    added: green,
    removed: red,
  };
}
