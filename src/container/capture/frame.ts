import type { Diagnostic } from '../../bytes/diagnostic.ts';

/**
 * A packet of a capture, or a diagnostic; diagnostics about a packet follow it. The object is reused, so it is valid
 * only until the next frame is read.
 *
 * @example
 * ```ts
 * import { type CaptureFrame, CaptureReader } from 'tw-snap/recording';
 *
 * const payloadOf = ({ bytes, start, end }: CaptureFrame) => bytes.slice(start, end);
 * const reader = new CaptureReader();
 * for (const frame of reader.feed(bytes)) if (frame.kind === 'datagram') console.log(frame.source, payloadOf(frame));
 * ```
 */
export interface CaptureFrame {
  /**
   * `other` is a packet without UDP or a fragment that does not complete its datagram; `block` is a part of the file without a
   * packet, for which only `offset` is set.
   */
  kind: 'datagram' | 'other' | 'diagnostic' | 'block';
  /**
   * The absolute offset of the packet's record and its number from 1. For a fragmented datagram: those of the record
   * that completed it.
   */
  offset: number;
  number: number;
  /** The time since 1970: in seconds with microsecond precision, and as whole numbers. NaN if the file has no time. */
  time: number;
  seconds: number;
  nanoseconds: number;
  /** The addresses of a datagram as text. */
  source: string;
  sourcePort: number;
  destination: string;
  destinationPort: number;
  /** The payload of a datagram or the whole of another packet: `bytes[start]` up to `bytes[end]`. */
  bytes: Uint8Array;
  start: number;
  end: number;
  /** The absolute offset of `bytes[start]`; -1 if the datagram was reassembled from fragments. */
  dataOffset: number;
  /** The number of payload bytes that were not recorded. */
  missing: number;
  /** Defined if `kind` is `diagnostic`. */
  diagnostic: Diagnostic | undefined;
}

export function newFrame(): CaptureFrame {
  return {
    kind: 'other',
    offset: 0,
    number: 0,
    time: Number.NaN,
    seconds: Number.NaN,
    nanoseconds: Number.NaN,
    source: '',
    sourcePort: 0,
    destination: '',
    destinationPort: 0,
    bytes: new Uint8Array(0),
    start: 0,
    end: 0,
    dataOffset: 0,
    missing: 0,
    diagnostic: undefined,
  };
}
