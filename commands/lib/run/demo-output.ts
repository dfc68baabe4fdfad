import { DemoRecorder, LastByteMode } from '../../../src/editing/demo-recorder.ts';
import { type Losses, LossFilter, requireSnapshots } from '../../../src/editing/losses.ts';
import { markersOf } from '../../../src/editing/markers.ts';
import { diagnosticLine } from '../../../src/output/phrases/diagnostic-messages.ts';
import { findingText } from '../../../src/output/phrases/finding-phrases.ts';
import { renderLosses, renderWritten } from '../../../src/output/reports/edit.ts';
import { pathText } from '../../../src/output/text/escape.ts';
import { count, nonZero } from '../../../src/output/text/number.ts';
import type { Theme } from '../../../src/output/text/theme.ts';
import type { DemoHeaderFields } from '../../../src/recording/container/demo/demo-writer.ts';
import { DemoReplay } from '../../../src/recording/demo/demo-replay.ts';
import type { GameEvent } from '../../../src/recording/events/event.ts';
import { doubtfulFindings, type Finding, statusOf } from '../../../src/recording/health/findings.ts';
import type { RecordingEntry } from '../../../src/recording/replay/record.ts';
import { attempt } from '../../../src/wire/bytes/diagnostic.ts';
import type { Schema } from '../../../src/wire/protocol/registry.ts';
import type { TickRange } from '../../../src/wire/protocol/ticks.ts';
import { readSchemaFile } from '../input/input-of.ts';
import { refuseEmpty } from '../input/inputs.ts';
import { type Opened, open } from '../input/opened.ts';
import { eachRecord } from '../input/records.ts';
import { type CommandError, exit, inputError, usageError } from '../options/errors.ts';
import type { demoOutput, Given } from '../options/options.ts';
import { isColored, themeOf } from '../output/colours.ts';
import { isToStdout, OutputFile, refuseBinary } from '../output/printing.ts';
import type { Io } from '../platform/io.ts';
import { fittedSink, printProblem } from '../platform/note.ts';

/** Receives a record of a demo; returns true if no more are needed. */
type Add = (entry: RecordingEntry) => unknown;

export class DemoWork {
  readonly output: string;
  readonly schema: Schema;
  readonly theme: Theme;
  readonly io: Io;
  readonly outputs: DemoOutput[] = [];
  /** How the compressed streams of the demo that is read end, and then those of the ones that are written. */
  readonly mode = new LastByteMode();

  /** The ticks of the demo that was read last that are in doubt. */
  #doubtful: readonly Finding[] = [];

  private constructor(output: string, schema: Schema, theme: Theme, io: Io) {
    this.output = output;
    this.schema = schema;
    this.theme = theme;
    this.io = io;
  }

  /** @throws CommandError without a file, and for a terminal */
  static async of({ output, color, schema }: Partial<Given<ReturnType<typeof demoOutput>>>, io: Io): Promise<DemoWork> {
    if (output === undefined) throw usageError('name the file to write with -o');
    const isReportPrinted = !isToStdout({ output });
    refuseBinary('a demo is binary', { output, io });
    const theme = await themeOf(isReportPrinted && isColored(color ?? 'auto', io));
    return new DemoWork(output, await readSchemaFile(schema, io), theme, io);
  }

  begin(path = this.output, about: readonly GameEvent[] = []): DemoOutput {
    const output = new DemoOutput(path, about, this.mode, this.io);
    this.outputs.push(output);
    return output;
  }

  /** Opens a demo; a position in it is for the command. */
  async open(path: string | undefined): Promise<Opened> {
    return demoOf(await open(path, this));
  }

  /**
   * Reads all records of a demo. Between two pieces of it, what was recorded so far is written.
   * @throws CommandError if the header cannot be read; after the last record, if compressed data ends early
   */
  async read(opened: Opened, add: Add): Promise<void> {
    const replay = new DemoReplay({ parts: true, schema: this.schema });
    let hasHeader = false;
    let unreadable: CommandError | undefined;
    const addReadable = (entry: RecordingEntry) => {
      hasHeader ||= entry.record === 'header';
      if (!hasHeader && entry.record === 'diagnostic' && entry.diagnostic.severity === 'error') {
        unreadable = inputError(`${opened.name}: ${diagnosticLine(entry.diagnostic)}`);
      }
      return unreadable || add(entry) === true ? true : undefined;
    };
    const { failure } = await eachRecord(opened, replay, addReadable, () => this.drain());
    await this.drain();
    if (failure ?? unreadable) throw failure ?? unreadable;
  }

  /**
   * Reads only the records that damage does not make doubtful, and returns the losses. What only signs make doubtful is
   * read, and told by {@link reportLosses}.
   * @param concerns whether a loss of these ticks counts
   */
  async readSure(opened: Opened, add: Add, concerns = (_: TickRange) => true): Promise<Losses> {
    let isDone = false;
    const filter = new LossFilter(
      (entry) => {
        isDone ||= add(entry) === true;
      },
      { concerns },
    );
    await this.read(opened, (entry) => {
      this.detectEnding(entry);
      filter.add(entry);
      return isDone;
    });
    filter.finish();
    const ranges = filter.judge.ranges.filter(({ cause }) => cause?.severity === 'warning');
    this.#doubtful = doubtfulFindings({ ranges }, concerns);
    return filter.losses;
  }

