import type { Weighed } from '../../wire/payload/reading-evidence.ts';
import type { Version } from '../../wire/protocol/registry.ts';
import type { SourceReading, Stated } from '../stated.ts';
import { type Part, refusalOf } from './byte-strings.ts';
import { later } from './later.ts';
import { isJson, isOnlyText, isSent, isSettled, noted, readAsPayload } from './read-payload.ts';

/**
 * Reads one snapshot, delta, packet or message. What a plain delta does not need is loaded only for the others.
 * @throws DecodeError for text in no known form, and for JSON that is neither a snapshot nor a delta
 */
export async function readPart(part: Part, stated: Stated): Promise<SourceReading> {
  if (isJson(part, stated)) return (await import('./json.ts')).readJsonPart(part, stated);
  const payload = !isSent(stated.kind) ? readAsPayload(part, stated) : undefined;
  if (payload && isOnlyText(payload, part, stated)) {
    // A message may have only bytes that are text, too.
    const sent = stated.version && (await recognition()).recognisePart({ bytes: part.bytes }, stated);
    if (sent?.isFlawless) return sent;
    throw await refusalOf(part.text!, stated);
  }
  if (payload && isSettled(payload, part, stated)) return noted(payload, part);
  return (await recognition()).recognisePart(part, stated, payload);
}

const recognition = later(() => import('./recognise.ts'));

/**
 * A reading with this evidence and without a flaw, in the same way as the one before it in a text, needs no comparison
 * with others. In bits, as decode/evidence.ts counts them. Higher: long texts take longer. A guess: scripts/recognition
 * reads each input by itself.
 */
const sureEvidence = 20;

/** Reads a part of a text like the one before it; undefined if it is not certain that it is alike. */
export async function readLike(part: Part, last: SourceReading, stated: Stated): Promise<SourceReading | undefined> {
  const { format, encoding, kind, version: statedVersion } = stated;
  const isStated = format !== undefined || encoding !== undefined || kind !== undefined;
  if (!last.isFlawless || part.cutLine !== undefined || isStated) return undefined;
  const sure = <One extends Weighed>(reading: One) =>
    reading.isFlawless && reading.evidence >= sureEvidence ? reading : undefined;
  if (last.kind === 'payload') {
    const { layers, kind, types } = last.payload;
    if (layers.encoding === 'json') return undefined;
    return sure(readAsPayload(part, { ...stated, encoding: layers.encoding, kind, version: types.protocol.version }));
  }
  if (last.contents.kind === 'message') return undefined;
  const { recognisePart } = await recognition();
  // Clients of both versions play on one server.
  const { version } = last.contents.protocol;
  const versions: readonly Version[] = statedVersion ? [version] : [version, version === '0.7' ? '0.6' : '0.7'];
  for (const candidate of versions) {
    const packet = sure(recognisePart(part, { ...stated, kind: 'packet', version: candidate }));
    if (packet) return packet;
  }
  return undefined;
}
