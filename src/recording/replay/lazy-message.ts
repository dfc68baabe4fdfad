import { type IntBuffer, noBytes } from '../../wire/bytes/buffers.ts';
import { areSameBytes } from '../../wire/bytes/copy.ts';
import { bytesOfInts, isLittleEndian } from '../../wire/codec/int32.ts';
import {
  type Message,
  type MessageHead,
  readMessage,
  readMessageHead,
  type VersionCertainty,
} from '../../wire/packet/message.ts';
import {
  headCertainty,
  mayBeMixed,
  readMixedHead,
  readMixedMessage,
  versionCertainty,
} from '../../wire/packet/mixed-message.ts';
import { withoutSecrets } from '../../wire/packet/secrets.ts';
import type { CopyFate, ReadyChunk } from '../../wire/packet/sequence.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import type { DemoFrame } from '../container/demo/chunk.ts';
import type { CopyEntry, MessageEntry } from './record.ts';
import type { ConnectionStream, Direction, Stream } from './stream.ts';

/** Whether zero bytes may follow a message: only in demos. */
const ofDemo = { padded: true };
const ofConnection = { padded: false };

/** A message that is read on first use, since most outputs need few messages. */
abstract class LazyMessage {
  readonly stream: Stream;
  readonly direction: Direction;
  abstract readonly bytes: Uint8Array;
  readonly #options: { readonly padded: boolean };
  #message: Message | undefined;
  #head: MessageHead | undefined;

  constructor(stream: Stream, direction: Direction, options: { readonly padded: boolean }) {
    this.stream = stream;
    this.direction = direction;
    this.#options = options;
  }

