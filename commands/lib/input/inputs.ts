import { readAll } from '../../../src/input/decompress/pieces.ts';
import { maxTextBytes, type Part, tooLongText } from '../../../src/input/source/byte-strings.ts';
import { openSource } from '../../../src/input/source/open.ts';
import { type Position, splitPosition as splitName } from '../../../src/input/source/position.ts';
import { SourceError, type Stated } from '../../../src/input/stated.ts';
import { diagnosticLine, diagnosticMessage } from '../../../src/output/phrases/diagnostic-messages.ts';
import { escapeText } from '../../../src/output/text/escape.ts';
import { count } from '../../../src/output/text/number.ts';
import type { PlayerChoice } from '../../../src/recording/events/player-choice.ts';
import { knownFormats, type RecordingFormat, withReader } from '../../../src/recording/formats.ts';
import type { DatagramCounts, Replay } from '../../../src/recording/replay/replay.ts';
import {
  type ConnectionStream,
  isConnection,
  matchesClient,
  type Stream,
} from '../../../src/recording/replay/stream.ts';
import { DecodeError } from '../../../src/wire/bytes/diagnostic.ts';
import type { Encoding } from '../../../src/wire/payload/encoding-layers.ts';
import { noSchema, type Schema } from '../../../src/wire/protocol/registry.ts';
import type { TickRange } from '../../../src/wire/protocol/ticks.ts';
import { CommandError, inputError, reason, usageError } from '../options/errors.ts';
import { type anyInput, type common, type Given, inputLimitsOf } from '../options/options.ts';
import type { Io } from '../platform/io.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { printNote } from '../platform/note.ts';
import { withProgress } from '../platform/progress.ts';

/** What a command is told of its inputs: what is stated of their bytes, and what it needs besides. */
export interface Input extends Readonly<Awaited<ReturnType<typeof inputOf>>> {
  /** The player who is selected: names are followed up to the moment that is read. */
  readonly player?: PlayerChoice | undefined;
}

type GivenInput = Partial<Given<typeof anyInput & Pick<typeof common, 'follow' | 'strict' | 'ticks'>>>;

/** How inputs are read, by the options; the file of `--schema` is read at once. */
export async function inputOf(given: GivenInput, io: Io) {
  return {
    ...statedBy(given),
    schema: await readSchemaFile(given.schema, io),
    /** The number of the only packet that is read of a text with several, from 1. */
    nth: given.nth,
    client: given.client,
    ticks: given.ticks,
    follow: given.follow === true,
    strict: given.strict === true,
    /** The file that `--base` names, or `empty`. */
    baseFile: given.base === 'unknown' ? undefined : given.base,
    /** The kinds of input that are expected. */
    limits: inputLimitsOf(given),
    io,
    opened: [] as Opened[],
  };
}

/** What the options state of the bytes. */
function statedBy({ from, kind, protocol, base }: GivenInput): Omit<Stated, 'base' | 'schema'> {
  const given = unlessAuto(from);
  const isFormat = knownFormats.some(({ name }) => name === given);
  // Of pasted text and of bytes that only look like text, the encoding is recognised.
  const isForm = given === 'hex' || given === 'bytes';
  const isEncoding = given !== undefined && !isFormat && !isSent(given) && !isForm;
  return {
    format: given === undefined || isFormat ? given : 'none',
    encoding: isEncoding ? (given as Encoding) : undefined,
    kind: isSent(given) ? given : unlessAuto(kind),
    version: unlessAuto(protocol),
    isBaseUnknown: base === 'unknown',
    isText: isForm ? given === 'hex' : undefined,
  };
}

const isSent = (word: string | undefined) => word === 'packet' || word === 'message';

const unlessAuto = <Value extends string>(value: Value | undefined) =>
  value === 'auto' ? undefined : (value as Exclude<Value, 'auto'> | undefined);

/**
 * The items and messages of `--schema FILE`, or of the file that the variable `TW_SNAP_SCHEMA` names; `declared`
 * without what the tables know of them.
 */
export async function readSchemaFile(
  given: string | undefined,
  io: Io,
  form: 'usable' | 'declared' = 'usable',
): Promise<Schema> {
  const path = given ?? io.env.TW_SNAP_SCHEMA;
  if (!path) return noSchema;
  // Loaded here only, to keep start-up fast.
  const { readDeclared, readSchema } = await import('../../../src/wire/schema/read-schema.ts');
  try {
    const text = await readText(await openInput(path, { format: 'none', io }));
    return form === 'declared' ? readDeclared(text) : readSchema(text);
  } catch (error) {
    throw decodeFailure(path, error);
  }
}

/**
 * Splits a path and the position in it. An existing file with the whole name takes precedence.
 * @throws CommandError for an existing file with what is no position
 */
