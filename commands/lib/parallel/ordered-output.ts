import { AppendBuffer } from '../../../src/bytes/append-buffer.ts';
import type { Io } from '../io.ts';
import { bufferBytes } from './output-channel.ts';
import type { Chunk, OutputMark } from './worker-protocol.ts';

const encoder = new TextEncoder();

/** The output of a thread that reads a part of a capture. It is sent with the positions in the capture, by which parts are merged. */
export class OrderedOutput {
  readonly #send: (chunk: Required<Chunk>) => Promise<void>;
  readonly #bytes = new AppendBuffer(bufferBytes);
  #marks: OutputMark[] = [];
  position = () => 0;

  /** @param send copies the bytes at once */
  constructor(send: (chunk: Required<Chunk>) => Promise<void>) {
    this.#send = send;
  }

  /** The platform with this output. */
  io(io: Io): Io {
    const sinkOf = (to: Chunk['to']) => ({ ...io[to], write: (data: string | Uint8Array) => this.#write(to, data) });
    return Object.assign(Object.create(io) as Io, {
      stdout: sinkOf('stdout'),
      stderr: sinkOf('stderr'),
      ordered: this,
    });
  }

  async #write(to: Chunk['to'], data: string | Uint8Array): Promise<void> {
    const bytes = typeof data === 'string' ? encoder.encode(data) : data;
    if (this.#bytes.length + bytes.length > bufferBytes) await this.flush();
    this.#bytes.bytes(bytes);
    this.#mark(to);
  }

  /** Sends what was written, and the position up to which that is all. */
  async flush(): Promise<void> {
    this.#mark('stdout');
    const marks = this.#marks;
    this.#marks = [];
    const sent = this.#send({ to: 'stdout', bytes: this.#bytes.view(), marks });
    this.#bytes.clear();
    await sent;
  }

  #mark(to: Chunk['to']): void {
    const position = this.position();
    const end = this.#bytes.length;
    const last = this.#marks.at(-1);
    if (last?.position === position && last.to === to) last.end = end;
    else this.#marks.push({ position, to, end });
  }
}
