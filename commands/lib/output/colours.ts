import { asIs, plainTheme, type Style, type Theme } from '../../../src/output/text/theme.ts';
import type { Io } from '../platform/io.ts';

/** Whether to colour: from `--color`, FORCE_COLOR, NO_COLOR and the terminal, in this order. */
export function isColored(asked: string, { env, stdout }: Pick<Io, 'env' | 'stdout'>): boolean {
  if (asked !== 'auto') return asked === 'always';
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== 'false' && forced !== '0';
  return !env.NO_COLOR && stdout.colors > 0;
}

/**
 * Colours of the sixteen that the terminal's own palette defines: whoever chose it can read them, on a dark or a light
 * ground.
 */
export async function themeOf(isColored: boolean): Promise<Theme> {
  if (!isColored) return plainTheme;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  // Chalk joins all its arguments, which in `map(style)` would include the index and the list.
  const of =
    (style: Style): Style =>
    (text) =>
      style(text);
  const grey = of(chalk.gray);
  const red = of(chalk.red);
  const green = of(chalk.green);
  return {
    role: {
      structure: grey,
      identity: of(chalk.cyan.bold),
      position: of(chalk.cyan),
      time: of(chalk.magenta),
      state: green,
      number: asIs,
      text: of(chalk.yellow),
      unknown: of(chalk.italic),
      gap: of(chalk.gray.italic),
      error: red,
    },
    dim: grey,
    strong: of(chalk.bold),
    error: of(chalk.red.bold),
    warning: of(chalk.yellow.bold),
    added: green,
    removed: red,
  };
}
