import { DecodeError } from '../bytes/diagnostic.ts';
import { join } from '../bytes/join.ts';
import { type DemoFrame, DemoReader } from '../container/demo/reader.ts';
import { PayloadReader } from '../decode/payload-reader.ts';
import { protocolOf } from '../protocol/registry.ts';
import { maxDraftSnapshotBytes } from '../snapshot/key.ts';
import { Snapshot } from '../snapshot/snapshot.ts';

/** The maximum number of bytes kept during the search for the first full snapshot, which follows the map. */
const maxBytes = 16 << 20;

/** The number of bytes searched at a time, so that only a little more than needed of a long piece is read. */
const stepBytes = 1 << 16;

/**
 * Whether a demo whose header says 0.6 contains the items of 0.7, as in the demos that a DDNet server records of its 0.7 clients.
 * The first full snapshot decides: it has the size of every item, and most sizes differ between the versions.
 */
export class DemoContent {
  readonly #reader = new DemoReader();
  readonly #payload = new PayloadReader(protocolOf('0.6').sizeOf);
  readonly #pieces: Uint8Array[] = [];
  #length = 0;
  /** Undefined until it is known. */
  is07: boolean | undefined;

  constructor() {
    // The replay checks the limit of the version.
    this.#payload.maxSnapshotBytes = maxDraftSnapshotBytes;
  }

  /** Searches the next piece of the file, and keeps it if it does not decide. */
  add(piece: Uint8Array): void {
    for (let at = 0; at < piece.length && this.is07 === undefined; at += stepBytes) {
      this.#search(this.#reader.feed(piece.subarray(at, at + stepBytes)));
    }
    this.#length += piece.length;
    if (this.#length > maxBytes) this.is07 ??= false;
    if (this.is07 === undefined) this.#pieces.push(piece.slice());
  }

  /** Ends the file. */
  finish(): void {
    this.#search(this.#reader.finish());
    this.is07 ??= false;
  }

  /** The pieces that were added before the one that decided. */
  get bytes(): Uint8Array {
    return join(this.#pieces);
  }

  #search(frames: Iterable<DemoFrame>): void {
    for (const frame of frames) {
      if (this.is07 !== undefined) return;
      const { header } = this.#reader;
      if (header?.netVersion.startsWith('0.7')) this.is07 = false;
      // The file is not a demo.
      if (frame.kind === 'diagnostic' && !header) this.is07 = false;
      if (frame.kind === 'snapshot') this.is07 = this.#fits07(frame.bytes.subarray(frame.start, frame.end));
    }
  }

  #fits07(payload: Uint8Array): boolean | undefined {
    const snapshot = new Snapshot();
    try {
      this.#payload.readSnapshot(payload, 'huffman', snapshot);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return undefined;
    }
    return fits07(snapshot);
  }
}

/** Whether the sizes of a snapshot's items are those of 0.7 rather than those of 0.6. */
export function fits07(snapshot: Snapshot): boolean {
  const misfits = { '0.6': 0, '0.7': 0 };
  for (let i = 0; i < snapshot.count; i++) {
    const type = snapshot.type(i);
    for (const version of ['0.6', '0.7'] as const) {
      const item = protocolOf(version).byType(type);
      // Local types have no number of their own.
      if (type < 64 && snapshot.size(i) !== item?.size) misfits[version]++;
    }
  }
  return misfits['0.7'] < misfits['0.6'];
}
