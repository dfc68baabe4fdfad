import { explainLog, readLogLine } from '../../analysis/explain/log.ts';
import type { SourceReading } from '../../input/stated.ts';
import { packetReading, reading } from '../../output/hexdump/hexdump.ts';
import { findingText } from '../../output/phrases/finding-phrases.ts';
import { renderLog } from '../../output/reports/explain/explanation-text.ts';
import { count, size, thousands } from '../../output/text/number.ts';
import { plainTheme } from '../../output/text/theme.ts';
import { diagnosticFinding, healthOf, statusOf } from '../../recording/health/findings.ts';
import type { PacketContents } from '../../wire/packet/packet-contents.ts';
import { hasSecrets } from '../../wire/packet/secrets.ts';
import type { Diagnostics } from '../../wire/payload/diagnostics.ts';
import type { Payload } from '../../wire/payload/payload.ts';
import { noSchema, type Schema } from '../../wire/protocol/registry.ts';
import { Delta } from '../../wire/snapshot/delta.ts';
import type { ReportData } from './report-data.ts';
import { OpenTrack } from './track.ts';

/**
 * The report of a snapshot, delta, packet or message.
 * @param isUncertain whether a snapshot or delta is from a damaged recording
 */
export function inputReport(name: string, input: SourceReading, schema: Schema, isUncertain = false): ReportData {
  return input.kind === 'contents'
    ? packetReport(name, input.contents, schema)
    : payloadReport(name, input.payload, isUncertain, schema);
}

/** The report of one snapshot or delta: a track of its own. */
function payloadReport(name: string, payload: Payload, isUncertain: boolean, schema: Schema): ReportData {
  const { kind, layers, types, diagnostics, body } = payload;
  const track = new OpenTrack('', types.protocol);
  const { encoding, bytes, file } = layers;
  track.add({
    tick: -1,
    kind,
    // JSON was packed as the games would.
    encoding: encoding === 'json' ? 'packed' : encoding,
    payload: encoding === 'json' ? bytes : file,
    offset: 0,
    uncertain: isUncertain,
    base: undefined,
    before: payload.base,
  });
  const sizes = [size(file.length), ...(layers.bits ? [`${size(bytes.length)} unpacked`] : [])];
  const removed = body instanceof Delta ? `${thousands(body.removedCount)} removed, ` : '';
  return withHealth(diagnostics, {
    name,
    kind: `${reading(payload)}, ${size(file.length)}`,
    facts: [
      { label: 'bytes', text: sizes.join(', ') },
      { label: 'ints', text: thousands(layers.ints.length) },
      { label: 'items', text: `${removed}${count(body.count, 'item')}` },
    ],
    sizes: [],
    schema,
    tracks: [track.track],
  });
}

function packetReport(name: string, contents: PacketContents, schema: Schema): ReportData {
  const { kind, protocol, layers, diagnostics, messages } = contents;
  return withHealth(diagnostics, {
    name,
    kind: `${packetReading(contents)}, ${size(layers.file.length)}`,
    facts: [
      { label: 'messages', text: thousands(messages.length) },
      ...(messages.some(({ message }) => hasSecrets(message)) ? [secretsFact] : []),
    ],
    sizes: [],
    schema,
    tracks: [],
    contents: { kind, version: protocol.version, bytes: layers.file },
  });
}

/** The page shows no password, but has the bytes in which one is. */
const secretsFact = { label: 'passwords', text: 'hidden here, but this page contains the bytes that have them' };

/** The report of a client's log; undefined if the text has no line about an unusable snapshot. */
export function logReport(name: string, text: string): ReportData | undefined {
  const errors = text.split('\n').flatMap((line, i) => readLogLine(line, i + 1) ?? []);
  if (errors.length === 0) return undefined;
  return {
    name,
    kind: `client log, ${size(text.length)}`,
    health: `${count(errors.length, 'error')} of snapshots in the log`,
    tone: 'bad',
    facts: [],
    findings: [],
    sizes: [],
    schema: noSchema,
    tracks: [],
    text: renderLog(name, explainLog(errors), { theme: plainTheme, width: Infinity, verbose: false }),
  };
}

function withHealth(
  diagnostics: Diagnostics,
  reportData: Omit<ReportData, 'health' | 'tone' | 'findings'>,
): ReportData {
  const found = diagnostics.all.map(diagnosticFinding);
  const isRight = statusOf(found) === 0;
  return {
    ...reportData,
    health: isRight && found.length > 0 ? 'read with warnings' : healthOf(found),
    tone: !isRight ? 'bad' : found.length > 0 ? 'warning' : 'good',
    findings: found.map((finding) => ({ text: findingText(finding, '')!, details: [] })),
  };
}
