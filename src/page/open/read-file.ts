import { unpackZlib } from '../../input/decompress/decompress.ts';
import type { Part } from '../../input/source/byte-strings.ts';
import { readJsonPart } from '../../input/source/json.ts';
import { isJson } from '../../input/source/read-payload.ts';
import { recognisePart } from '../../input/source/recognise.ts';
import { SourceError, type SourceReading } from '../../input/stated.ts';
import { size } from '../../output/text/number.ts';
import { formatOf } from '../../recording/all-formats.ts';
import type { RecordingFormat } from '../../recording/formats.ts';
import { DecodeError } from '../../wire/bytes/diagnostic.ts';
import type { Schema, Version } from '../../wire/protocol/registry.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { inPieces } from '../elements/dom.ts';
import { inputReport } from '../report/payload-report.ts';
import { RecordingReport } from '../report/recording-report.ts';
import type { ReportData } from '../report/report-data.ts';

/** The page keeps the whole recording in memory. Larger files need the command line. */
export const maxBytes = 256 << 20;
const pieceBytes = 1 << 18;

/** A recording, or the bytes of one snapshot, delta, packet or message. */
export interface Input extends Part {
  readonly name: string;
  /** Why the bytes of a compressed file end early. */
  readonly failure?: string | undefined;
  readonly log?: ReportData | undefined;
  readonly version?: Version | undefined;
}

/**
 * What is known besides an input: the items of a mod, the snapshot that a delta is based on, and the map that was
 * played.
 */
export interface InputContext {
  readonly schema: Schema;
  readonly base: Snapshot | undefined;
  readonly map?: Uint8Array | undefined;
}

/** Reads an input for the page. It is abandoned when `onProgress` returns false. */
export async function readInput(
  input: Input,
  context: InputContext,
  onProgress: (share: number) => boolean,
): Promise<ReportData> {
  if (input.bytes.length > maxBytes) throw tooLarge(input.bytes.length);
  const format = formatOf(input.bytes);
  if (format) return readRecording(input, format, context, onProgress);
  if (input.log) return input.log;
  const read = recogniseBytes(input, context);
  const error = read.kind === 'payload' ? read.payload.diagnostics.error : undefined;
  if (error?.code === 'unrecognised' || error?.code === 'input_too_large')
    throw new DecodeError(error.code, 0, error.args);
  return inputReport(input.name, read, context.schema);
}

/** Reads one snapshot, delta, packet or message in its most plausible form. */
export function recogniseBytes(input: Input, { schema, base }: InputContext): SourceReading {
  const stated = { version: input.version, schema, base };
  return isJson(input, stated) ? readJsonPart(input, stated) : recognisePart(input, stated);
}

async function readRecording(
  { name, bytes, failure: what }: Input,
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
    const failed = {
      severity: 'error',
      code: 'input_failed',
      offset: bytes.length,
      args: { what: what ?? '' },
    } as const;
    if (what !== undefined) report.add({ record: 'diagnostic', stream: undefined, diagnostic: failed });
    return true;
  }
  if (!(await inPieces(steps(), onProgress))) throw new SourceError('another file was opened');
  if (report.tracks.all.length === 0) throw new SourceError('it has no snapshot that can be read');
  return report.data(name, bytes.length, schema, unpackZlib, map);
}

export const tooLarge = (bytes: number) =>
  new SourceError(
    `${size(bytes)} are too large for a page (${size(maxBytes)} at most): use tw-snap on the command line`,
  );
