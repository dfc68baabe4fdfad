import { u32 } from '../../../wire/bytes/fixed-int.ts';
import { PieceReader, Window } from '../../../wire/bytes/window.ts';
import { netlogHeadSize, netlogRecordSize } from '../detect.ts';
import { CaptureFrame } from './capture-frame.ts';
import { type Framing, RecordReader } from './record-reader.ts';

/**
 * The format that the games write with `dbg_lognetwork`: one file for sent and one for received packets, without
 * addresses or times.
 * ```
 * { type i32  size i32  data[size] }*      type 0: a packet as it was on the wire · 1: the payload of one, decompressed
 * ```
 */
const framing: Framing = { headSize: netlogHeadSize, certain: false, sizeAt: netlogRecordSize };

/**
 * Reads a network log piece by piece. A packet is a datagram without addresses and time; the payload of one is `other`.
 */
export class NetlogReader extends PieceReader<CaptureFrame> {
  readonly #window = new Window();
  readonly #records = new RecordReader(this.#window, framing);
  readonly #frame = new CaptureFrame();

  override add(piece: Uint8Array): void {
    this.#window.add(piece);
  }

  override end(): void {
    this.#window.ended = true;
  }

  override next(): CaptureFrame | undefined {
    const records = this.#records;
    const frame = this.#frame;
    const step = records.next();
    if (step === 'more' || step === 'done') return undefined;
    if (step === 'diagnostic') {
      frame.kind = 'diagnostic';
      frame.diagnostic = records.diagnostic;
      frame.offset = frame.diagnostic.offset;
    } else {
      const { bytes } = this.#window;
      frame.kind = u32(bytes, records.start, true) === 0 ? 'datagram' : 'other';
      frame.offset = this.#window.offset(records.start);
      frame.number = ++records.packets;
      frame.bytes = bytes;
      frame.start = records.start + framing.headSize;
      frame.end = records.end;
      frame.dataOffset = frame.offset + framing.headSize;
    }
    return frame;
  }
}
