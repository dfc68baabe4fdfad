import { findDatagram } from '../../recording/container/net/link-layer.ts';
import type { PacketContents } from '../../wire/packet/packet-contents.ts';
import { maxPayloadBytes } from '../../wire/payload/encoding-layers.ts';
import { byProof, isInDoubt, limits, worth } from '../../wire/payload/reading-evidence.ts';
import type { OtherReading, PacketReading, Recognised, SourceReading, Stated } from '../stated.ts';
import type { Part } from './byte-strings.ts';
import { diagnosticsOf, isSent, isSettled, noted, readAsPayload, registryOf } from './read-payload.ts';
import { readingsAs } from './recognise-packet.ts';

/**
 * Reads one snapshot, delta, packet or message that is not JSON.
 * @param payload the best reading as a snapshot or delta, if it is there
 */
export const recognisePart = (part: Part, stated: Stated, payload?: Recognised): SourceReading =>
  noted(recognised(part, stated, payload), part);

function recognised(part: Part, stated: Stated, payload: Recognised | undefined): SourceReading {
  const { kind } = stated;
  if (isSent(kind)) return bestOf(readAs(kind, part, stated));
  const best = payload ?? readAsPayload(part, stated);
  if (isSettled(best, part, stated)) return best;
  const reading = bestOf([best, ...readAs('packet', part, stated), ...readAs('message', part, stated)]);
  const diagnostics = diagnosticsOf(reading);
  // Bytes that hardly look like anything are not quietly read as something.
  if (!reading.isFlawless && reading.evidence < limits.enough)
    diagnostics.error ??= { severity: 'error', code: 'unrecognised', offset: 0, args: {} };
  return reading;
}

type Reading = Recognised | Omit<PacketReading, 'otherReadings'>;

/** The best reading, with the others that may well be right. */
function bestOf(readings: readonly Reading[]): SourceReading {
  const [best, ...rest] = readings.toSorted(byProof) as [Reading, ...Reading[]];
  const otherReadings = rest.flatMap((reading): OtherReading[] => {
    // The headers of packets differ, messages do not.
    const isAlike = [best, reading].every((of) => of.kind === 'contents' && of.contents.kind === 'message');
    const hasError = diagnosticsOf(best).error !== undefined;
    if (!isInDoubt(best, reading, isAlike ? 'other' : undefined, hasError)) return [];
    return reading.kind === 'contents' ? [reading.contents] : [reading.payload, ...reading.otherReadings];
  });
  return {
    ...best,
    otherReadings: best.kind === 'payload' ? [...best.otherReadings, ...otherReadings] : otherReadings,
  };
}

const tooLarge = {
  severity: 'error',
  code: 'input_too_large',
  offset: maxPayloadBytes,
  args: { limit: maxPayloadBytes },
} as const;

/** The readings as packets or messages, in the stated version or in both. */
function readAs(
  kind: PacketContents['kind'],
  { bytes, form }: Part,
  stated: Stated,
): Omit<PacketReading, 'otherReadings'>[] {
  const { version, base } = stated;
  // As of a snapshot: no packet is as long, and each chunk of three bytes would become an object of a hundred.
  const read = (of: Uint8Array, unpacked = false) => {
    const readings = readingsAs(of.subarray(0, maxPayloadBytes), kind, version, registryOf(stated), { base, unpacked });
    if (of.length <= maxPayloadBytes) return readings;
    for (const { contents } of readings) contents.diagnostics.error ??= tooLarge;
    return readings;
  };
  if (kind === 'message') return read(bytes).map((reading) => ({ kind: 'contents', ...reading }));
  const found = findDatagram(bytes);
  // An incomplete datagram is not sufficient evidence, unless tcpdump printed it.
  const datagram = found && (found.missing === 0 || form === 'tcpdump') ? found : undefined;
  const inside = datagram ? bytes.subarray(datagram.start, datagram.end) : bytes;
  // Our own dumps show the payload without its compression.
  const all = form === 'tw-snap' ? [...read(inside), ...read(inside, true)] : read(inside);
  const ofHeaders = datagram ? worth.datagram : 0;
  return all.map((reading) => ({ kind: 'contents', ...reading, evidence: reading.evidence + ofHeaders, datagram }));
}
