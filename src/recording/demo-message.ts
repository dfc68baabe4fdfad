import { LazyMessage } from './lazy-message.ts';
import type { Stream } from './record.ts';

/** A message of a demo: whole ints, at a tick. */
export class DemoMessage extends LazyMessage {
  readonly tick: number;
  readonly offset: number;
  readonly payload?: Uint8Array;

  readonly endBit?: number;

  /**
   * @param payload the compressed bytes as recorded, if they exist
   * @param endBit as in {@link MessageEntry}
   */
  constructor(stream: Stream, tick: number, offset: number, bytes: Uint8Array, payload?: Uint8Array, endBit?: number) {
    super(stream, 'to_client', bytes, true);
    this.tick = tick;
    this.offset = offset;
    if (payload) this.payload = payload;
    if (endBit !== undefined) this.endBit = endBit;
  }
}
