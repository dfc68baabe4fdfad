import type { Loss } from '../../../src/edit/losses.ts';
import type { GameEvent } from '../../../src/events/event.ts';
import { renderLosses, type WrittenDemo } from '../../../src/view/edit/reports.ts';
import { escapeText } from '../../../src/view/text/escape.ts';
import type { Theme } from '../../../src/view/text/theme.ts';
import { exit } from '../errors.ts';
import type { Io } from '../io.ts';
import type { demoOutput, Given } from '../options.ts';
import { fittedSink } from '../output/fitted-sink.ts';
import { isToStdout } from '../output/output.ts';
import { colorLevel, themeOf } from '../output/theme.ts';
import type { DemoOutput } from './demo-output.ts';

/** The options of the commands that write demos. */
export type DemoOptions = Given<ReturnType<typeof demoOutput>>;

export const outputName = (path: string) => (isToStdout({ output: path }) ? 'standard output' : path);

/** The printed properties of a written demo. */
export function writtenDemo({ path, recorder }: DemoOutput, about: readonly GameEvent[] = []): WrittenDemo {
  const { firstTick, lastTick, snapshots, length } = recorder;
  return { name: escapeText(outputName(path)), firstTick, lastTick, snapshots, bytes: length, about };
}

export const reportTheme = ({ color, output }: Pick<DemoOptions, 'color' | 'output'>, io: Io): Promise<Theme> =>
  themeOf(isToStdout({ output }) ? 0 : colorLevel(color, io));

/** Prints a report to standard output, unless the demo is written there. */
export async function printReport(lines: readonly string[], output: string, io: Io): Promise<void> {
  if (lines.length === 0) return;
  if (io.isQuiet) return;
  if (isToStdout({ output })) await io.stderr.write(lines.map((line) => `tw-snap: ${line}\n`).join(''));
  else await fittedSink(io.stdout).write(`${lines.join('\n')}\n`);
}

/** Reports the unreadable parts of a demo, for commands other than repair. */
export async function reportLosses(name: string, losses: readonly Loss[], io: Io): Promise<number> {
  if (losses.length === 0) return exit.fine;
  const lines = [`${escapeText(name)}: damaged; left out:`, ...renderLosses(losses)];
  await io.stderr.write(lines.map((line) => `tw-snap: ${line}\n`).join(''));
  return exit.unreadable;
}
