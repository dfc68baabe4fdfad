import { AppendBuffer } from '../../../src/bytes/append-buffer.ts';
import type { Io } from '../io.ts';
import type { Chunk, OutputMark } from './worker-protocol.ts';

/** The output of one part of a capture that is buffered before it is sent. */
const bufferBytes = 1 << 18;

const encoder = new TextEncoder();

/** The output of a thread that reads a part of a capture. It is sent with the positions in the capture, by which parts are merged. */
export class OrderedOutput {
  readonly #send: (chunk: Chunk) => Promise<void>;
  readonly #bytes = new AppendBuffer();
  #marks: OutputMark[] = [];
  position = () => 0;

  constructor(send: (chunk: Chunk) => Promise<void>) {
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
    this.#bytes.bytes(typeof data === 'string' ? encoder.encode(data) : data);
    this.#mark(to);
    if (this.#bytes.length >= bufferBytes) await this.flush();
  }

  /** Sends what was written, and the position up to which that is all. */
  async flush(): Promise<void> {
    this.#mark('stdout');
    const marks = this.#marks;
    this.#marks = [];
    await this.#send({ to: 'stdout', bytes: this.#bytes.flush(), marks });
  }

  #mark(to: Chunk['to']): void {
    const position = this.position();
    const end = this.#bytes.length;
    const last = this.#marks.at(-1);
    if (last?.position === position && last.to === to) last.end = end;
    else this.#marks.push({ position, to, end });
  }
}
