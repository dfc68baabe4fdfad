import type { MessagePort } from 'node:worker_threads';
import type { Sink } from '../platform/io.ts';
import type { Chunk, FromWorker, Terminal } from '../platform/protocol.ts';
import type { Writer } from './writer.ts';

/** A message takes 80 µs or more, whatever its size, so output is posted in large pieces. */
const bufferBytes = 2 << 20;

/**
 * Both threads use the memory of a buffer, so that none has to be passed on and back, which V8 would count as new
 * memory to collect.
 */
const newBuffer = () => new Uint8Array(new SharedArrayBuffer(bufferBytes));

/**
 * Whether output is posted in shared memory. A few bytes have memory of their own: a buffer for each of many lines
 * would take far more.
 */
const isLarge = (length: number) => 2 * length >= bufferBytes;

const wordBytes = 8;

const encoder = new TextEncoder();

/** Sends output to the main thread, and pauses if too much of it has not been written. */
export class OutputChannel implements Writer {
  readonly #port: Pick<MessagePort, 'postMessage'>;
  readonly #waiting: (() => void)[] = [];
  #left = 0;
  /** Output before it is copied to shared memory, which V8 does fast only from and to whole words. */
  readonly #staged = new Uint8Array(1 << 18);
  #stagedLength = 0;
  /** The output before it that was not posted. */
  #shared: Uint8Array = newBuffer();
  #sharedLength = 0;
  /** The ends of its parts but the last, as a chunk has them. */
  #ends: number[] = [];
  /**
   * The buffers of the chunks that the main thread has not written, in their order, and those that can be filled again.
   */
  readonly #posted: (Uint8Array | undefined)[] = [];
  readonly #free: Uint8Array[] = [];

  constructor(port: Pick<MessagePort, 'postMessage'>) {
    this.#port = port;
  }

  sink(to: 'stdout' | 'stderr', terminal: Terminal): Sink {
    return { ...terminal, write: async (data) => this.#write(to, data) };
  }

  write(data: string | Uint8Array): Promise<void> | undefined {
    return this.#write('stdout', data);
  }

  /** Nobody sees the output before the main thread writes it. */
  async flush(): Promise<void> {}

  /** Sets the number of bytes that may be buffered in the main thread. */
  allow(ahead: number): void {
    this.#left = ahead;
  }

  written(bytes: number): void {
    const buffer = this.#posted.shift();
    if (buffer) this.#free.push(buffer);
    this.#left += bytes;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  post(message: FromWorker): void {
    this.#postOutput();
    this.#port.postMessage(message);
  }

  #write(to: 'stdout' | 'stderr', data: string | Uint8Array): Promise<void> | undefined {
    if ((to === 'stderr') !== this.#isStderr) this.#ends.push(this.#sharedLength + this.#stagedLength);
    let isPosted = false;
    for (let at = 0; at < data.length; ) {
      at += this.#stage(data, at);
      if (at === data.length) break;
      this.#share(this.#stagedLength & -wordBytes);
      if (this.#sharedLength + this.#staged.length <= bufferBytes) continue;
      this.#postOutput();
      isPosted = true;
    }
    return isPosted || this.#left <= 0 ? this.#pause(isPosted) : undefined;
  }

  get #isStderr(): boolean {
    return this.#ends.length % 2 === 1;
  }

  async #pause(isPosted: boolean): Promise<void> {
    // Between turns of the event loop few young objects are in use, so that V8 collects the garbage in less time.
    if (isPosted) await new Promise((resolve) => setImmediate(resolve));
    while (this.#left <= 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Stages data as far as there is room, and returns its length. */
  #stage(data: string | Uint8Array, at: number): number {
    const room = this.#staged.subarray(this.#stagedLength);
    if (typeof data === 'string') {
      const { read, written } = encoder.encodeInto(data.slice(at), room);
      this.#stagedLength += written;
      return read;
    }
    const part = data.subarray(at, at + room.length);
    room.set(part);
    this.#stagedLength += part.length;
    return part.length;
  }

  /** Moves the first bytes that were staged to shared memory. */
  #share(length: number): void {
    this.#shared.set(this.#staged.subarray(0, length), this.#sharedLength);
    this.#sharedLength += length;
    this.#staged.copyWithin(0, length, this.#stagedLength);
    this.#stagedLength -= length;
  }

  #postOutput(): void {
    this.#share(this.#stagedLength);
    const length = this.#sharedLength;
    if (length === 0) return;
    this.#sharedLength = 0;
    const ends = [...this.#ends, length];
    this.#ends = this.#isStderr ? [0] : [];
    const shared = this.#shared;
    if (isLarge(length)) {
      this.#shared = this.#free.pop() ?? newBuffer();
      this.#postChunk({ bytes: shared.subarray(0, length), ends }, shared);
    } else this.#postChunk({ bytes: shared.slice(0, length), ends });
  }

  #postChunk(chunk: Chunk, shared?: Uint8Array): void {
    this.#left -= chunk.bytes.length;
    this.#port.postMessage({ chunk } satisfies FromWorker);
    this.#posted.push(shared);
  }
}
