import { inPieces } from '../../../src/input/decompress/pieces.ts';
import type { FoundPacket } from '../../../src/input/source/found.ts';
import { open as openBytes, type Source } from '../../../src/input/source/open.ts';
import type { Position } from '../../../src/input/source/position.ts';
import type { RecordingFormat } from '../../../src/recording/formats.ts';
import type { PacketContents } from '../../../src/wire/packet/packet-contents.ts';
import type { Payload } from '../../../src/wire/payload/payload.ts';
import type { TickRange } from '../../../src/wire/protocol/ticks.ts';
import { inputError } from '../options/errors.ts';
import type { Io } from '../platform/io.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { printNote } from '../platform/note.ts';
import { withProgress } from '../platform/progress.ts';
import type { Choosing } from './chosen.ts';
import {
  type Input,
  isPart,
  type Loaded,
  type LoadedInput,
  nameOfInput,
  type OpenInput,
  type OpenRecording,
  otherPosition,
  refuseEmpty,
  refuseMeaningless,
  refuseNeedlessBase,
  sourceFailure,
  splitPosition,
} from './inputs.ts';
import { type LoadedText, loadOne, loadPasted, noteDeltas, refuseUnrecognised, withBase } from './loaded.ts';
import type { RecordOptions, Records } from './records.ts';

type Opening = Pick<Input, 'io'> & Partial<Pick<Input, 'format' | 'follow'>>;

/**
 * Opens FILE, `-` or standard input, and with a position `FILE@MOMENT`, `FILE@A..B` or `FILE#N`: decompresses it where
 * that is needed, and detects its format.
 * @param isQuiet whether it is not said what became of it on its way: it is opened a second time
 * @throws CommandError if it can't be read
 */
export async function open(named: string | undefined, input: Opening, isQuiet = false): Promise<Opened> {
  const { format, follow = false, io } = input;
  const { path, position } = splitPosition(named, io);
  const isStdin = path === undefined || path === '-';
  if (!isStdin && !io.exists(path)) {
    const { openSet } = await import('./joined.ts');
    const set = await openSet(path, io, isQuiet, (path) => open(path, { io }, true));
    if (set) return new Opened({ ...set, position }, () => open(path, input, true));
  }
  const name = nameOfInput(path);
  if (isStdin && io.stdinIsTerminal)
    await printNote('reading from the terminal: paste hex, end with Ctrl-D (tw-snap --help for more)', io);

  let isRecording = false;
  const pieces = io.open(path ?? '-', 0, follow, () => isRecording);
  // A pipe can be opened only once; it has no size.
  const isFile = !isStdin && io.size(path) > 0;
  const again = isFile ? (offset?: number) => io.open(path, offset) : undefined;
  const source = await openBytes({ pieces, again }, { format }, nodePlatform, follow).catch((error: unknown) => {
    throw sourceFailure(name, error);
  });
  if (source.other) throw inputError(`${name}: this is ${source.other}`);
  if (source.change) await (await oddities()).tellChange(source.change, name, io, isQuiet);

  isRecording = source.format !== undefined && !source.isCompressed;
  // `--from` may name a format that the input does not have. A device or pipe has no size, and may have no end.
  const isEndless = source.format?.accepts(source.first) === false && !isFile;
  const all = unlessRefused(
    name,
    source.format && !follow && !isQuiet ? (await oddities()).untilEnd(source, name, io) : source.pieces,
  );
  const read = withProgress(name, isEndless ? onlyFirst(source.first, all) : all, io);
  return new Opened({ name, path: path ?? '-', source: source.with({ pieces: read }), isFile, position }, () =>
    open(path, input, true),
  );
}

/** Loaded for recordings only, to keep start-up fast. */
const oddities = () => import('./odd-inputs.ts');

/** The beginning of an input that may never end. */
async function* onlyFirst(first: Uint8Array, pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const _ of pieces) break;
  yield first;
}

/** If the system refuses an input or the input is damaged, the reason is reported with its name. */
async function* unlessRefused(name: string, pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    throw sourceFailure(name, error);
  }
}

type OpenFields = Omit<OpenInput, 'format' | 'isEmpty'>;

/**
 * An input of a command. A method reads it, or says which part of it is read later; one that the input does not have is
 * refused with advice. What a method needs is loaded with its first call.
 */
