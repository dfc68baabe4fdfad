import { open as openBytes, type Source } from '../../../src/input/source/open.ts';
import { pathText } from '../../../src/output/text/escape.ts';
import { CaptureReader } from '../../../src/recording/container/capture/capture-reader.ts';
import { CaptureWriter } from '../../../src/recording/container/capture/capture-writer.ts';
import { pcapHeaderBytes } from '../../../src/recording/container/capture/pcap.ts';
import { isPcap } from '../../../src/recording/container/detect.ts';
import { inputError, usageError } from '../options/errors.ts';
import type { Io } from '../platform/io.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { printNote } from '../platform/note.ts';
import { filesLike } from './folders.ts';
import { type OpenInput, otherPosition } from './inputs.ts';
import { withSets } from './sets.ts';

/*
 * Several captures are one stream of bytes, so that everything reads them as it reads one file: frames are numbered on,
 * connections continue.
 *
 *   pcap      header records │ header records        the headers of the others are left out, if they say the same
 *   pcapng    section …      │ section …             a file may have several sections
 *   others    each becomes a section of a pcapng
 */

interface Part {
  readonly path: string;
  /** The first bytes, which say which format it is. */
  readonly first: Uint8Array;
  /** When its first packet was captured; NaN if it has none, or no time. */
  readonly time: number;
}

/** What is opened as one input. */
type Joined = Pick<OpenInput, 'name' | 'path' | 'source' | 'isFile'>;

/** Opens one of the files, without a note. */
type OpenOne = (path: string) => Promise<OpenInput>;

/**
 * Captures as one, in the order of their first packets; the path of the result has theirs, one a line.
 * @throws CommandError for an input that is no capture, or that can be read only once
 */
export async function joined(name: string, paths: readonly string[], open: OpenOne): Promise<Joined> {
  const found: Part[] = [];
  for (const path of paths) found.push(await partAt(path, open));
  const parts = found.toSorted((a, b) => a.time - b.time || 0);
  const source = await openBytes({ pieces: joinedPieces(parts, open) }, {}, nodePlatform);
  return { name, path: parts.map(({ path }) => path).join('\n'), source, isFile: true };
}

/** Opens the files of a pattern as one recording; undefined if they are not one set. */
export async function openSet(pattern: string, io: Io, isQuiet: boolean, open: OpenOne): Promise<Joined | undefined> {
  const files = /[*?{]/.test(pattern) ? await filesLike(pattern, io) : [];
  if (files.length < 2 || withSets(files).length > 1) return undefined;
  const all = await joined(pattern, files, open);
  if (!isQuiet) await printNote(`${pathText(pattern)}: ${files.length} files are read as one, in order of time`, io);
  return all;
}

async function partAt(path: string, open: OpenOne): Promise<Part> {
  const { name, position, format, isFile, source } = await open(path);
  if (position) throw otherPosition(name, position);
  if (!format?.hasBlocks) throw inputError(`${name}: this is not a capture (pcap or pcapng)`);
  if (!isFile) throw usageError(`${name}: captures are joined in order of time, so each has to be a file`);
  return { path, first: source.first.slice(0, pcapHeaderBytes), time: await firstTime(source) };
}

async function firstTime({ pieces }: Source): Promise<number> {
  const reader = new CaptureReader();
  for await (const piece of pieces)
    for (const { kind, time } of reader.feed(piece)) if (kind !== 'diagnostic') return time;
  for (const { kind, time } of reader.finish()) if (kind !== 'diagnostic') return time;
  return Number.NaN;
}

/** What the records of a pcap depend on: byte order, resolution and link type. */
const headOf = ({ first }: Part) => `${first.subarray(0, 4)} ${first.subarray(20, 24)}`;

async function* joinedPieces(parts: readonly Part[], open: OpenOne): AsyncGenerator<Uint8Array, void> {
  const areAllPcap = parts.every(({ first }) => isPcap(first));
  const isOneFormat = areAllPcap
    ? parts.every((part) => headOf(part) === headOf(parts[0]!))
    : parts.every(({ first }) => !isPcap(first));
  for (const [i, { path }] of parts.entries()) {
    const { pieces } = (await open(path)).source;
    if (!isOneFormat) yield* asPcapng(pieces);
    else yield* areAllPcap && i > 0 ? after(pcapHeaderBytes, pieces) : pieces;
  }
}

async function* after(count: number, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let left = count;
  for await (const piece of pieces) {
    if (piece.length > left) yield piece.subarray(left);
    left = Math.max(0, left - piece.length);
  }
}

async function* asPcapng(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = new CaptureReader(true);
  const writer = new CaptureWriter(`tw-snap ${VERSION}`);
  function* written(frames: ReturnType<CaptureReader['feed']>) {
    for (const { kind } of frames) if (kind !== 'diagnostic') yield writer.write(reader.block);
  }
  for await (const piece of pieces) yield* written(reader.feed(piece));
  yield* written(reader.finish());
}
