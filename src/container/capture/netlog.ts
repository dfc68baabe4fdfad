import { u32 } from '../../bytes/fixed-int.ts';
import { Window } from '../../bytes/window.ts';
import { netlogHeadSize, netlogRecordSize } from '../detect.ts';
import { type CaptureFrame, newFrame } from './frame.ts';
import { diagnosticOf, type Framing, RecordReader } from './record-reader.ts';

/**
 * The format that the games write with `dbg_lognetwork`: one file for sent and one for received packets, without
 * addresses or times.
 * ```
 * { type i32  size i32  data[size] }*      type 0: a packet as it was on the wire · 1: the payload of one, decompressed
 * ```
 */
const framing: Framing = {
  headSize: netlogHeadSize,
  certain: false,
  sizeAt: netlogRecordSize,
  isValid: () => true,
};

/** Reads a network log piece by piece. A packet is a datagram without addresses and time; the payload of one is `other`. */
export class NetlogReader {
  readonly #window = new Window();
  readonly #records = new RecordReader(this.#window, framing);
  readonly #frame = newFrame();

  *feed(piece: Uint8Array): Generator<CaptureFrame, void> {
    this.#window.add(piece);
    yield* this.#frames();
  }

  *finish(): Generator<CaptureFrame, void> {
    this.#window.ended = true;
    yield* this.#frames();
  }

  *#frames(): Generator<CaptureFrame, void> {
    const window = this.#window;
    const records = this.#records;
    const frame = this.#frame;
    for (;;) {
      const step = records.next();
      if (step === 'more' || step === 'done') return;
      if (step === 'record') {
        frame.kind = u32(window.bytes, records.start, true) === 0 ? 'datagram' : 'other';
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