export class Opened implements OpenInput {
  declare readonly name: string;
  declare readonly path: string;
  declare readonly source: Source;
  readonly format: RecordingFormat | undefined;
  readonly isEmpty: boolean;
  declare readonly isFile: boolean;
  declare readonly isBase?: boolean;
  declare readonly position?: Position | undefined;
  declare readonly client?: string | undefined;
  declare readonly ticks?: TickRange | undefined;
  declare readonly only?: Payload | PacketContents | undefined;
  declare readonly doubt?: number;
  readonly #again: () => Promise<Opened>;

  constructor(fields: OpenFields, again: () => Promise<Opened>) {
    Object.assign(this, fields);
    this.format = fields.source.format;
    this.isEmpty = fields.source.first.length === 0;
    this.#again = again;
  }

  with(changes: Partial<OpenFields>): Opened {
    return new Opened({ ...this, ...changes }, this.#again);
  }

  /** The same, with pieces that someone looks at. */
  watched(watch: (pieces: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>): Opened {
    return this.with({ source: this.source.with({ pieces: watch(this.source.pieces) }) });
  }

  async again(): Promise<OpenedRecording> {
    return (await this.#again()) as OpenedRecording;
  }

  /** @throws CommandError if a position in it is named */
  get whole(): this {
    if (this.position) throw otherPosition(this.name, this.position);
    return this;
  }

  /**
   * The recording with the client and the ticks that are chosen: those of `FILE@A..B`, or of `--ticks`.
   * @throws CommandError for any other input
   */
  async recording(input: Choosing): Promise<OpenedRecording> {
    refuseEmpty(this);
    if (!this.format) throw await (await import('./snapshots.ts')).noRecording(this);
    if (input.limits) refuseMeaningless([this], { limits: input.limits });
    if (input.client === undefined && !input.ticks && !this.position) return this as OpenedRecording;
    // Loaded here only, to keep start-up fast.
    const { chosenIn } = await import('./chosen.ts');
    const chosen = await chosenIn(this as OpenedRecording, input);
    return this.with({ ...chosen, position: undefined }) as OpenedRecording;
  }

  /**
   * The same; a snapshot, a delta whose base is known, or a packet is a recording of one.
   * @param mayLackSnapshot whether a delta without its base and a packet without messages or sender are, too
   */
  async recordingOrPayload(input: Input, mayLackSnapshot = false): Promise<OpenedRecording> {
    if (this.format || isPart(this)) return this.recording(input);
    refuseEmpty(this);
    refuseMeaningless([this], input);
    const { recordingOfOne } = await import('./snapshots.ts');
    const own = { ...input, deltas: { isFound: false } };
    const loaded = await this.payload(own);
    refuseNeedlessBase(this.name, own);
    return this.with(await recordingOfOne(this.source, loaded, own, mayLackSnapshot)) as OpenedRecording;
  }

  /** The records of a recording: the replay, and how to read them. */
  async records(input: Pick<Input, 'version' | 'schema' | 'follow'>, options?: RecordOptions): Promise<Records> {
    const { Records } = await import('./records.ts');
    return new Records(this, input, options);
  }

  /** What is there: of a recording the snapshot or packet at the position, otherwise the only payload or packet. */
  async payload(input: Input): Promise<LoadedInput> {
    const loading = await withBase(input);
    if (this.format) {
      const { loadRecording } = await import('./moment.ts');
      const loaded = await loadRecording(this.with({ position: undefined }) as OpenedRecording, this.position, loading);
      noteDeltas(loaded, input);
      return loaded;
    }
    return loadOne(this, await loadPasted(this, loading), input);
  }

  /** Those of a text, where there may be several. */
  async payloads(input: Input): Promise<LoadedText> {
    return loadPasted(this, await withBase(input));
  }

  /** The same as one snapshot or delta: a packet or message is replaced by the delta in it. */
  async delta(input: Input): Promise<Loaded> {
    const loaded = await this.payload(input);
    if (loaded.kind === 'payload') return loaded;
    refuseUnrecognised(loaded, input);
    return (await import('./snapshots.ts')).deltaOf(loaded, input);
  }

  /** The packet of a capture with Wireshark's frame number. */
  async packet(number: number, input: Input): Promise<FoundPacket> {
    return (await import('./moment.ts')).atPacket(this, number, input);
  }
}

export type OpenedRecording = Opened & OpenRecording;

/** Opens a file that an option names, which is no recording: it is read as it is. */
export const openPlain = async (path: string, io: Io): Promise<Opened> => open(path, { format: 'none', io });

export async function openText(name: string, text: string): Promise<Opened> {
  const pieces = inPieces(new TextEncoder().encode(text));
  const source = await openBytes({ pieces }, { format: 'none' }, nodePlatform);
  return new Opened({ name, path: '-', source, isFile: false }, () => openText(name, text));
}
