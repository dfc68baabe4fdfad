import { closeSync, openSync, writeSync } from 'node:fs';
import { DemoRecorder } from '../../src/editing/demo-recorder.ts';
import { CaptureWriter } from '../../src/recording/container/capture/capture-writer.ts';
import { type UdpEnd, udpFrame } from '../../src/recording/container/net/udp-frame.ts';
import type { RecordingEntry } from '../../src/recording/replay/record.ts';
import { OutputError } from '../lib/options/errors.ts';

/**
 * A file that grows while a match runs. Unlike the files of other commands it is there from its first byte on: a
 * program that is killed leaves what it has. A file of this name stays as it is: the next free of `match.demo`,
 * `match-2.demo`, `match-3.demo` … is written.
 */
class GrowingFile {
  readonly path: string;
  readonly #file: number;

  constructor(path: string) {
    [this.path, this.#file] = openFree(path);
  }

  /** @param at the offset of bytes that are written again; otherwise they are added */
  write(bytes: Uint8Array, at?: number): void {
    try {
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(this.#file, bytes, done, bytes.length - done, at === undefined ? null : at + done);
      }
    } catch (error) {
      throw new OutputError(this.path, error);
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

function openFree(path: string): readonly [path: string, file: number] {
  const [, name, ending] = /^(.*)(\.\w+)$/s.exec(path)!;
  for (let number = 1; ; number++) {
    const free = number === 1 ? path : `${name}-${number}${ending}`;
    try {
      return [free, openSync(free, 'wx')];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw new OutputError(free, error);
    }
  }
}

/**
 * A demo, which is whole after each record but for the length in its header. That is brought up to date each second.
 */
export class GrowingDemo {
  readonly recorder = new DemoRecorder();
  readonly #file: GrowingFile;
  #seconds = 0;

  constructor(path: string) {
    this.#file = new GrowingFile(path);
  }

  get path(): string {
    return this.#file.path;
  }

  add(entry: RecordingEntry): void {
    this.recorder.add(entry);
  }

  flush(): void {
    const { recorder } = this;
    this.#file.write(recorder.flush());
    if (recorder.lastTick < 0 || recorder.seconds === this.#seconds) return;
    this.#seconds = recorder.seconds;
    this.#file.write(recorder.finalHeader(), 0);
  }

  finish(): void {
    this.recorder.finish();
    this.flush();
    this.#file.write(this.recorder.finalHeader(), 0);
    this.#file.close();
  }
}

/** The registered link type of IP packets without a header before them. */
const rawIp = 101;

/** A capture of datagrams, as if it were taken between the client and the server. */
export class GrowingCapture {
  packets = 0;
  bytes = 0;
  readonly #file: GrowingFile;
  readonly #writer = new CaptureWriter(`tw-snap ${VERSION}`);

  constructor(path: string) {
    this.#file = new GrowingFile(path);
    // The header of a pcap: microseconds, version 2.4, no limit.
    const header = new DataView(new ArrayBuffer(24));
    header.setUint32(0, 0xa1b2c3d4, true);
    header.setUint16(4, 2, true);
    header.setUint16(6, 4, true);
    header.setUint32(20, rawIp, true);
    const bytes = new Uint8Array(header.buffer);
    this.#write(this.#writer.write({ format: 'pcap', bytes, isLittleEndian: true, packet: undefined }));
  }

  get path(): string {
    return this.#file.path;
  }

  add(time: number, from: UdpEnd, to: UdpEnd, datagram: Uint8Array): void {
    const bytes = udpFrame(from, to, datagram);
    const seconds = Math.floor(time);
    const nanoseconds = Math.round((time - seconds) * 1e6) * 1000;
    const packet = {
      link: { number: 0, type: rawIp, snapLength: 0 },
      offset: 0,
      number: 0,
      seconds,
      nanoseconds,
      start: 0,
      end: bytes.length,
      originalLength: bytes.length,
    };
    this.#write(this.#writer.write({ format: 'pcap', bytes, isLittleEndian: true, packet }));
    this.packets++;
  }

  finish(): void {
    this.#file.close();
  }

  #write(bytes: Uint8Array): void {
    this.bytes += bytes.length;
    this.#file.write(bytes);
  }
}
