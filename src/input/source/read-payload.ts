import type { Diagnostics } from '../../wire/payload/diagnostics.ts';
import type { BinaryEncoding } from '../../wire/payload/encoding-layers.ts';
import { cutCodes, isDamage, limits } from '../../wire/payload/reading-evidence.ts';
import { protocolOf, type Version } from '../../wire/protocol/registry.ts';
import { Delta } from '../../wire/snapshot/delta.ts';
import { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { OtherReading, PacketReading, Recognised, SourceReading, Stated } from '../stated.ts';
import type { Part } from './byte-strings.ts';
import { recognise, type StatedPayload } from './recognise-payload.ts';

export const isJson = ({ text }: Part, { kind, encoding }: Stated): boolean =>
  !isSent(kind) && (encoding === 'json' || (encoding === undefined && text?.trimStart().startsWith('{') === true));

export const isSent = (kind: Stated['kind']): kind is 'packet' | 'message' => kind === 'packet' || kind === 'message';

export const baseSnapshot = ({ base }: Stated): Snapshot | undefined => (base instanceof Snapshot ? base : undefined);

export const registryOf =
  ({ schema }: Stated) =>
  (version: Version) =>
    protocolOf(version, schema);

/** What is stated of a snapshot or delta. */
export const statedPayload = ({ encoding, kind, version, isBaseUnknown }: Stated): StatedPayload => ({
  encoding: encoding as BinaryEncoding | undefined,
  kind: kind as StatedPayload['kind'],
  protocol: version,
  base: isBaseUnknown ? 'unknown' : undefined,
});

/** The most plausible reading as a snapshot or delta. */
export const readAsPayload = ({ bytes }: Part, stated: Stated): Recognised =>
  recognise(bytes, statedPayload(stated), registryOf(stated), baseSnapshot(stated));

/**
 * The reading, with an error if it is in doubt and its bytes are damaged although it ends without one, or before its
 * first item; and with a warning if these go on after the pasted text was cut.
 */
export function noted<Reading extends SourceReading>(reading: Reading, { bytes, cutLine: line }: Part): Reading {
  const diagnostics = diagnosticsOf(reading);
  const damage = reading.isFlawless ? undefined : diagnostics.warnings.find(({ code }) => isDamage(code));
  const flaw = diagnostics.error ?? damage;
  if (
    flaw &&
    reading.otherReadings.length > 0 &&
    (!diagnostics.error || (cutCodes.has(diagnostics.error.code) && isHeadAlone(reading)))
  ) {
    const others = reading.otherReadings.slice(0, 3).map(nameOf).join(', ');
    diagnostics.error = {
      ...flaw,
      severity: 'error',
      code: 'undecided',
      args: { ...flaw.args, flaw: flaw.code, others },
    };
  }
  const place = (offset: number) => ({ offset });
  if (line !== undefined) diagnostics.run(place, (warn) => warn('cut_text', bytes.length, { line }));
  return reading;
}

/** Whether bytes end in the head of a snapshot or delta, which says little, and may be a packet as well. */
const isHeadAlone = (reading: SourceReading): boolean =>
  reading.kind === 'payload' &&
  reading.payload.body.count === 0 &&
  !(reading.payload.body instanceof Delta && reading.payload.body.removedCount > 0) &&
  reading.otherReadings.some((other) => other.kind === 'packet' || other.kind === 'message');

/** `delta 0.6`, `packet 0.7 (truncated_packet)` */
function nameOf(other: OtherReading): string {
  const { protocol } = 'types' in other ? other.types : other;
  const { error } = other.diagnostics;
  return `${other.kind} ${protocol.version}${error ? ` (${error.code})` : ''}`;
}

export const diagnosticsOf = (
  reading: Pick<Recognised, 'kind' | 'payload'> | Pick<PacketReading, 'kind' | 'contents'>,
): Diagnostics => (reading.kind === 'contents' ? reading.contents : reading.payload).diagnostics;

/** Whether no packet or message is considered beside the best reading as a snapshot or delta. */
export function isSettled(reading: Recognised, { text }: Part, { encoding, kind, isInside }: Stated): boolean {
  const isStated = encoding !== undefined || kind === 'snapshot' || (kind === 'delta' && !isInside);
  if (isStated || text !== undefined) return true;
  return reading.isFlawless && reading.evidence >= limits.sure[reading.payload.layers.encoding];
}

/** Whether text in no known form, which is read as a payload, is refused. */
export const isOnlyText = ({ isFlawless }: Recognised, { text }: Part, { encoding }: Stated): boolean =>
  text !== undefined && !isFlawless && encoding === undefined;
