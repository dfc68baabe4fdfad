import { type Message, readMessage } from '../packet/message.ts';
import type { Direction, MessageEntry, Stream } from './record.ts';

/** A message that is read on first use: most outputs need few of them. */
export class LazyMessage implements MessageEntry {
  readonly record = 'message';
  readonly stream: Stream;
  readonly direction: Direction;
  readonly bytes: Uint8Array;
  readonly #padded: boolean;
  #message: Message | undefined;

  /** @param padded whether zero bytes may follow the message, as in demos */
  constructor(stream: Stream, direction: Direction, bytes: Uint8Array, padded: boolean) {
    this.stream = stream;
    this.direction = direction;
    this.bytes = bytes;
    this.#padded = padded;
  }

  get message(): Message {
    const { bytes, stream } = this;
    this.#message ??= readMessage(bytes, 0, bytes.length, stream.protocol.version, { padded: this.#padded });
    return this.#message;
  }
}
