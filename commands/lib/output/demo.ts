import { type DemoHeaderFields, writeDemoHeader } from '../../../src/container/demo/writer.ts';
import { DemoRecorder, LastByteMode } from '../../../src/edit/demo-recorder.ts';
import type { Loss } from '../../../src/edit/losses.ts';
import type { GameEvent } from '../../../src/events/event.ts';
import type { Schema } from '../../../src/protocol/registry.ts';
import type { RecordingEntry } from '../../../src/recording/record.ts';
import { renderLosses, type WrittenDemo } from '../../../src/view/edit/reports.ts';
import { escapeText } from '../../../src/view/text/escape.ts';
import { count } from '../../../src/view/text/number.ts';
import type { Theme } from '../../../src/view/text/theme.ts';
import { exit, usageError } from '../errors.ts';
import { readSchemaFile } from '../input/settings.ts';
import type { Io } from '../io.ts';
import { fittedSink, printProblem } from '../note.ts';
import type { demoOutput, Given } from '../options.ts';
import { colorLevel, isToStdout, OutputFile, themeOf } from './output.ts';

/** The number of bytes that are buffered before they are written. */
const bufferBytes = 1 << 16;

/** Writes records as a demo to a file or to standard output. The file appears when it is complete. */
export class DemoOutput {
  readonly path: string;
  readonly recorder: DemoRecorder;
  readonly #file: OutputFile | undefined;
  readonly #io: Io;
  #written = 0;
  /** The first bytes as written, since the header is corrected at the end. */
  #first: Uint8Array = new Uint8Array(0);

  constructor({ output, mode, io }: DemoWriting, path = output) {
    this.path = path;
    this.#io = io;
    this.recorder = new DemoRecorder(mode);
    this.#file = isToStdout({ output: path }) ? undefined : new OutputFile(path, io);
  }

  readonly emit = (entry: RecordingEntry): void => this.recorder.add(entry);

  /** Writes the recorded bytes if there are enough of them. */
  async drain(): Promise<void> {
    if (this.recorder.length - this.#written >= bufferBytes) await this.#write();
  }

  /**
   * Writes the remaining bytes and the corrected header. In a pipe the header cannot be overwritten and stays as it is.
   * @param changes to the header; the length is computed, and the markers are limited to the recorded ticks, unless
   * they are changed
   */
  async finish(changes: Partial<DemoHeaderFields> = {}): Promise<void> {
    const { recorder } = this;
    recorder.finish();
    await this.#write();
    const { firstTick, lastTick, seconds } = recorder;
    const markers = recorder.header.markers.filter((tick) => tick >= firstTick && tick <= lastTick);
    const header = writeDemoHeader({ ...recorder.header, length: seconds, markers, ...changes });
    if (header.some((byte, i) => byte !== this.#first[i]) && !(await this.#file?.overwrite(header, 0))) {
      const name = this.#file ? escapeText(this.path) : 'standard output';
      await printProblem(`${name}: the header stays as it was begun; a pipe can't be written again`, this.#io);
    }
    await this.#file?.finish();
    const { length } = recorder.problems;
    if (length > 0) {
      const left = `${count(length, 'snapshot or message', 'snapshots or messages')} too large for a demo, left out`;
      await printProblem(`${escapeText(this.path)}: ${left}`, this.#io);
    }
  }

  async #write(): Promise<void> {
    if (this.recorder.length === this.#written) return;
    const bytes = this.recorder.flush();
    if (this.#written === 0) this.#first = bytes.slice(0, 484);
    this.#written += bytes.length;
    await (this.#file ?? this.#io.stdout).write(bytes);
  }
}

/** What the commands that write demos share. */
export interface DemoWriting {
  /** `-` for standard output. */
  readonly output: string;
  /** The style of the report. */
  readonly theme: Theme;
  readonly schema: Schema;
  /** How the compressed streams of the demo that is read end, and then those of the one that is written. */
  readonly mode: LastByteMode;
  readonly io: Io;
}

/** @throws CommandError without a file, and for a terminal */
export async function demoWritingOf(
  { output, color, schema }: Partial<Given<ReturnType<typeof demoOutput>>>,
  io: Io,
): Promise<DemoWriting> {
  if (output === undefined) throw usageError('name the file to write with -o');
  const isReportPrinted = !isToStdout({ output });
  if (io.stdout.isTerminal && !isReportPrinted)
    throw usageError('a demo is binary, not for a terminal: name a file with -o');
  const theme = await themeOf(isReportPrinted ? colorLevel(color ?? 'auto', io) : 0);
  return { output, theme, schema: await readSchemaFile(schema, io), mode: new LastByteMode(), io };
}

export const outputName = (path: string) => (isToStdout({ output: path }) ? 'standard output' : path);

/** The printed properties of a written demo. */
export function writtenDemo({ path, recorder }: DemoOutput, about: readonly GameEvent[] = []): WrittenDemo {
  const { firstTick, lastTick, snapshots, length } = recorder;
  return { name: escapeText(outputName(path)), firstTick, lastTick, snapshots, bytes: length, about };
}

/** Prints a report to standard output, unless the demo is written there. */
export async function printReport(
  lines: readonly string[],
  { output, io }: Pick<DemoWriting, 'output' | 'io'>,
): Promise<void> {
  if (lines.length === 0 || io.isQuiet) return;
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

/** `2026-11-20_11-08-13`, the notation of recorders. */
export function localTime(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}_${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join('-')}`;
}
