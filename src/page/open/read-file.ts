import { inflate, unpack } from '../../api/input.ts';
import { DecodeError } from '../../bytes/diagnostic.ts';
import { onlyEntry } from '../../container/zip/only-entry.ts';
import { recogniseJson } from '../../decode/json-input.ts';
import { type RecognisedInput, recogniseInput } from '../../packet/recognise-packet.ts';
import { protocolOf, type Schema, type Version } from '../../protocol/registry.ts';
import { formatOf } from '../../recording/all-formats.ts';
import type { RecordingFormat } from '../../recording/formats.ts';
import { inputReport } from '../../report/payload-report.ts';
import { RecordingReport } from '../../report/recording-report.ts';
import type { ReportData } from '../../report/report-data.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { size } from '../../text/number.ts';
import { inPieces } from '../dom.ts';

/** The page keeps the whole recording in memory. Larger files need the command line. */
export const maxBytes = 256 << 20;
const pieceBytes = 1 << 18;

/** A recording, or the bytes of one snapshot, delta, packet or message. */
export interface Input {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The text of a snapshot or delta in the JSON that the command line prints. */
  readonly json?: string | undefined;
  readonly log?: ReportData | undefined;
  readonly version?: Version | undefined;
}

/** What is known besides an input: the items of a mod, the snapshot that a delta is based on, and the map that was played. */
export interface InputContext {
  readonly schema: Schema;
  readonly base: Snapshot | undefined;
  readonly map?: Uint8Array | undefined;
}

export const recordingFormat = (bytes: Uint8Array): RecordingFormat | undefined => formatOf(bytes);

/** Reads an input for the page. It is abandoned when `onProgress` returns false. */
export async function readInput(
  input: Input,
  context: InputContext,
  onProgress: (share: number) => boolean,
): Promise<ReportData> {
  if (input.bytes.length > maxBytes) throw tooLarge(input.bytes.length);
  const format = recordingFormat(input.bytes);
  if (format) return readRecording(input, format, context, onProgress);
  if (input.log) return input.log;
  const read = recogniseBytes(input, context);
  const error = read.kind === 'payload' ? read.payload.diagnostics.error : undefined;
  if (error?.code === 'unrecognised' || error?.code === 'input_too_large')
    throw new DecodeError(error.code, 0, error.args);
  return inputReport(input.name, read, context.schema);
}

/** Reads one snapshot, delta, packet or message in its most plausible form. */
export function recogniseBytes({ bytes, json, version }: Input, { schema, base }: InputContext): RecognisedInput {
  const protocol = (one: Version) => protocolOf(one, schema);
  if (json !== undefined) return recogniseJson(json, bytes, { protocol: version }, protocol, base);
  return recogniseInput(bytes, { protocol: version }, protocol, base);
}

async function readRecording(
  { name, bytes }: Input,
  format: RecordingFormat,
  { schema, map }: InputContext,
  onProgress: (share: number) => boolean,
): Promise<ReportData> {
  const replay = format.open({ parts: true, schema, hidesSecrets: true });
  const limits = {
    has: () => true,
    reach: (_: number, kept: number) => {
      if (kept > maxBytes) throw tooLarge(kept);
    },
  };
  const report = new RecordingReport(replay, { limits });
  function* steps(): Generator<number, true> {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      for (const entry of replay.feed(bytes.subarray(at, at + pieceBytes))) {
        report.add(entry);
        yield at / bytes.length;
      }
    }
    for (const entry of replay.finish()) report.add(entry);
    return true;
  }
  if (!(await inPieces(steps(), onProgress))) throw new OpenError('another file was opened');
  if (report.tracks.all.length === 0) throw new OpenError('it has no snapshot that can be read');
  return report.data(name, bytes.length, schema, inflate, map);
}

const tooLarge = (bytes: number) =>
  new OpenError(`${size(bytes)} are too large for a page (${size(maxBytes)} at most): use tw-snap on the command line`);

const isMagic = (file: Uint8Array, ...magic: readonly number[]) => magic.every((byte, i) => file[i] === byte);

/**
 * The contents of a file that may be compressed with gzip, or be the only one in a zip archive.
 * @throws OpenError if it is damaged, larger than `limit`, or compressed in a form that browsers do not read
 */
export async function unpackFile(file: Uint8Array, limit: number): Promise<Uint8Array> {
  if (isMagic(file, 0x28, 0xb5, 0x2f, 0xfd))
    throw new OpenError('it is compressed with zstd, which browsers do not read: unpack it first (zstd -d)');
  try {
    if (isMagic(file, 0x1f, 0x8b)) return await unpack(file, 'gzip', limit);
    if (!isMagic(file, 0x50, 0x4b, 3, 4)) return file;
    const { data, isDeflated } = onlyEntry(file);
    return isDeflated ? await unpack(data, 'deflate-raw', limit) : data;
  } catch (error) {
    if (error instanceof DecodeError) throw error;
    throw new OpenError(`it cannot be unpacked: ${String(error)}`);
  }
}

/** The error for a file or text that the page cannot show. Its message is shown to the user. */
export class OpenError extends Error {}