  detectEnding(entry: RecordingEntry): void {
    if (entry.record === 'snapshot' || entry.record === 'message') this.mode.add(entry.payload);
  }

  async drain(): Promise<void> {
    for (const output of this.outputs) await output.drain();
  }

  async reportWritten(lines: readonly string[], demos: readonly DemoOutput[] = this.outputs): Promise<void> {
    await printReport([...renderWritten(demos, this.theme), ...lines], this);
  }

  /**
   * Reports the unreadable parts of a demo that was read, and those that were written and are in doubt, for commands
   * other than repair; returns the exit status.
   */
  async reportLosses(name: string, losses: Losses): Promise<number> {
    for (const found of this.#doubtful) await printProblem(`${pathText(name)}: ${findingText(found, name)}`, this.io);
    if (losses.count + losses.messages === 0) return statusOf(this.#doubtful);
    const lines = [`${pathText(name)}: damaged; left out:`, ...renderLosses(losses)];
    await this.io.stderr.write(lines.map((line) => `tw-snap: ${line}\n`).join(''));
    return exit.unreadable;
  }
}

/** @throws CommandError if it is no demo */
export function demoOf(opened: Opened): Opened {
  refuseEmpty(opened);
  if (opened.format?.hasPackets)
    throw inputError(
      `${opened.name}: this is not a demo but a capture; extract --demo takes one out, which edit --anonymise can anonymise`,
    );
  if (!opened.format?.hasTicks) throw inputError(`${opened.name}: this is not a demo`);
  return opened;
}

const bufferBytes = 1 << 16;

/** A demo that is written to a file or to standard output. The file appears when it is complete. */
class DemoOutput {
  /** The name in reports. */
  readonly name: string;
  readonly about: readonly GameEvent[];
  readonly recorder: DemoRecorder;
  /** Is given all that is written. A header that is corrected at the end has another length and other markers. */
  onWritten: ((bytes: Uint8Array) => void) | undefined;
  readonly #file: OutputFile;
  readonly #io: Io;
  #written = 0;
  /** The first bytes as written, since the header is corrected at the end. */
  #first: Uint8Array = new Uint8Array(0);

  constructor(path: string, about: readonly GameEvent[], mode: LastByteMode, io: Io) {
    this.name = pathText(outputName(path));
    this.about = about;
    this.#io = io;
    this.recorder = new DemoRecorder(mode);
    this.#file = new OutputFile(path, io);
  }

  readonly emit = (entry: RecordingEntry): void => this.recorder.add(entry);

  async drain(): Promise<void> {
    if (this.recorder.length - this.#written >= bufferBytes) await this.#write();
  }

  /**
   * Writes the remaining bytes and the corrected header. In a pipe the header cannot be overwritten and stays as it is.
   * @param changes to the header; the length is computed, and the markers are limited to the recorded ticks, unless
   *   they are changed
   * @param joined the markers of all parts, of which a header may not have room for all
   */
  async finish(changes: Partial<DemoHeaderFields> = {}, joined?: readonly number[]): Promise<void> {
    const { recorder } = this;
    recorder.finish();
    await this.#write();
    const { tooLarge } = recorder;
    const { markers, dropped } = joined
      ? markersOf(joined)
      : { markers: changes.markers ?? recorder.markers, dropped: 0 };
    const header = recorder.finalHeader({ ...changes, markers });
    if (header.some((byte, i) => byte !== this.#first[i]) && !(await this.#file.overwrite(header, 0))) {
      await printProblem(`${this.name}: the header stays incomplete: a pipe can't be rewritten`, this.#io);
    }
    await this.#file.finish();
    const unheld = recorder.header.version < 4 ? markers.length : 0;
    const left = nonZero(
      [tooLarge, `${count(tooLarge, 'snapshot or message', 'snapshots or messages')} too large for a demo, left out`],
      [dropped, `${count(dropped, 'marker')} left out: over 64 or less than a second apart`],
      [unheld, `${count(unheld, 'marker')} left out: version 3 of the format has none`],
      [recorder.hasOneTick ? 1 : 0, 'only one tick: the games do not play it'],
    );
    for (const line of left) await printProblem(`${this.name}: ${line}`, this.#io);
  }

  async #write(): Promise<void> {
    if (this.recorder.length === this.#written) return;
    const bytes = this.recorder.flush();
    if (this.#written === 0) this.#first = bytes.slice(0, 484);
    this.#written += bytes.length;
    this.onWritten?.(bytes);
    await this.#file.write(bytes);
  }
}

/** @throws CommandError if nothing of a damaged demo is left to be written */
export function refuseNothing({ name }: Opened, { recorder }: DemoOutput): void {
  const error = attempt(() => requireSnapshots(recorder.snapshots));
  if (error) throw inputError(`${name}: ${error.message}`);
}

export const outputName = (path: string) => (isToStdout({ output: path }) ? 'standard output' : path);

export async function printReport(
  lines: readonly string[],
  { output, io }: { readonly output: string; readonly io: Io },
): Promise<void> {
  if (lines.length === 0 || io.isQuiet) return;
  if (isToStdout({ output })) await io.stderr.write(lines.map((line) => `tw-snap: ${line}\n`).join(''));
  else await fittedSink(io.stdout).write(`${lines.join('\n')}\n`);
}

/** `2026-11-20_11-08-13`, the notation of recorders. */
export function localTime(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}_${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join('-')}`;
}
