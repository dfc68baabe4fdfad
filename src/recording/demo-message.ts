import { type Message, readMessage } from '../packet/message.ts';
import type { MessageEntry, Stream } from './record.ts';

/** A message of a demo, which is read when it is asked for: most outputs need few of them. */
export class DemoMessage implements MessageEntry {
  readonly record = 'message';
  readonly direction = 'to_client';
  readonly stream: Stream;
  readonly tick: number;
  readonly offset: number;
  readonly bytes: Uint8Array;
  readonly payload?: Uint8Array;
  #message: Message | undefined;

  /** @param payload the compressed bytes, where they are what was recorded */
  constructor(stream: Stream, tick: number, offset: number, bytes: Uint8Array, payload?: Uint8Array) {
    this.stream = stream;
    this.tick = tick;
    this.offset = offset;
    this.bytes = bytes;
    if (payload) this.payload = payload;
  }

  get message(): Message {
    const { bytes, stream } = this;
    this.#message ??= readMessage(bytes, 0, bytes.length, stream.protocol.version, { padded: true });
    return this.#message;
  }
}
