import type { Diagnostic } from '../../bytes/diagnostic.ts';

/**
 * What a packet carried, or what is odd or wrong; diagnostics about a packet come after it. The same object is filled for each:
 * valid until the next one is asked for.
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
  /** `other` is a packet without UDP, or a fragment that does not complete its datagram. */
  kind: 'datagram' | 'other' | 'diagnostic';
  /** Absolute offset of the packet's record, and its number from 1; the record that completed it, where it came in fragments. */
  offset: number;
  number: number;
  /** When, since 1970: in seconds, good for microseconds, and as whole numbers. Not a number where the file doesn't tell. */
  time: number;
  seconds: number;
  nanoseconds: number;
  /** Of datagrams: addresses as text. */
  source: string;
  sourcePort: number;
  destination: string;
  destinationPort: number;
  /** The payload of a datagram, the whole of another packet: `bytes[start]` up to `bytes[end]`. */
  bytes: Uint8Array;
  start: number;
  end: number;
  /** Absolute offset of `bytes[start]`, -1 where it was put together from fragments. */
  dataOffset: number;
  /** Bytes of that which were not recorded. */
  missing: number;
  /** Set where `kind` is `diagnostic`. */
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
