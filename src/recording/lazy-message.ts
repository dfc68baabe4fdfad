import { type Message, type MessageHead, readMessage, readMessageHead } from '../packet/message.ts';
import {
  headCertainty,
  mayBeMixed,
  readMixedHead,
  readMixedMessage,
  type VersionCertainty,
  versionCertainty,
} from '../packet/mixed-message.ts';
import type { Direction, MessageEntry, Stream } from './record.ts';

/** A message that is read on first use, since most outputs need few messages. */
export abstract class LazyMessage implements MessageEntry {
  readonly record = 'message';
  readonly stream: Stream;
  readonly direction: Direction;
  abstract readonly bytes: Uint8Array;
  readonly #padded: boolean;
  #message: Message | undefined;
  #head: MessageHead | undefined;

  /** @param padded whether zero bytes may follow the message, as in demos */
  constructor(stream: Stream, direction: Direction, padded: boolean) {
    this.stream = stream;
    this.direction = direction;
    this.#padded = padded;
  }

  /** Whether it may be of the other version. No table has the messages of 0.5. */
  get #isMixed(): boolean {
    const { stream, direction } = this;
    const { version } = stream.protocol;
    if (stream.mixesVersions) return version !== '0.5';
    return mayBeMixed(version, direction === 'to_client', this.bytes[0]);
  }

  get message(): Message {
    this.#message ??= this.#read();
    return this.#message;
  }

  get head(): MessageHead {
    this.#head ??= this.#message ?? this.#readHead() ?? this.message;
    return this.#head;
  }

  /** Undefined if the version of the message depends on its values. */
  #readHead(): MessageHead | undefined {
    const { protocol } = this.stream;
    return this.#isMixed
      ? readMixedHead(this.bytes, protocol, { padded: this.#padded })
      : readMessageHead(this.bytes, protocol);
  }

  get certainty(): VersionCertainty | undefined {
    const { stream, head, bytes } = this;
    if (!this.#isMixed || (stream.mixesVersions !== true && head.version === undefined)) return undefined;
    const options = { padded: this.#padded };
    return (
      headCertainty(head, bytes, stream.protocol, options) ??
      versionCertainty(this.message, bytes, stream.protocol, options)
    );
  }

  #read(): Message {
    const { bytes, stream } = this;
    const { protocol } = stream;
    const options = { padded: this.#padded };
    return this.#isMixed
      ? readMixedMessage(bytes, protocol, options)
      : readMessage(bytes, 0, bytes.length, protocol, options);
  }
}
