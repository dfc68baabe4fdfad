import { noBytes } from '../../../src/bytes/buffers.ts';
import { join } from '../../../src/bytes/copy.ts';
import { attempt, DecodeError } from '../../../src/bytes/diagnostic.ts';
import type { PlayerChoice } from '../../../src/events/player-choice.ts';
import { noSchema, type Schema } from '../../../src/protocol/registry.ts';
import { momentPattern, type TickRange } from '../../../src/protocol/ticks.ts';
import {
  detectionBytes,
  isShown,
  knownFormats,
  otherFileKind,
  type RecordingFormat,
  withReader,
} from '../../../src/recording/formats.ts';
import type { DatagramCounts, Replay } from '../../../src/recording/replay.ts';
import { type ConnectionStream, isConnection, matchesClient, type Stream } from '../../../src/recording/stream.ts';
import { diagnosticLine, diagnosticMessage } from '../../../src/text/diagnostic-messages.ts';
import { escapeText } from '../../../src/text/escape.ts';
import { count } from '../../../src/text/number.ts';
import { CommandError, inputError, reason, usageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { printNote } from '../note.ts';
import { type anyInput, type common, type Given, inputLimitsOf } from '../options.ts';
import { withProgress } from './progress.ts';

export interface Input extends Readonly<Awaited<ReturnType<typeof inputOf>>> {
  /** The player who is selected: names are followed up to the moment that is read. */
  readonly player?: PlayerChoice | undefined;
}

/** How inputs are read, by the options; the file of `--schema` is read at once. */
export async function inputOf(
  given: Partial<Given<typeof anyInput & Pick<typeof common, 'follow' | 'strict' | 'ticks'>>> & {
    readonly base?: string | undefined;
  },
  io: Io,
) {
  return {
    /** The stated format of a recording or encoding of a payload; undefined if it is recognised, as are the kind and version. */
    from: unlessAuto(given.from),
    kind: unlessAuto(given.kind),
    /** Whether a delta shows differences although its updates look like whole items. */
    isBaseUnknown: given.base === 'unknown',
    version: unlessAuto(given.protocol),
    /** Whether it is pasted text; undefined if that is detected. */
    isText: given.hex,
    /** The number of the only packet that is read of a text with several, from 1. */
    nth: given.nth,
    client: given.client,
    ticks: given.ticks,
    follow: given.follow === true,
    strict: given.strict === true,
    schema: await readSchemaFile(given.schema, io),
    /** The kinds of input that are expected. */
    limits: inputLimitsOf(given),
    io,
    opened: [] as Opened[],
  };
}

const unlessAuto = <Value extends string>(value: Value | undefined) =>
  value === 'auto' ? undefined : (value as Exclude<Value, 'auto'> | undefined);

/** The items and messages of `--schema FILE`, or of the file that the variable `TW_SNAP_SCHEMA` names. */
export async function readSchemaFile(given: string | undefined, io: Io): Promise<Schema> {
  const path = given ?? io.env.TW_SNAP_SCHEMA;
  if (!path) return noSchema;
  // Loaded here only, to keep start-up fast.
  const { readSchema } = await import('../../../src/protocol/read-schema.ts');
  try {
    return readSchema(await readText(await openInput(path, { from: 'json', io })));
  } catch (error) {
    throw decodeFailure(path, error);
  }
}

/** A position in a recording: `FILE@MOMENT` is its snapshot then, `FILE#N` the packet with Wireshark's frame number N. */
export type Position = { readonly moment: string } | { readonly packet: number };

/** Splits a path and the position in it. An existing file with the whole name takes precedence. */
export function splitPosition(
  path: string | undefined,
  io: Pick<Io, 'exists'>,
): { readonly path: string | undefined; readonly position: Position | undefined } {
  const match = new RegExp(`^(.*?)(?:@(${momentPattern})|#(\\d+))$`, 's').exec(path ?? '');
  if (!match || io.exists(path!)) return { path, position: undefined };
  const [, file, moment, packet] = match;
  return { path: file === '' ? '-' : file, position: packet ? { packet: Number(packet) } : { moment: moment! } };
}

/** An opened input. Its first bytes have been peeked, not consumed. */
export interface Opened {
  readonly name: string;
  readonly path: string;
  /** Whether `path` can be opened again at any position. */
  readonly canSeek: boolean;
  /** Undefined if it is a single payload instead of a recording. */
  readonly format: RecordingFormat | undefined;
  readonly isEmpty?: boolean;
  readonly pieces: AsyncIterable<Uint8Array>;
  /** The position in it that was named with the file. */
  readonly position?: Position | undefined;
  readonly client?: string;
  readonly ticks?: TickRange;
}

/** An input after pasted text was turned into bytes. */
export interface Source {
  /** Contains the number and line of one of several byte strings. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The text if it was not turned into bytes: JSON, or text that may happen to be a payload. */
  readonly text?: string | undefined;
  /** The form of the pasted text: `xxd`, `hex`. */
  readonly form?: string | undefined;
  /** The line of the pasted text where it begins, unless the name contains it. */
  readonly line?: number;
  /** The line of the pasted text with a mark such as `[snip]` that replaces the rest. */
  readonly cutLine?: number;
}

type Opening = Pick<Input, 'io'> & Partial<Pick<Input, 'from' | 'follow'>>;

export type OpenedRecording = Opened & { readonly format: RecordingFormat };

/** @throws CommandError if the input has no bytes */
export function refuseEmpty({ name, isEmpty }: Opened): void {
  if (isEmpty) throw inputError(`${name}: the input is empty`);
}

/** Opens FILE, `-` or standard input, decompresses it if necessary, and detects its format. */
export async function openInput(path: string | undefined, { from, follow = false, io }: Opening): Promise<Opened> {
  const name = path === undefined || path === '-' ? 'standard input' : path;
  if (name !== path && io.stdinIsTerminal) {
    await printNote('reading from the terminal: paste hex, end with Ctrl-D (tw-snap --help for more)', io);
  }
  let isRecording = false;
  const read = io.open(path ?? '-', 0, follow, () => isRecording);
  let input = await peek(unlessRefused(name, read), follow);
  const unpacked = await unpack(name, input);
  if (unpacked) input = await peek(unlessRefused(name, unpacked), follow);
  const other = from === undefined && otherFileKind(input.first);
  if (other) throw inputError(`${name}: this is ${other}`);
  // A pipe can be opened only once; it has no size.
  const canSeek = !unpacked && name === path && io.size(path) > 0;
  const known = knownFormats.find(({ name, detect }) => (from === undefined ? detect(input.first) : name === from));
  const format = known && withReader(known, await known.load());
  isRecording = format !== undefined && !unpacked;
  // `--from` may name a format that the input does not have. A device or pipe has no size, and may have no end.
  const isEndless = format?.accepts(input.first) === false && (name !== path || io.size(path) === 0);
  const pieces = isEndless ? onlyFirst(input) : input.pieces;
  const isEmpty = input.first.length === 0;
  return { name, path: path ?? '-', canSeek, format, isEmpty, pieces: withProgress(name, pieces, io) };
}

/** Opens FILE, `FILE@MOMENT`, `FILE#N`, `-` or standard input. */
export async function openAt(name: string | undefined, input: Opening): Promise<Opened> {
  const { path, position } = splitPosition(name, input.io);
  return { ...(await openInput(path, input)), position };
}

/** The beginning of an input that may never end. */
async function* onlyFirst({ first, pieces }: Peeked): AsyncIterable<Uint8Array> {
  for await (const _ of pieces) break;
  yield first;
}

/** A zip is read from its end, so all of it is kept in memory. */
const maxZipBytes = 1 << 28;

/** The decompressed input; undefined if it is not compressed. */
async function unpack(name: string, { first, pieces }: Peeked): Promise<AsyncIterable<Uint8Array> | undefined> {
  const begins = (...bytes: number[]) => bytes.every((byte, at) => first[at] === byte);
  const isZip = begins(0x50, 0x4b, 3, 4);
  const kind = begins(0x1f, 0x8b, 0x08) ? 'gzip' : begins(0x28, 0xb5, 0x2f, 0xfd) ? 'zstd' : undefined;
  if (!kind && !isZip) return undefined;
  // Loaded here only, to keep start-up fast.
  const { decompress } = await import('../decompress.ts');
  if (kind) return decompress(kind, pieces);
  const { onlyEntry } = await import('../../../src/container/zip/only-entry.ts');
  const zip = await readAll(pieces, maxZipBytes + 1);
  if (zip.length > maxZipBytes) {
    throw inputError(`${name}: a zip file of more than ${maxZipBytes >> 20} MiB; unpack it first`);
  }
  const entry = attempt(() => onlyEntry(zip));
  if (entry instanceof DecodeError) throw inputError(`${name}: ${diagnosticMessage(entry)}`);
  const { data, isDeflated } = entry;
  return isDeflated ? decompress('deflate', inPieces(data)) : inPieces(data);
}

export async function* inPieces(data: Uint8Array): AsyncIterable<Uint8Array> {
  yield data;
}

/** The maximum size of text, such as hex and JSON; binary payloads have a lower limit. */
export const maxTextBytes = 16 << 20;

export async function readText({ name, pieces }: Opened, limit = maxTextBytes): Promise<string> {
  const bytes = await readAll(pieces, limit + 1);
  if (bytes.length > limit) throw tooLong(name, limit);
  return new TextDecoder().decode(bytes);
}

/** The maximum size of a map, larger than any map of the games. */
const maxMapBytes = 1 << 28;

/** Reads a map of the games. Its format is not detected: only the commands that are given a map read one. */
export async function readMap(path: string, io: Io): Promise<Uint8Array> {
  const { name, pieces } = await openInput(path, { from: 'map', io });
  const bytes = await readAll(pieces, maxMapBytes + 1);
  if (bytes.length > maxMapBytes) throw inputError(`${name}: a map of more than ${maxMapBytes >> 20} MiB`);
  if (!/^(?:DATA|ATAD)/.test(String.fromCharCode(...bytes.subarray(0, 4))))
    throw inputError(`${name}: this is not a map: it does not begin with DATA`);
  return bytes;
}

export const tooLong = (name: string, limit: number) =>
  inputError(`${name}: this text is longer than ${limit >> 20} MiB, the limit`);

/** At most `limit` bytes of an opened input. */
export async function readAll(pieces: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    read.push(piece);
    length += piece.length;
    if (length >= limit) break;
  }
  return join(read).subarray(0, limit);
}

