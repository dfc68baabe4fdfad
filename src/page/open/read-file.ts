import { DecodeError } from '../../bytes/diagnostic.ts';
import { readPastedText } from '../../hex/pasted-text.ts';
import { textOf } from '../../hex/text-encoding.ts';
import { recogniseInput } from '../../packet/recognise-input.ts';
import { protocolOf, type Version } from '../../protocol/registry.ts';
import { noSchema } from '../../protocol/schema.ts';
import { formatOf, type RecordingFormat } from '../../recording/formats.ts';
import { packetReport, payloadReport } from '../../report/payload-report.ts';
import { RecordingReport } from '../../report/recording-report.ts';
import type { ReportData } from '../../report/report-data.ts';
import { diagnosticMessage } from '../../view/text/diagnostic-messages.ts';
import { size } from '../../view/text/units.ts';
import { pause } from '../dom.ts';
import { inflate, unpack } from './inflate.ts';

/** The error for a file or text that the page cannot show. Its message is shown to the user. */
export class OpenError extends Error {}

/** The page keeps the whole recording in memory. Larger files need the command line. */
const maxBytes = 256 << 20;
const pieceBytes = 1 << 18;
/** Larger input is not searched for hex or other text forms of a packet. */
const maxTextBytes = 1 << 24;

/** Reads a dropped file, which is a demo, a capture, a single payload, or text that contains one. It may be compressed with gzip. */
export async function readFile(
  name: string,
  file: Uint8Array,
  version: Version | undefined,
  onProgress: (share: number) => void,
): Promise<ReportData> {
  const bytes = await unpacked(file);
  if (bytes.length > maxBytes) throw tooLarge(bytes.length);
  const format = formatOf(bytes.subarray(0, 64));
  if (format) return readRecording(name, bytes, format, onProgress);
  const text = bytes.length <= maxTextBytes ? textOf(bytes) : undefined;
  return readPayload(name, text === undefined ? bytes : (bytesIn(text) ?? bytes), version);
}

/** The bytes that a pasted text contains; undefined if it has none in a known form. */
export function bytesIn(text: string): Uint8Array | undefined {
  try {
    return readPastedText(text, { force: true })?.parts[0]?.bytes;
  } catch (error) {
    throw error instanceof DecodeError ? new OpenError(diagnosticMessage(error)) : error;
  }
}

/** Reads one snapshot, delta, packet or message. */
export function readPayload(name: string, bytes: Uint8Array, version: Version | undefined): ReportData {
  if (bytes.length === 0) throw new OpenError('there is nothing to read');
  const read = recogniseInput(bytes, { protocol: version }, (one) => protocolOf(one));
  if ('contents' in read) return packetReport(name, read.contents, noSchema);
  const { error } = read.payload.diagnostics;
  if (error?.code === 'unrecognised' || error?.code === 'input_too_large')
    throw new OpenError(diagnosticMessage(error));
  return payloadReport(name, read.payload, false, noSchema);
}

async function readRecording(
  name: string,
  bytes: Uint8Array,
  format: RecordingFormat,
  onProgress: (share: number) => void,
): Promise<ReportData> {
  const replay = format.open({ parts: true });
  const limits = {
    has: () => true,
    reach: (_: number, kept: number) => {
      if (kept > maxBytes) throw tooLarge(kept);
    },
  };
  const report = new RecordingReport(replay, { limits });
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    for (const entry of replay.feed(bytes.subarray(at, at + pieceBytes))) report.add(entry);
    onProgress(at / bytes.length);
    await pause();
  }
  for (const entry of replay.finish()) report.add(entry);
  report.finish(bytes.length);
  if (report.tracks.all.length === 0) throw new OpenError('it has no snapshot that can be read');
  return report.data(name, bytes.length, noSchema, inflate);
}

async function unpacked(file: Uint8Array): Promise<Uint8Array> {
  if (file[0] !== 0x1f || file[1] !== 0x8b) return file;
  try {
    return await unpack(file, 'gzip', maxBytes);
  } catch (error) {
    throw new OpenError(`it cannot be unpacked: ${String(error)}`);
  }
}

const tooLarge = (bytes: number) =>
  new OpenError(`${size(bytes)} are too large for a page (${size(maxBytes)} at most): use tw-snap on the command line`);
