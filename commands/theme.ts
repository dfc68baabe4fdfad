import type { ColorSupportLevel } from 'chalk';
import { plainTheme, type Theme } from '../src/view/theme.ts';
import type { Io } from './io.ts';

/** Whether to colour: what was asked for, then FORCE_COLOR, NO_COLOR, and what the terminal can. */
export function colorLevel(asked: string, { env, stdout }: Io): ColorSupportLevel {
  const able = Math.max(1, stdout.colors) as ColorSupportLevel;
  if (asked === 'never') return 0;
  if (asked === 'always') return able;
  const forced = env.FORCE_COLOR;
  if (forced === 'false') return 0;
  if (forced !== undefined) return /^[0-3]$/.test(forced) ? (Number(forced) as ColorSupportLevel) : able;
  return env.NO_COLOR ? 0 : (stdout.colors as ColorSupportLevel);
}

/** Middle tones, that can be read on dark and on light terminals. */
export async function themeOf(level: ColorSupportLevel): Promise<Theme> {
  if (level === 0) return plainTheme;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level });
  const identity = chalk.ansi256(32);
  const red = chalk.ansi256(160);
  const green = chalk.ansi256(64);
  const orange = chalk.ansi256(166);
  return {
    role: {
      structure: chalk.ansi256(243),
      identity: identity.bold,
      position: chalk.ansi256(30),
      time: chalk.ansi256(133),
      state: green,
      number: (text) => text,
      text: orange,
      unknown: chalk.italic,
      gap: chalk.ansi256(243).italic,
      error: red,
    },
    dim: chalk.ansi256(243),
    strong: chalk.bold,
    error: red.bold,
    warning: orange.bold,
    added: green,
    removed: red,
  };
}
