import { type Message, readMessage } from '../packet/message.ts';
import { readMixedMessage } from '../packet/mixed-message.ts';
import type { Direction, MessageEntry, Stream } from './record.ts';

/** A message that is read on first use, since most outputs need few messages. */
export class LazyMessage implements MessageEntry {
  readonly record = 'message';
  readonly stream: Stream;
  readonly direction: Direction;
  readonly bytes: Uint8Array;
  readonly #padded: boolean;
  readonly #isMixed: boolean;
  #message: Message | undefined;

  /**
   * @param padded whether zero bytes may follow the message, as in demos
   * @param isMixed whether it may be of the other version
   */
  constructor(stream: Stream, direction: Direction, bytes: Uint8Array, padded: boolean, isMixed = false) {
    this.stream = stream;
    this.direction = direction;
    this.bytes = bytes;
    this.#padded = padded;
    this.#isMixed = isMixed;
  }

  get message(): Message {
    const { bytes, stream } = this;
    if (!this.#message) {
      const { version } = stream.protocol;
      const options = { padded: this.#padded };
      const isMixed = this.#isMixed && version !== '0.5';
      this.#message = isMixed
        ? readMixedMessage(bytes, version, options)
        : readMessage(bytes, 0, bytes.length, version, options);
    }
    return this.#message;
  }
}