/** The first bytes of an input, and the whole input. */
interface Peeked {
  readonly first: Uint8Array;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** @param isGrowing whether more bytes may come much later: then few show the format */
async function peek(all: AsyncIterable<Uint8Array>, isGrowing: boolean): Promise<Peeked> {
  const source = all[Symbol.asyncIterator]();
  let first: Uint8Array = noBytes;
  while (isGrowing ? first.length < detectionBytes : !isShown(first, knownFormats)) {
    const { value, done } = await source.next();
    if (done) break;
    first = first.length === 0 ? value : join([first, value]);
  }
  return { first, pieces: piecesAfter(first, source) };
}

async function* piecesAfter(first: Uint8Array, source: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    if (first.length > 0) yield first;
    yield* { [Symbol.asyncIterator]: () => source };
  } finally {
    await source.return?.();
  }
}

/** If the system refuses an input or the input is damaged, the reason is reported with its name. */
export async function* unlessRefused(name: string, pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    throw error instanceof CommandError ? error : inputError(`${name}: can't be read: ${reason(error)}`);
  }
}

/** Turns an error of a reader into one for the user, with the name of the input. */
export function decodeFailure(name: string, error: unknown): unknown {
  if (!(error instanceof DecodeError)) return error;
  const { code, offset, args } = error;
  return inputError(`${name}: ${diagnosticLine({ severity: 'error', code, offset, args })}`);
}