export function splitPosition(
  path: string | undefined,
  io: Pick<Io, 'exists'>,
): { readonly path: string | undefined; readonly position: Position | undefined } {
  if (path === undefined) return { path, position: undefined };
  try {
    const { path: file, position } = splitName(path, io.exists);
    return { path: position && file === '' ? '-' : file, position };
  } catch (error) {
    throw usageError(`${path}: ${reason(error)}`);
  }
}

const kindOfPosition = (position: Position): 'moment' | 'packet' | 'range' => {
  if ('moment' in position) return 'moment';
  return 'packet' in position ? 'packet' : 'range';
};

/** The commands that read each kind of position. */
const readers = {
  moment: 'one moment is for decode, diff, apply, extract, checksum and report; a range is written 0:10..0:20',
  packet: 'one packet is for decode and extract',
  range: 'a range is for dump, stats, checksum, export, report and slice',
};

/** The error for a position that a command does not read, or not of this input. */
export const otherPosition = (name: string, position: Position): CommandError => {
  const kind = kindOfPosition(position);
  return usageError(`${name}${kind === 'packet' ? '#' : '@'}${position.text}: ${readers[kind]}`);
};

/** An opened input. Its first bytes have been peeked, not consumed. */
export interface Opened {
  readonly name: string;
  readonly path: string;
  /** Whether `path` can be opened again at any position. */
  readonly canSeek: boolean;
  /** Undefined if it is a single payload instead of a recording. */
  readonly format: RecordingFormat | undefined;
  readonly isEmpty?: boolean;
  /** Whether it is the base of a delta, and no input of its own. */
  readonly isBase?: boolean;
  readonly pieces: AsyncIterable<Uint8Array>;
  /** The position in it that was named with the file. */
  readonly position?: Position | undefined;
  readonly client?: string;
  readonly ticks?: TickRange;
}

/** A part of an input. */
export interface Source extends Part {
  /** Contains the number and line of one of several byte strings. */
  readonly name: string;
  /** The line of the pasted text where it begins, unless the name contains it. */
  readonly line?: number;
}

type Opening = Pick<Input, 'io'> & Partial<Pick<Input, 'format' | 'follow'>>;

export type OpenedRecording = Opened & { readonly format: RecordingFormat };

/** @throws CommandError if the input has no bytes */
export function refuseEmpty({ name, isEmpty }: Opened): void {
  if (isEmpty) throw inputError(`${name}: the input is empty`);
}

/** Opens FILE, `-` or standard input, decompresses it if necessary, and detects its format. */
export async function openInput(
  path: string | undefined,
  { format: stated, follow = false, io }: Opening,
): Promise<Opened> {
  const name = path === undefined || path === '-' ? 'standard input' : path;
  if (name !== path && io.stdinIsTerminal) {
    await printNote('reading from the terminal: paste hex, end with Ctrl-D (tw-snap --help for more)', io);
  }

  const { path: file = '-', position } = splitPosition(path, io);
  if (position && (file === '-' || io.exists(file))) throw otherPosition(file === '-' ? name : file, position);
  let isRecording = false;
  const read = io.open(path ?? '-', 0, follow, () => isRecording);
  const source = await openSource(read, { format: stated }, nodePlatform, follow).catch((error: unknown) => {
    throw sourceFailure(name, error);
  });
  const { first, isCompressed, format: known, other } = source;
  if (other) throw inputError(`${name}: this is ${other}`);

  // A pipe can be opened only once; it has no size.
  const canSeek = !isCompressed && name === path && io.size(path) > 0;
  const format = known && withReader(known, await known.load());
  isRecording = format !== undefined && !isCompressed;
  // `--from` may name a format that the input does not have. A device or pipe has no size, and may have no end.
  const isEndless = format?.accepts(first) === false && (name !== path || io.size(path) === 0);
  const all = unlessRefused(name, source.pieces);
  const pieces = isEndless ? onlyFirst(first, all) : all;
  return {
    name,
    path: path ?? '-',
    canSeek,
    format,
    isEmpty: first.length === 0,
    pieces: withProgress(name, pieces, io),
  };
}

/** Opens FILE, `FILE@MOMENT`, `FILE@A..B`, `FILE#N`, `-` or standard input. */
export async function openAt(name: string | undefined, input: Opening): Promise<Opened> {
  const { path, position } = splitPosition(name, input.io);
  return { ...(await openInput(path, input)), position };
}

/** The beginning of an input that may never end. */
async function* onlyFirst(first: Uint8Array, pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const _ of pieces) break;
  yield first;
}

export async function readText({ name, pieces }: Opened, limit = maxTextBytes): Promise<string> {
  const bytes = await readAll(pieces, limit + 1);
  if (bytes.length > limit) throw sourceFailure(name, tooLongText(limit));
  return new TextDecoder().decode(bytes);
}

/** The maximum size of a map, larger than any map of the games. */
const maxMapBytes = 1 << 28;

