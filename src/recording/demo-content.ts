import { join } from '../bytes/copy.ts';
import { attempt, DecodeError } from '../bytes/diagnostic.ts';
import { type DemoHeader, draftVersion, netVersionOf } from '../container/demo/header.ts';
import { type DemoFrame, DemoReader } from '../container/demo/reader.ts';
import type { PayloadReader } from '../decode/payload-reader.ts';
import { type Protocol, protocolOf } from '../protocol/registry.ts';
import { maxDraftSnapshotBytes } from '../snapshot/key.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

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
  readonly #payload: PayloadReader;
  readonly #snapshot: Snapshot;
  readonly #pieces: Uint8Array[] = [];
  #length = 0;
  is07: boolean | undefined;

  /** @param payload and `snapshot` are those of the replay, which needs them only after the search */
  constructor(payload: PayloadReader, snapshot: Snapshot) {
    this.#payload = payload;
    this.#snapshot = snapshot;
    // The replay checks the limit of the version.
    this.#payload.maxSnapshotBytes = maxDraftSnapshotBytes;
  }

  add(piece: Uint8Array): void {
    // The first bytes usually say 0.7, and then the header is read only once.
    if (this.#length === 0 && netVersionOf(piece).startsWith('0.7')) this.is07 = false;
    for (let at = 0; at < piece.length && this.is07 === undefined; at += stepBytes) {
      this.#reader.add(piece.subarray(at, at + stepBytes));
      this.#search();
    }
    this.#length += piece.length;
    if (this.#length > maxBytes) this.is07 ??= false;
    if (this.is07 === undefined) this.#pieces.push(piece.slice());
  }

  finish(): void {
    this.#reader.end();
    this.#search();
    this.is07 ??= false;
  }

  get bytes(): Uint8Array {
    return join(this.#pieces);
  }

  #search(): void {
    while (this.is07 === undefined) {
      const frame = this.#reader.next();
      if (!frame) return;
      const { header } = this.#reader;
      if (header?.netVersion.startsWith('0.7')) this.is07 = false;
      // The file is not a demo.
      if (frame.kind === 'diagnostic' && !header) this.is07 = false;
      if (frame.kind === 'snapshot') this.is07 = this.#fits07(frame);
    }
  }

  #fits07({ bytes, start, end }: DemoFrame): boolean | undefined {
    const result = attempt(() => this.#payload.readSnapshot(bytes, 'huffman', this.#snapshot, start, end));
    return result instanceof DecodeError ? undefined : fits07(this.#snapshot);
  }
}

/** Whether the sizes of a snapshot's items are those of 0.7 rather than those of 0.6. */
export function fits07(snapshot: Snapshot): boolean {
  return misfits(snapshot, protocolOf('0.7')) < misfits(snapshot, protocolOf('0.6'));
}

function misfits(snapshot: Snapshot, protocol: Protocol): number {
  let found = 0;
  for (let i = 0; i < snapshot.count; i++) {
    const type = snapshot.type(i);
    // Local types have no number of their own.
    if (type < 64 && snapshot.size(i) !== protocol.byType(type)?.size) found++;
  }
  return found;
}

/**
 * Whether a demo is what a server recorded for one player, with all messages to that player: such demos have no map. Other demos of
 * servers have the messages to all players, and those of clients no snapshot messages.
 */
export const isPlayerDemo = ({ type, mapSize }: DemoHeader) => type === 'server' && mapSize === 0;

/** A server of DDNet records what it sends to all clients, and also has clients of 0.7. */
export const isServerDemo06 = (header: DemoHeader) =>
  header.type === 'server' && header.mapSize > 0 && !isNet07(header);

/** The protocol of a demo: in version 7 snapshots may be larger. */
export const withLimitOf = (header: DemoHeader | undefined, protocol: Protocol): Protocol =>
  header?.version === draftVersion ? protocol.withMaxSnapshotBytes(maxDraftSnapshotBytes) : protocol;

export const isNet07 = ({ netVersion }: DemoHeader) => netVersion.startsWith('0.7');