  /** Whether it may be of the other version: nobody mixes messages of 0.5 with others. */
  get #isMixed(): boolean {
    const { stream, direction } = this;
    const { version } = stream.protocol;
    if (stream.mixesVersions) return version !== '0.5';
    return mayBeMixed(version, direction === 'to_client', this.firstByte);
  }

  get message(): Message {
    this.#message ??= this.read(this.bytes, this.#isMixed);
    return this.#message;
  }

  get head(): MessageHead {
    this.#head ??= this.#message ?? this.#readHead() ?? this.message;
    return this.#head;
  }

  /** Undefined if the version of the message depends on its values. */
  #readHead(): MessageHead | undefined {
    const { protocol } = this.stream;
    return this.#isMixed ? readMixedHead(this.bytes, protocol, this.#options) : this.readHead(protocol);
  }

  get certainty(): VersionCertainty | undefined {
    const { stream, head, bytes } = this;
    if (!this.#isMixed || (stream.mixesVersions !== true && head.version === undefined)) return undefined;
    const { protocol } = stream;
    return (
      headCertainty(head, bytes, protocol, this.#options) ??
      versionCertainty(this.message, bytes, protocol, this.#options)
    );
  }

  protected get firstByte(): number | undefined {
    return this.bytes[0];
  }

  protected readHead(protocol: Protocol): MessageHead {
    return readMessageHead(this.bytes, protocol);
  }

  protected read(bytes: Uint8Array, isMixed: boolean): Message {
    const { stream } = this;
    const { protocol } = stream;
    const message = isMixed
      ? readMixedMessage(bytes, protocol, this.#options)
      : readMessage(bytes, 0, bytes.length, protocol, this.#options);
    return stream.hidesSecrets ? withoutSecrets(message) : message;
  }
}

/** The bytes of a chunk, where one array of them is needed. */
export const viewOf = ({ bytes, start, end }: ReadyChunk): Uint8Array => bytes.subarray(start, end);

/** A connection, and the time of the packet that is read. */
type ReadConnection = ConnectionStream & { readonly time: number };

/** Only what is read beyond its head needs a view of its bytes. */
abstract class ChunkOfConnection extends LazyMessage {
  readonly time: number;
  readonly frame: number;
  readonly #chunk: ReadyChunk;
  #bytes: Uint8Array | undefined;

  constructor(connection: ReadConnection, direction: Direction, chunk: ReadyChunk, frame: number) {
    super(connection, direction, ofConnection);
    this.#chunk = chunk;
    this.time = connection.time;
    this.frame = frame;
  }

  get bytes(): Uint8Array {
    this.#bytes ??= viewOf(this.#chunk);
    return this.#bytes;
  }

  protected override get firstByte(): number | undefined {
    const { bytes, start, end } = this.#chunk;
    return start < end ? bytes[start] : undefined;
  }

  protected override readHead(protocol: Protocol): MessageHead {
    const { bytes, start, end } = this.#chunk;
    return readMessageHead(bytes, protocol, start, end);
  }
}

export class ConnectionMessage extends ChunkOfConnection implements MessageEntry {
  readonly record = 'message';
  readonly fate: CopyFate | undefined;

  constructor(connection: ReadConnection, direction: Direction, chunk: ReadyChunk, frame: number) {
    super(connection, direction, chunk, frame);
    this.fate = chunk.fate;
  }
}

/** A message of a packet that is read alone: nothing says when it was sent. */
export class LoneMessage extends LazyMessage implements MessageEntry {
  readonly record = 'message';
  readonly tick = -1;
  readonly bytes: Uint8Array;

  constructor(stream: Stream, direction: Direction, bytes: Uint8Array) {
    super(stream, direction, ofConnection);
    this.bytes = bytes;
  }
}

export class ConnectionCopy extends ChunkOfConnection implements CopyEntry {
  readonly record = 'copy';
  declare readonly stream: ConnectionStream;
  readonly fate: CopyEntry['fate'];

  constructor(
    connection: ReadConnection,
    direction: Direction,
    chunk: ReadyChunk,
    frame: number,
    fate: CopyEntry['fate'],
  ) {
    super(connection, direction, chunk, frame);
    this.fate = fate;
  }
}

/** The bytes of a message: views of them are made on demand, since most messages do not need them. */
interface MessageSource {
  readonly bytes: Uint8Array;
  /** The compressed bytes as recorded, if they exist. */
  readonly payload?: Uint8Array | undefined;
  /** The messages that were read before, if there may be the same again. */
  readonly last?: LastMessage;
}

interface ReadMessage {
  readonly bytes: Uint8Array;
  readonly protocol: Protocol;
  readonly isMixed: boolean;
  readonly message: Message;
}

/**
 * The last messages that were read, which a demo often has again: a server's once for each client, and some servers send
 * tune params with each snapshot, which was a tenth of an export.
 */
class LastMessage {
  #last: ReadMessage | undefined;
  /** The one before: another message comes in between. */
  #before: ReadMessage | undefined;

  find(bytes: Uint8Array, protocol: Protocol, isMixed: boolean): Message | undefined {
    if (isOf(this.#last, bytes, protocol, isMixed)) return this.#last!.message;
    if (!isOf(this.#before, bytes, protocol, isMixed)) return undefined;
    [this.#last, this.#before] = [this.#before, this.#last];
    return this.#last!.message;
  }

  keep(read: ReadMessage): Message {
    this.#before = this.#last;
    this.#last = read;
    return read.message;
  }
}

const isOf = (read: ReadMessage | undefined, bytes: Uint8Array, protocol: Protocol, isMixed: boolean): boolean =>
  read?.protocol === protocol && read.isMixed === isMixed && areSameBytes(bytes, read.bytes);

export class DemoMessage extends LazyMessage implements MessageEntry {
  readonly record = 'message';
  readonly tick: number;
  readonly offset: number;
  readonly endBit?: number;
  readonly #source: MessageSource;
  #bytes: Uint8Array | undefined;

  constructor(stream: Stream, tick: number, offset: number, source: MessageSource, endBit?: number) {
    super(stream, 'to_client', ofDemo);
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

  protected override read(bytes: Uint8Array, isMixed: boolean): Message {
    const { last } = this.#source;
    const { protocol } = this.stream;
    const known = last?.find(bytes, protocol, isMixed);
    if (known || !last) return known ?? super.read(bytes, isMixed);
    // The values of a message may be views of its bytes.
    const own = bytes.slice();
    return last.keep({ bytes: own, protocol, isMixed, message: super.read(own, isMixed) });
  }
}

export class CurrentMessage implements MessageSource {
  /** The chunk, and the ints in it: both are filled again by each. */
  frame!: DemoFrame;
  ints!: IntBuffer;
  readonly last = new LastMessage();
  #viewed: Int32Array | undefined;
  #bytes: Uint8Array = noBytes;

  get bytes(): Uint8Array {
    const { ints, length } = this.ints;
    // Messages are padded to whole ints before they are packed. Most have the length of the one before, and the same
    // view.
    const isSame = isLittleEndian && this.#viewed === ints && this.#bytes.length === 4 * length;
    if (!isSame) {
      this.#viewed = ints;
      this.#bytes = bytesOfInts(this.ints);
    }
    return this.#bytes;
  }

  get payload(): Uint8Array {
    const { bytes, start, end } = this.frame;
    return bytes.subarray(start, end);
  }
}
