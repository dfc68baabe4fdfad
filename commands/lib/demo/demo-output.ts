import { type DemoHeaderFields, writeDemoHeader } from '../../../src/container/demo/write-header.ts';
import { DemoRecorder } from '../../../src/edit/demo-recorder.ts';
import type { LastByteMode } from '../../../src/edit/last-byte-mode.ts';
import type { RecordingEntry } from '../../../src/recording/record.ts';
import { escapeText } from '../../../src/view/text/escape.ts';
import { count } from '../../../src/view/text/number.ts';
import { usageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { isToStdout, OutputFile } from '../output/output.ts';

/** Bytes that are gathered before they are written. */
const bufferBytes = 1 << 16;

/** A demo that is written from records, to a file or to standard output. The file is there when it is whole. */
export class DemoOutput {
  readonly path: string;
  readonly recorder: DemoRecorder;
  readonly #file: OutputFile | undefined;
  readonly #io: Io;
  #written = 0;
  /** The first bytes, as they were written: the header is corrected at the end. */
  #first: Uint8Array = new Uint8Array(0);

  /** @param path `-` for standard output */
  constructor(path: string, mode: LastByteMode, io: Io) {
    this.path = path;
    this.#io = io;
    this.recorder = new DemoRecorder(mode);
    this.#file = isToStdout({ output: path }) ? undefined : new OutputFile(path, io);
  }

  readonly emit = (entry: RecordingEntry): void => this.recorder.add(entry);

  /** Writes what has been recorded, where it is enough to be worth it. */
  async drain(): Promise<void> {
    if (this.recorder.length - this.#written >= bufferBytes) await this.#write();
  }

  /**
   * Writes the rest, and the header anew with what is known only now. In a pipe it can't be written anew: there it stays as it
   * was begun.
   * @param changes to the header as it was begun; the length is counted, and the markers are those from the first tick to the
   * last, unless they say otherwise
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
      await this.#io.stderr.write(
        `tw-snap: ${name}: the header stays as it was begun; a pipe can't be written again\n`,
      );
    }
    await this.#file?.finish();
    const { length } = recorder.problems;
    if (length > 0) {
      const left = `${count(length, 'snapshot or message', 'snapshots or messages')} too large for a demo, left out`;
      await this.#io.stderr.write(`tw-snap: ${escapeText(this.path)}: ${left}\n`);
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

/** A demo is nothing for a terminal. */
export function refuseTerminal(output: string | undefined, { stdout }: Io): string {
  if (output === undefined) throw usageError('name the file to write with -o');
  if (stdout.isTerminal && isToStdout({ output }))
    throw usageError('a demo is binary, not for a terminal: name a file with -o');
  return output;
}