const kindOf = ({ format }: Opened) => (format === undefined ? 'payload' : format.hasPackets ? 'capture' : 'demo');

const kindTexts = { demo: 'a demo', capture: 'a capture', payload: 'a single payload' } as const;

/**
 * Refuses options that have no effect on any of the inputs.
 * @throws CommandError
 */
export function refuseMeaningless(inputs: readonly Opened[], { limits }: Pick<Input, 'limits'>): void {
  const [first] = inputs;
  if (!first) return;
  for (const { kinds, isWhole, text } of limits) {
    const isOf = (one: Opened) =>
      one.position && (isWhole || kinds.includes('moment')) ? !isWhole : kinds.includes(kindOf(one));
    if (!inputs.some(isOf)) {
      const { position } = first;
      const part = position && isWhole ? ('moment' in position ? 'one moment of ' : 'one packet of ') : '';
      throw usageError(
        `${first.name}: ${text}; this is ${part}${first.format?.isRun ? 'a ghost' : kindTexts[kindOf(first)]}`,
      );
    }
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
  if (client !== undefined && !streams.some((one) => matchesClient(one, client))) throw noClient(name, client, streams);
  if (version === undefined) return;
  if (streams.length === 0 && datagrams && isMostlyOther(datagrams)) {
    throw usageError(
      `${escapeText(name)}: with -p ${version} no packet belongs to a connection, and ${count(datagrams.other, 'datagram')} can't be read; without -p the version is recognised`,
    );
  }
  const selected = streams.filter((one) => matchesClient(one, client)).filter(isConnection);
  const stated = new Set<string | undefined>(selected.map((one) => one.version));
  // Without a handshake the version is only a guess.
  if (selected.length === 0 || stated.has(version) || selected.some(isGuessed)) return;
  throw usageError(`${escapeText(name)}: -p ${version} has no effect: the handshakes state ${[...stated].join(', ')}`);
}

const isMostlyOther = ({ other, connless, dropped }: DatagramCounts) => other > connless && dropped.connections === 0;
const isGuessed = ({ hasHandshake }: ConnectionStream) => !hasHandshake;

export const maxNamed = 5;

function noClient(name: string, client: string, streams: readonly Stream[]) {
  const clients = [...new Set(streams.map((one) => one.client))];
  const named = clients.slice(0, maxNamed).join(', ') + (clients.length > maxNamed ? ', …' : '');
  return usageError(`${escapeText(name)}: there is no client ${escapeText(client)}${named && `; there is ${named}`}`);
}

/** A growing file has no end after which another one could be read. */
export function requireOneFile({ follow }: { readonly follow?: boolean | undefined }, files: readonly string[]): void {
  if (follow && files.length > 1) throw usageError('--follow is for a single file');
}
