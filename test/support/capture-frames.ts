import { type CaptureFrame, CaptureReader } from '../../src/recording/container/capture/capture-reader.ts';

/** Feeds a file in pieces of a size, and copies each frame with `copy` as soon as it is yielded. */
export function framesOf<Frame, Copy>(
  reader: { feed(piece: Uint8Array): Iterable<Frame>; finish(): Iterable<Frame> },
  bytes: Uint8Array,
  copy: (frame: Frame) => Copy,
  pieceSize = bytes.length || 1,
): Copy[] {
  const copies: Copy[] = [];
  for (let at = 0; at < bytes.length; at += pieceSize) {
    // The copy keeps readers from reading neighbouring bytes.
    for (const frame of reader.feed(bytes.slice(at, at + pieceSize))) copies.push(copy(frame));
  }
  for (const frame of reader.finish()) copies.push(copy(frame));
  return copies;
}

/** The properties of a frame, by its kind. */
export function copyOf(frame: CaptureFrame) {
  const { kind, offset, number, diagnostic } = frame;
  if (kind === 'diagnostic') return { kind, ...diagnostic! } as const;
  const { time, seconds, nanoseconds, bytes, start, end, dataOffset, missing } = frame;
  const packet = { kind, offset, number, time, seconds, nanoseconds, data: [...bytes.subarray(start, end)] };
  if (kind === 'other') return { ...packet, dataOffset, missing };
  const { source, sourcePort, destination, destinationPort } = frame;
  return { ...packet, dataOffset, missing, source, sourcePort, destination, destinationPort };
}

/** A line per frame: `127.0.0.1 8303 > 127.0.0.1 50000: 1 2 3`, `other`, or `error: bad_ip 24`. */
function lineOf(frame: CaptureFrame): string {
  const { kind, source, sourcePort, destination, destinationPort, bytes, start, end } = frame;
  if (kind === 'other') return 'other';
  if (kind === 'diagnostic') return `${frame.diagnostic!.severity}: ${frame.diagnostic!.code} ${frame.offset}`;
  const missing = frame.missing > 0 ? ` (${frame.missing} missing)` : '';
  return `${source} ${sourcePort} > ${destination} ${destinationPort}: ${bytes.subarray(start, end).join(' ')}${missing}`;
}

export function captureLines(bytes: Uint8Array, pieceSize?: number): string[] {
  return framesOf(new CaptureReader(), bytes, lineOf, pieceSize);
}

export function captureFrames(bytes: Uint8Array, pieceSize?: number) {
  return framesOf(new CaptureReader(), bytes, copyOf, pieceSize);
}

export const diagnosticsOf = (bytes: Uint8Array) => captureFrames(bytes).filter(({ kind }) => kind === 'diagnostic');

/** The payload of each UDP datagram. */
export const packetsOf = (capture: Uint8Array): Uint8Array[] =>
  framesOf(new CaptureReader(), capture, ({ kind, bytes, start, end }) =>
    kind === 'datagram' ? [bytes.slice(start, end)] : [],
  ).flat();
