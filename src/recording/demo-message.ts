import type { IntBuffer } from '../bytes/buffers.ts';
import { bytesOfInts } from '../codec/int32.ts';
import type { DemoFrame } from '../container/demo/frame.ts';
import { LazyMessage } from './lazy-message.ts';
import type { Stream } from './record.ts';

/** The bytes of a message in a demo. */
export interface MessageSource {
  readonly bytes: Uint8Array;
  /** The compressed bytes as recorded, if they exist. */
  readonly payload?: Uint8Array | undefined;
}

/** A message of a demo: whole ints, at a tick. */
export class DemoMessage extends LazyMessage {
  readonly tick: number;
  readonly offset: number;
  readonly endBit?: number;
  readonly #source: MessageSource;
  #bytes: Uint8Array | undefined;

  /** @param endBit as in {@link MessageEntry} */
  constructor(stream: Stream, tick: number, offset: number, source: MessageSource, endBit?: number) {
    super(stream, 'to_client', true);
    this.tick = tick;
    this.offset = offset;
    this.#source = source;
    if (endBit !== undefined) this.endBit = endBit;
  }

  get bytes(): Uint8Array {
    this.#bytes ??= this.#source.bytes;
    return this.#bytes;
  }

  get payload(): Uint8Array | undefined {
    return this.#source.payload;
  }
}

/** The bytes of the message that a replay has read last: the views of them, which most messages do not need, are made on demand. */
export class CurrentMessage implements MessageSource {
  #frame: DemoFrame | undefined;
  #ints: IntBuffer | undefined;

  /** @param ints those of the message, filled again by each */
  of(frame: DemoFrame, ints: IntBuffer): MessageSource {
    this.#frame = frame;
    this.#ints = ints;
    return this;
  }

  get bytes(): Uint8Array {
    // Messages are padded to whole ints before they are packed.
    return bytesOfInts(this.#ints!);
  }

  get payload(): Uint8Array {
    const { bytes, start, end } = this.#frame!;
    return bytes.subarray(start, end);
  }
}
