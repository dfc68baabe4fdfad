import type { Diagnostic } from '../../bytes/diagnostic.ts';
import { u32 } from '../../bytes/fixed-int.ts';
import { Window } from '../../bytes/window.ts';
import { diagnosticOf, type Framing, RecordReader } from './record-reader.ts';

/**
 * The format that the games write with `dbg_lognetwork`: one file for sent and one for received packets, without
 * addresses or times.
 * ```
 * { type i32  size i32  data[size] }*      type 0: a packet as it was on the wire · 1: the payload of one, decompressed
 * ```
 */
const framing: Framing = {
  headSize: 8,
  certain: false,
  sizeAt(bytes, at) {
    const type = u32(bytes, at, true);
    const size = u32(bytes, at + 4, true);
    return type > 1 || size > maxPacketBytes || (type === 0 && size < minPacketBytes) ? -1 : 8 + size;
  },
  isValid: () => true,
};

/** A packet has at least a header; a payload can be empty. No game sends larger packets. */
const [minPacketBytes, maxPacketBytes] = [3, 1400];

/** The number of valid records after which a file is recognised as such a log. */
const checkedRecords = 8;

/**
 * Whether bytes, a whole file or the beginning of one, are a network log: two valid records, or one that is the whole
 * file.
 */
export function isNetlog(bytes: Uint8Array): boolean {
  let at = 0;
  for (let records = 0; records < checkedRecords; records++) {
    if (at === bytes.length) return records > 0;
    if (at + framing.headSize > bytes.length) return records > 1;
    const size = framing.sizeAt(bytes, at, false);
    if (size < 0) return false;
    at += size;
    if (at > bytes.length) return records > 1;
  }
  return true;
}

/** Whether valid records begin anywhere in the bytes, the beginning of a damaged log. */
export function containsNetlog(bytes: Uint8Array): boolean {
  for (let at = 0; at + framing.headSize < bytes.length; at++) {
    if (framing.sizeAt(bytes, at, false) >= 0 && isNetlog(bytes.subarray(at))) return true;
  }
  return false;
}

/** A record of a network log, or a diagnostic. The object is reused, so it is valid only until the next one is read. */
export interface NetlogFrame {
  /** A packet as sent, or the decompressed payload of one. */
  kind: 'packet' | 'payload' | 'diagnostic';
  /** The absolute offset of the record and its number from 1. */
  offset: number;
  number: number;
  /** The data, `bytes[start]` up to `bytes[end]`, and its absolute offset. */
  bytes: Uint8Array;
  start: number;
  end: number;
  dataOffset: number;
  /** Defined if `kind` is `diagnostic`. */
  diagnostic: Diagnostic | undefined;
}

/** Reads a network log piece by piece. */
export class NetlogReader {
  readonly #window = new Window();
  readonly #records = new RecordReader(this.#window, framing);
  readonly #frame: NetlogFrame = {
    kind: 'packet',
    offset: 0,
    number: 0,
    bytes: this.#window.bytes,
    start: 0,
    end: 0,
    dataOffset: 0,
    diagnostic: undefined,
  };

  /** Adds a piece of the file and yields the frames that are complete. */
  *feed(piece: Uint8Array): Generator<NetlogFrame, void> {
    this.#window.add(piece);
    yield* this.#frames();
  }

  /** Ends the file and yields the remaining frames. */
  *finish(): Generator<NetlogFrame, void> {
    this.#window.ended = true;
    yield* this.#frames();
  }

  *#frames(): Generator<NetlogFrame, void> {
    const window = this.#window;
    const records = this.#records;
    const frame = this.#frame;
    for (;;) {
      const step = records.next();
      if (step === 'more' || step === 'done') return;
      if (step === 'record') {
        frame.kind = u32(window.bytes, records.start, true) === 0 ? 'packet' : 'payload';
        frame.offset = window.offset(records.start);
        frame.number++;
        frame.bytes = window.bytes;
        frame.start = records.start + framing.headSize;
        frame.end = records.end;
        frame.dataOffset = frame.offset + framing.headSize;
      } else {
        frame.kind = 'diagnostic';
        frame.diagnostic = diagnosticOf(records.damage, frame.number + 1);
        frame.offset = frame.diagnostic.offset;
      }
      yield frame;
    }
  }
}
