import type { TickRange } from '../../../src/protocol/ticks.ts';
import {
  type DiagnosticEntry,
  matchesClient,
  type RecordingEntry,
  type Stream,
} from '../../../src/recording/record.ts';
import type { DatagramCounts, ReadOptions, Replay } from '../../../src/recording/replay.ts';
import { CommandError, withoutName } from '../errors.ts';
import { newFile } from '../input/growing.ts';
import { type Input, type Opened, refuseIneffective } from '../input/open.ts';
import { TickCheck } from '../selection.ts';

/** Opens the recording of an input in the stated protocol. */
export function openReplay(
  { format }: Pick<Opened, 'format'>,
  { version, schema, follow }: Pick<Input, 'version' | 'schema' | 'follow'>,
  options: Omit<ReadOptions, 'version' | 'schema'> = {},
): Replay {
  const open = () => format!.open({ ...options, schema, ...(version && { version }) });
  return follow ? new FollowedReplay(open) : open();
}

/** The replay of a growing file. If another file replaces the file, connections continue and a demo begins again. */
export class FollowedReplay implements Replay {
  readonly #open: () => Replay;
  readonly #earlier: Stream[] = [];
  #replay: Replay;

  constructor(open: () => Replay) {
    this.#open = open;
    this.#replay = open();
  }

  get container(): string | undefined {
    return this.#replay.container;
  }

  get streams(): readonly Stream[] {
    return [...this.#earlier, ...this.#replay.streams];
  }

  get datagrams(): DatagramCounts | undefined {
    return this.#replay.datagrams;
  }

  feed(piece: Uint8Array): Iterable<RecordingEntry> {
    return piece === newFile ? this.#restart() : this.#replay.feed(piece);
  }

  finish(): Iterable<RecordingEntry> {
    return this.#replay.finish();
  }

  *#restart(): Generator<RecordingEntry, void> {
    if (this.#replay.restart) {
      yield* this.#replay.restart();
      return;
    }
    yield* this.#replay.finish();
    this.#earlier.push(...this.#replay.streams);
    this.#replay = this.#open();
  }
}

/** The end of reading an input. */
export interface InputEnd {
  /** The number of bytes that were read. */
  readonly bytes: number;
  /** The reason why the rest could not be read: compressed data may end early. */
  readonly failure: CommandError | undefined;
}

/** What consumes the records of a recording. */
interface RecordReader {
  /** If it returns a promise, the next record waits for it. */
  add(entry: RecordingEntry): Promise<void> | void;
  /** Called after all records of a piece of the input. */
  afterPiece?(piece: Uint8Array): Promise<void>;
  /** Called after the last record, before options are refused that had no effect. */
  afterAll?(end: InputEnd): Promise<void>;
}

/** The records that are wanted; `range` are the ticks one of which the recording must have. */
type Wanted = Omit<ReadOptions, 'version' | 'schema'> & { readonly range?: TickRange | undefined };

/**
 * Reads a recording to its end, or to a failure: the reader receives the records of the chosen client.
 * @throws CommandError for options that turn out to have no effect
 */
export async function readRecording<Reader extends RecordReader>(
  opened: Opened,
  input: Input,
  { range, ...wanted }: Wanted,
  begin: (replay: Replay) => Reader,
): Promise<InputEnd & { readonly reader: Reader; readonly replay: Replay }> {
  const { client } = input;
  const replay = openReplay(opened, input, wanted);
  const reader = begin(replay);
  const ticks = new TickCheck(range);
  const add = (entry: RecordingEntry) => {
    if (!matchesClient(entry.stream, client)) return undefined;
    if (entry.record === 'snapshot') ticks.add(entry.tick);
    return reader.add(entry);
  };
  const end = await readRecords(opened, replay, add, reader.afterPiece?.bind(reader));
  await reader.afterAll?.(end);
  if (!end.failure) {
    refuseIneffective(opened.name, input, replay);
    ticks.require(opened.name);
  }
  return { ...end, reader, replay };
}
/**
 * Passes the records of an input to `add`, including those before a failure. If `add` returns a promise, the next
 * record waits for it.
 * @param afterPiece called after all records of a piece of the input
 */
export async function readRecords(
  { pieces }: Pick<Opened, 'pieces'>,
  replay: Replay,
  add: (entry: RecordingEntry) => Promise<void> | void,
  afterPiece?: (piece: Uint8Array) => Promise<void>,
): Promise<InputEnd> {
  let bytes = 0;
  let failure: CommandError | undefined;
  async function* untilFailure() {
    try {
      yield* pieces;
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      failure = error;
    }
  }
  const addAll = async (entries: Iterable<RecordingEntry>) => {
    for (const entry of entries) {
      const written = add(entry);
      if (written) await written;
    }
  };
  for await (const piece of untilFailure()) {
    bytes += piece.length;
    await addAll(replay.feed(piece));
    await afterPiece?.(piece);
  }
  await addAll(replay.finish());
  return { bytes, failure };
}

/**
 * The failure that ended an input, as a record after all others.
 * @throws CommandError the failure, if nothing was read before it
 */
export function failureEntry({ bytes, failure }: InputEnd, name: string): DiagnosticEntry | undefined {
  if (!failure) return undefined;
  if (bytes === 0) throw failure;
  const what = withoutName(name, failure.message);
  const diagnostic = { severity: 'error', code: 'input_failed', offset: bytes, args: { what } } as const;
  return { record: 'diagnostic', stream: undefined, diagnostic };
}
