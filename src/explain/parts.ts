import { IntBuffer } from '../bytes/buffers.ts';
import { DecodeError, ignore } from '../bytes/diagnostic.ts';
import { join } from '../bytes/join.ts';
import { unpackInts } from '../codec/varint.ts';
import type { Protocol } from '../protocol/registry.ts';
import { Delta } from '../snapshot/delta.ts';
import type { ReceivedDelta } from './failure.ts';
import { isSound } from './sound.ts';
import { hasChecksum } from './sums.ts';

/** The parts of a snapshot's payload, in their order. */
export function partsOf({
  payload,
  partEnds = [payload.length],
}: Pick<ReceivedDelta, 'payload' | 'partEnds'>): Uint8Array[] {
  return partEnds.map((end, i) => payload.subarray(partEnds[i - 1] ?? 0, end));
}

/** The parts that have the bytes of the snapshot before in their place. */
export function repeatedParts(received: ReceivedDelta): number[] {
  const { previous } = received;
  return partsOf(received).flatMap((part, i) => (isSame(part, previous?.parts[i]) ? [i] : []));
}

const isSame = (part: Uint8Array, other: Uint8Array | undefined) =>
  part.length === other?.length && part.every((byte, i) => byte === other[i]);

/** Whether parts make a sound delta with the announced checksum. */
export function makeAnnouncedSum(
  { before, protocol, announced }: Pick<ReceivedDelta, 'before' | 'protocol' | 'announced'>,
  parts: readonly Uint8Array[],
): boolean {
  const layout = layoutOf(parts, protocol);
  return (
    layout !== undefined && isSound(before, layout.delta, protocol) && hasChecksum(before, layout.delta, announced)
  );
}

/** A packed delta, and where its ints begin. */
export interface Layout {
  readonly ints: IntBuffer;
  readonly delta: Delta;
}

/** The delta that parts make; undefined if it cannot be read to its end. */
export function layoutOf(parts: readonly Uint8Array[], protocol: Protocol): Layout | undefined {
  const payload = join(parts);
  const ints = new IntBuffer({ positions: true });
  const delta = new Delta();
  try {
    unpackInts(payload, 0, payload.length, ints, ignore);
    delta.read(ints.ints, ints.length, protocol.sizeOf);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
  return { ints, delta };
}
