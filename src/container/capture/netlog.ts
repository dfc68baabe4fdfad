import type { Diagnostic } from '../../bytes/diagnostic.ts';
import { u32 } from '../../bytes/fixed-int.ts';
import { Window } from '../../bytes/window.ts';
import { diagnosticOf, type Framing, RecordReader } from './record-reader.ts';

/**
 * What the games write with `dbg_lognetwork`: a file of what was sent, one of what was received, without addresses or times.
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

/** A packet has a header at least; a payload can be empty. No game sends more. */
const [minPacketBytes, maxPacketBytes] = [3, 1400];

/** Records that have to be in order for a file to be taken for such a log. */
const checkedRecords = 8;

/** Whether bytes, a whole file or the beginning of one, are a log of the network: two records, or one and nothing else. */
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

/** A record of a log, or what is wrong with it. The same object is filled for each: valid until the next one is asked for. */
export interface NetlogFrame {
  /** A packet as it was on the wire, or the payload of one, decompressed. */
  kind: 'packet' | 'payload' | 'diagnostic';
  /** Absolute offset of its record, and its number from 1. */
  offset: number;
  number: number;
  /** Its data, `bytes[start]` up to `bytes[end]`, and the absolute offset of that. */
  bytes: Uint8Array;
  start: number;
  end: number;
  dataOffset: number;
  /** Set where `kind` is `diagnostic`. */
  diagnostic: Diagnostic | undefined;
}

/** Reads a log of the network, piece by piece. */
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

  /** Adds a piece of the file and gives the frames that are whole now. */
  *feed(piece: Uint8Array): Generator<NetlogFrame, void> {
    this.#window.add(piece);
    yield* this.#frames();
  }

  /** The file has ended: gives what is left. */
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