/** Reads a map of the games. Its format is not detected: only the commands that are given a map read one. */
export async function readMap(path: string, io: Io): Promise<Uint8Array> {
  const { name, pieces } = await openInput(path, { format: 'none', io });
  const bytes = await readAll(pieces, maxMapBytes + 1);
  if (bytes.length > maxMapBytes) throw inputError(`${name}: a map of more than ${maxMapBytes >> 20} MiB`);
  if (!/^(?:DATA|ATAD)/.test(String.fromCharCode(...bytes.subarray(0, 4))))
    throw inputError(`${name}: this is not a map: it does not begin with DATA`);
  return bytes;
}

/** If the system refuses an input or the input is damaged, the reason is reported with its name. */
async function* unlessRefused(name: string, pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    throw sourceFailure(name, error);
  }
}

/** The error for the user, with the name of the input, whose bytes can't be had. */
export function sourceFailure(name: string, error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  if (error instanceof SourceError) return inputError(`${name}: ${error.message}`);
  if (error instanceof DecodeError) return inputError(`${name}: ${diagnosticMessage(error)}`);
  return inputError(`${name}: can't be read: ${reason(error)}`);
}

/** Turns an error of a reader into one for the user, with the name of the input. */
export function decodeFailure(name: string, error: unknown): unknown {
  if (!(error instanceof DecodeError)) return error;
  const { code, offset, args } = error;
  return inputError(`${name}: ${diagnosticLine({ severity: 'error', code, offset, args })}`);
}

function kindOf({ format }: Opened): 'payload' | 'capture' | 'demo' {
  if (format === undefined) return 'payload';
  return format.hasPackets ? 'capture' : 'demo';
}

/** Whether the position in it is a snapshot or packet. */
export const isPart = ({ position }: Pick<Opened, 'position'>): boolean =>
  position !== undefined && !('range' in position);

const kindTexts = { demo: 'a demo', capture: 'a capture', payload: 'a single payload' } as const;

/**
 * Refuses options that have no effect on any of the inputs.
 * @throws CommandError
 */
export function refuseMeaningless(inputs: readonly Opened[], { limits }: Pick<Input, 'limits'>): void {
  const [first] = inputs;
  if (!first) return;
  for (const { kinds, isWhole, isOfInput, text } of limits) {
    const isOf = (opened: Opened) =>
      isPart(opened) && (isWhole || kinds.includes('moment')) ? !isWhole : kinds.includes(kindOf(opened));
    if (inputs.some((opened) => !(isOfInput && opened.isBase) && isOf(opened))) continue;

    const part = isWhole && isPart(first) ? `one ${kindOfPosition(first.position!)} of ` : '';
    const kind = first.format?.isRun ? 'a ghost' : kindTexts[kindOf(first)];
    throw usageError(`${first.name}: ${text}; this is ${part}${kind}`);
  }
}

/**
 * Refuses options that had no effect on the streams of a recording, which is known only after it was read, and a
 * version with which no packet belongs to a connection.
 * @throws CommandError
 */
export function refuseIneffective(
  { name, client }: Pick<Opened, 'name' | 'client'>,
  { version }: Pick<Input, 'version'>,
  { streams, datagrams }: Pick<Replay, 'streams'> & Partial<Pick<Replay, 'datagrams'>>,
): void {
  if (client !== undefined && !streams.some((stream) => matchesClient(stream, client)))
    throw noClient(name, client, streams);
  if (version === undefined) return;

  const shown = escapeText(name);
  if (streams.length === 0 && datagrams && isMostlyOther(datagrams)) {
    const unread = count(datagrams.other, 'datagram');
    throw usageError(
      `${shown}: with -p ${version} no packet belongs to a connection, and ${unread} can't be read; ` +
        'without -p the version is recognised',
    );
  }

  const selected = streams.filter((stream) => matchesClient(stream, client)).filter(isConnection);
  const stated = new Set<string | undefined>(selected.map((stream) => stream.version));
  // Without a handshake the version is only a guess.
  if (selected.length === 0 || stated.has(version) || selected.some(isGuessed)) return;
  throw usageError(`${shown}: -p ${version} has no effect: the handshakes state ${[...stated].join(', ')}`);
}

const isMostlyOther = ({ other, connless, dropped }: DatagramCounts) => other > connless && dropped.connections === 0;
const isGuessed = ({ hasHandshake }: ConnectionStream) => !hasHandshake;

export const maxNamed = 5;

function noClient(name: string, client: string, streams: readonly Stream[]) {
  const clients = [...new Set(streams.map((stream) => stream.client))];
  const named = clients.slice(0, maxNamed).join(', ') + (clients.length > maxNamed ? ', …' : '');
  return usageError(`${escapeText(name)}: there is no client ${escapeText(client)}${named && `; there is ${named}`}`);
}

/** A growing file has no end after which another one could be read. */
export function requireOneFile({ follow }: { readonly follow?: boolean | undefined }, files: readonly string[]): void {
  if (follow && files.length > 1) throw usageError('--follow is for a single file');
}
