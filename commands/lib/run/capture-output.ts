import { diagnosticLine } from '../../../src/output/phrases/diagnostic-messages.ts';
import { pathText } from '../../../src/output/text/escape.ts';
import { CaptureReplay } from '../../../src/recording/capture/capture-replay.ts';
import type { CaptureBlock, CaptureFormat } from '../../../src/recording/container/capture/capture-frame.ts';
import { CaptureWriter, UnwritableCapture } from '../../../src/recording/container/capture/capture-writer.ts';
import { isPcapng } from '../../../src/recording/container/detect.ts';
import type { RecordingEntry } from '../../../src/recording/replay/record.ts';
import { join } from '../../../src/wire/bytes/copy.ts';
import type { Schema } from '../../../src/wire/protocol/registry.ts';
import type { Opened, OpenedRecording } from '../input/opened.ts';
import { exit, usageError } from '../options/errors.ts';
import { OutputFile } from '../output/printing.ts';
import type { Io } from '../platform/io.ts';
import { printProblem } from '../platform/note.ts';
import { outputName } from './demo-output.ts';

/** The format that the name of a file says, otherwise that of the input. */
export const captureFormatOf = (path: string, input: CaptureFormat): CaptureFormat =>
  /\.(pcap|cap|dmp)$/i.test(path) ? 'pcap' : /\.pcapng$/i.test(path) ? 'pcapng' : input;

export const formatOf = ({ source }: Opened): CaptureFormat => (isPcapng(source.first) ? 'pcapng' : 'pcap');

interface Check {
  file(bytes: Uint8Array): void;
  add(entry: RecordingEntry): void;
}

interface CaptureOutputOptions {
  readonly format: CaptureFormat;
  readonly schema: Schema;
  /** Whether of all blocks only packets are written, without comments. */
  readonly onlyPackets?: boolean;
  /** Receives the bytes that are written, and their records as its reader will have them. */
  readonly check?: Check;
}

/** A capture that is written, and read at once as its reader will. The file appears when it is complete. */
export class CaptureOutput {
  /** The name in reports. */
  readonly name: string;
  packets = 0;
  bytes = 0;
  /** What its reader makes of the snapshots in it. */
  readonly snapshots = { all: 0, lost: 0, firstTick: Infinity, lastTick: -1 };
  readonly #file: OutputFile;
  readonly #writer: CaptureWriter;
  readonly #replay: CaptureReplay;
  readonly #check: Check | undefined;
  readonly #waiting: Uint8Array[] = [];
  #isSettled = false;

  constructor(path: string, io: Io, { format, schema, onlyPackets = false, check }: CaptureOutputOptions) {
    this.name = pathText(outputName(path));
    this.#file = new OutputFile(path, io);
    this.#writer = new CaptureWriter(`tw-snap ${VERSION}`, { format, onlyPackets });
    this.#replay = new CaptureReplay({ schema, messages: false, parts: check !== undefined });
    this.#check = check;
  }

  write(block: CaptureBlock, comments?: readonly Uint8Array[], content?: Uint8Array): void {
    let bytes: Uint8Array;
    try {
      bytes = this.#writer.write(block, comments, content);
    } catch (error) {
      if (!(error instanceof UnwritableCapture)) throw error;
      throw usageError(`${this.name}: ${error.message}; write a pcapng`);
    }
    if (block.packet) this.packets++;
    if (bytes.length > 0) this.#waiting.push(bytes);
  }

  async drain(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const bytes = join(this.#waiting.splice(0));
    this.bytes += bytes.length;
    this.#check?.file(bytes);
    this.#read(this.#replay.feed(bytes));
    await this.#file.write(bytes);
  }

  /** Writes and reads all, so that what is in it is known. The file is still none. */
  async settle(): Promise<void> {
    await this.drain();
    if (!this.#isSettled) this.#read(this.#replay.finish());
    this.#isSettled = true;
  }

  async finish(): Promise<void> {
    await this.settle();
    await this.#file.finish();
  }

  #read(entries: Iterable<RecordingEntry>): void {
    const { snapshots } = this;
    for (const entry of entries) {
      this.#check?.add(entry);
      if (entry.record !== 'snapshot') continue;
      const { tick, verdict } = entry;
      snapshots.all++;
      if (verdict === 'missing_base' || verdict === 'missing_part') snapshots.lost++;
      snapshots.firstTick = Math.min(snapshots.firstTick, tick);
      snapshots.lastTick = Math.max(snapshots.lastTick, tick);
    }
  }
}

/** The options with which captures are read to be written. */
const options = { blocks: true, parts: true } as const;

interface CaptureReading {
  readonly schema: Schema;
  readonly io: Io;
  /** Whether what can't be read of the file is told: it may be read twice. */
  readonly tells?: boolean;
  afterPiece?(): Promise<void>;
}

/**
 * Reads all records of a capture, with its blocks.
 * @returns the exit status: what can't be read of the file itself is in no output
 */
export async function readCapture(
  opened: OpenedRecording,
  { schema, io, tells = false, afterPiece }: CaptureReading,
  add: (entry: RecordingEntry) => void,
): Promise<number> {
  const records = await opened.records({ schema, version: undefined, follow: false }, options);
  const problems: string[] = [];
  const each = (entry: RecordingEntry) => {
    add(entry);
    if (entry.record !== 'diagnostic' || entry.stream || entry.diagnostic.severity !== 'error') return;
    if (problems.length < maxProblems) problems.push(diagnosticLine(entry.diagnostic));
  };
  const { failure } = await records.each(each, afterPiece);
  if (failure) throw failure;
  if (tells) for (const problem of problems) await printProblem(`${pathText(opened.name)}: ${problem}`, io);
  return problems.length > 0 ? exit.unreadable : exit.fine;
}

const maxProblems = 10;
