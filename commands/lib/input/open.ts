import { join } from '../../../src/bytes/copy.ts';
import { attempt, DecodeError } from '../../../src/bytes/diagnostic.ts';
import { detectionBytes, knownFormats, type RecordingFormat, withReader } from '../../../src/recording/formats.ts';
import { diagnosticMessage } from '../../../src/view/text/diagnostic-messages.ts';
import { CommandError, inputError, reason } from '../errors.ts';
import type { Io } from '../io.ts';
import { printNote } from '../note.ts';
import { type Input, refuseMeaningless } from './input.ts';
import { withProgress } from './progress.ts';

/** An opened input. Its first bytes have been peeked, not consumed. */
export interface Opened {
  /** The name given by the user. */
  readonly name: string;
  readonly path: string;
  /** Whether `path` can be opened again at any position. */
  readonly canSeek: boolean;
  /** Undefined if it is a single payload instead of a recording. */
  readonly format: RecordingFormat | undefined;
  readonly isEmpty?: boolean;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** An opened demo or capture. */
export type OpenedRecording = Opened & { readonly format: RecordingFormat };

/**
 * Opens an input, which must be a recording; see {@link openInput}.
 * @throws CommandError if it is not
 */
export async function openRecording(
  path: string | undefined,
  input: Pick<Input, 'from' | 'follow' | 'limits' | 'io'>,
): Promise<OpenedRecording> {
  const opened = await openInput(path, input, input.io);
  const { name, format } = opened;
  refuseEmpty(opened);
  if (!format) throw inputError(`${name}: this is not a demo or capture; tw-snap decode reads single snapshots`);
  refuseMeaningless([opened], input);
  return { ...opened, format };
}

/** @throws CommandError if the input has no bytes */
export function refuseEmpty({ name, isEmpty }: Opened): void {
  if (isEmpty) throw inputError(`${name}: the input is empty`);
}

/** Opens FILE, `-` or standard input, decompresses it if necessary, and detects its format. */
export async function openInput(
  path: string | undefined,
  { from, follow = false }: Partial<Pick<Input, 'from' | 'follow'>>,
  io: Io,
): Promise<Opened> {
  const name = path === undefined || path === '-' ? 'standard input' : path;
  if (name !== path && io.stdinIsTerminal) {
    await printNote('reading from the terminal: paste hex, end with Ctrl-D (tw-snap --help for more)', io);
  }
  let isRecording = false;
  const read = io.open(path ?? '-', 0, follow, () => isRecording);
  let input = await peek(unlessRefused(name, read));
  const unpacked = await unpack(name, input, io);
  if (unpacked) input = await peek(unlessRefused(name, unpacked));
  const kind = from === undefined && fileKinds.find(({ detect }) => detect(input.first));
  if (kind) throw inputError(`${name}: this is ${kind.text}`);
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

/** The beginning of an input that may never end. */
async function* onlyFirst({ first, pieces }: Peeked): AsyncIterable<Uint8Array> {
  for await (const _ of pieces) break;
  yield first;
}

/** A zip is read from its end, so all of it is kept in memory. */
const maxZipBytes = 1 << 28;

/** The decompressed input; undefined if it is not compressed. */
async function unpack(name: string, { first, pieces }: Peeked, io: Io): Promise<AsyncIterable<Uint8Array> | undefined> {
  if (first[0] === 0x1f && first[1] === 0x8b && first[2] === 0x08) return io.decompress('gzip', pieces);
  if (first[0] === 0x28 && first[1] === 0xb5 && first[2] === 0x2f && first[3] === 0xfd) {
    return io.decompress('zstd', pieces);
  }
  if (first[0] !== 0x50 || first[1] !== 0x4b || first[2] !== 3 || first[3] !== 4) return undefined;
  // Loaded here only, to keep start-up fast.
  const { onlyEntry } = await import('../../../src/container/zip/only-entry.ts');
  const zip = await readAll(pieces, maxZipBytes + 1);
  if (zip.length > maxZipBytes) {
    throw inputError(`${name}: a zip file of more than ${maxZipBytes >> 20} MiB; unpack it first`);
  }
  const entry = attempt(() => onlyEntry(zip));
  if (entry instanceof DecodeError) throw inputError(`${name}: ${diagnosticMessage(entry)}`);
  const { data, isDeflated } = entry;
  return isDeflated ? io.decompress('deflate', inPieces(data)) : inPieces(data);
}

async function* inPieces(data: Uint8Array): AsyncIterable<Uint8Array> {
  yield data;
}

/** The maximum size of text, such as hex and JSON; binary payloads have a lower limit. */
export const maxTextBytes = 16 << 20;

/** The whole of an opened input as text. */
export async function readText({ name, pieces }: Opened, limit = maxTextBytes): Promise<string> {
  const bytes = await readAll(pieces, limit + 1);
  if (bytes.length > limit) throw tooLong(name, limit);
  return new TextDecoder().decode(bytes);
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

async function peek(all: AsyncIterable<Uint8Array>): Promise<Peeked> {
  const source = all[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let length = 0;
  while (length < detectionBytes) {
    const { value, done } = await source.next();
    if (done) break;
    read.push(value);
    length += value.length;
  }
  return { first: join(read), pieces: piecesAfter(read, source) };
}

async function* piecesAfter(read: readonly Uint8Array[], source: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* read;
    for (;;) {
      const { value, done } = await source.next();
      if (done) return;
      yield value;
    }
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

/** A kind of file that is recognised by its first bytes but is neither a recording nor a payload. */
interface FileKind {
  /** The name of the kind and advice. */
  readonly text: string;
  detect(first: Uint8Array): boolean;
}

const startsWith =
  (...start: readonly (number | string)[]) =>
  (first: Uint8Array) => {
    const bytes = start.flatMap((part) => (typeof part === 'string' ? [...part].map((c) => c.charCodeAt(0)) : part));
    return first.length >= bytes.length && bytes.every((byte, i) => byte === first[i]);
  };

const packed = (name: string, tool: string) =>
  `a file compressed with ${name}, which is not read; unpack it first: ${tool} -dc FILE | tw-snap …`;

/** `DATA`, or `ATAD` in files of big-endian machines, followed by version 3 or 4. */
const isMap = (first: Uint8Array) =>
  (startsWith('DATA')(first) || startsWith('ATAD')(first)) && (first[4] === 3 || first[4] === 4) && first[5] === 0;

/** 699db17b-8efb-34ff-b1d8-da6f60c15dd1, the UUID of `teehistorian@ddnet.tw`. */
const teehistorian = [0x69, 0x9d, 0xb1, 0x7b, 0x8e, 0xfb, 0x34, 0xff, 0xb1, 0xd8, 0xda, 0x6f, 0x60, 0xc1, 0x5d, 0xd1];

/** Kinds of files that are often stored together with demos and captures. */
const fileKinds: readonly FileKind[] = [
  { text: packed('xz', 'xz'), detect: startsWith(0xfd, '7zXZ', 0) },
  {
    text: packed('bzip2', 'bzip2'),
    detect: (first) => startsWith('BZh')(first) && startsWith(0x31, 0x41, 0x59, 0x26, 0x53, 0x59)(first.subarray(4)),
  },
  {
    text: 'a teehistorian file, which records inputs and positions, not snapshots',
    detect: startsWith(...teehistorian),
  },
  { text: 'a ghost, which has the characters of one run, not snapshots', detect: startsWith('TWGHOST') },
  { text: 'a map; demos, packets and captures are read', detect: isMap },
  { text: 'a PNG image; demos, packets and captures are read', detect: startsWith(0x89, 'PNG\r\n', 0x1a, '\n') },
];
