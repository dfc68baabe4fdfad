import { join } from '../bytes/copy.ts';
import { attempt, DecodeError } from '../bytes/diagnostic.ts';
import { type DemoHeader, draftVersion, netVersionOf } from '../container/demo/header.ts';
import { type DemoFrame, DemoReader } from '../container/demo/reader.ts';
import type { PayloadReader } from '../decode/payload-reader.ts';
import { isSnapshotMessage } from '../packet/message.ts';
import { messagesOf } from '../protocol/message-registry.ts';
import { type Protocol, protocolOf } from '../protocol/registry.ts';
import { maxDraftSnapshotBytes } from '../snapshot/key.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** The maximum number of bytes kept during the search, which begins with the map. */
const maxBytes = 16 << 20;

/** The number of bytes searched at a time, so that only a little more than needed of a long piece is read. */
const stepBytes = 1 << 16;

/** The number of snapshots after which no message announces a checksum: a player's demo has such a message beside each. */
const maxSnapshots = 10;

/** What the first snapshots and messages of a demo show. */
export interface Content {
  /** Whether a demo whose header says 0.6 has the items of 0.7, as those that a DDNet server records of its 0.7 clients. */
  readonly is07: boolean;
  /** Whether the snapshots are what one player was sent, rather than what a server has. */
  readonly isOfPlayer: boolean;
  /**
   * Whether all messages are of one version: those to a player of 0.6 are. A server of DDNet records for itself what it sends to clients of
   * both versions, and for a player of 0.7 what it sends to all as one of 0.6. There the bytes of each message decide which version it has.
   */
  readonly hasOneVersion: boolean;
  /** Whether messages announce the checksums of the snapshots: a server that records what it sends to a player includes its snapshot messages. */
  readonly announcesChecksums: boolean;
}

const undecided: Content = { is07: false, isOfPlayer: false, hasOneVersion: false, announcesChecksums: false };

/**
 * Looks ahead in a demo whose header does not say 0.7, before its first record is yielded.
 *
 * The first full snapshot decides of which version the items are, since it has the size of every item, and whose they are: only what is sent to
 * a player marks one player as local. In a player's snapshots the search goes on for a message with a snapshot, up to the tenth snapshot.
 * Neither the type in the header nor the map counts, which a demo may have or not. A demo cut at any place begins with a full snapshot,
 * so that the same is found in it.
 *
 * A demo of which the first 16 MiB have no readable full snapshot is read as 0.6, its messages each as what it is; nothing is compared.
 */
export class DemoContent {
  readonly #reader = new DemoReader();
  readonly #payload: PayloadReader;
  readonly #snapshot: Snapshot;
  readonly #pieces: Uint8Array[] = [];
  #length = 0;
  #snapshots = 0;
  #first: Content | undefined;
  /** Undefined until it is known. */
  found: Content | undefined;

  /** @param payload and `snapshot` are those of the replay, which needs them only after the search */
  constructor(payload: PayloadReader, snapshot: Snapshot) {
    this.#payload = payload;
    this.#snapshot = snapshot;
    // The replay checks the limit of the version.
    this.#payload.maxSnapshotBytes = maxDraftSnapshotBytes;
  }

  add(piece: Uint8Array): void {
    // The first bytes usually say 0.7, and then the header is read only once.
    if (this.#length === 0 && netVersionOf(piece).startsWith('0.7')) this.found = undecided;
    for (let at = 0; at < piece.length && !this.found; at += stepBytes) {
      this.#reader.add(piece.subarray(at, at + stepBytes));
      this.#search();
    }
    this.#length += piece.length;
    if (this.#length > maxBytes) this.#end();
    if (!this.found) this.#pieces.push(piece.slice());
  }

  finish(): void {
    this.#reader.end();
    this.#search();
    this.#end();
  }

  get bytes(): Uint8Array {
    return join(this.#pieces);
  }

  #end(): void {
    this.found ??= this.#first ?? undecided;
  }

  #search(): void {
    while (!this.found) {
      const frame = this.#reader.next();
      if (!frame) return;
      const { header } = this.#reader;
      if (header?.netVersion.startsWith('0.7')) this.found = undecided;
      // The file is not a demo.
      else if (frame.kind === 'diagnostic' && !header) this.found = undecided;
      else if (!this.#first) {
        if (frame.kind === 'snapshot') this.#onFull(frame);
      } else if (frame.kind === 'message') this.#onMessage(frame, this.#first);
      else if ((frame.kind === 'snapshot' || frame.kind === 'delta') && ++this.#snapshots >= maxSnapshots) this.#end();
    }
  }

  #onFull({ bytes, start, end }: DemoFrame): void {
    const result = attempt(() => this.#payload.readSnapshot(bytes, 'huffman', this.#snapshot, start, end));
    if (result instanceof DecodeError) return;
    this.#first = contentOf(this.#snapshot);
    if (!this.#first.isOfPlayer) this.found = this.#first;
  }

  #onMessage({ bytes, start, end }: DemoFrame, first: Content): void {
    const result = attempt(() => this.#payload.unpack(bytes, 'huffman', start, end));
    if (result instanceof DecodeError) return;
    const { ints, length } = this.#payload.ints;
    const head = length > 0 && messagesOf(first.is07 ? '0.7' : '0.6').byFirstByte(ints[0]! & 0xff);
    if (head && isSnapshotMessage(head)) this.found = { ...first, announcesChecksums: true };
  }
}

/** What a full snapshot shows by itself. */
export function contentOf(snapshot: Snapshot): Content {
  const is07 = fits07(snapshot);
  const hasOneVersion = !is07 && hasLocalPlayer(snapshot);
  // Servers of DDNet record for themselves the items of 0.6, so that those of 0.7 are what a player was sent.
  return { is07, isOfPlayer: is07 || hasOneVersion, hasOneVersion, announcesChecksums: false };
}

const playerInfo06 = protocolOf('0.6').byName('obj_player_info')!;

/** Whether one of the players is the one whom a snapshot of 0.6 was made for. For its own demos a server makes it for none. */
function hasLocalPlayer(snapshot: Snapshot): boolean {
  const { at } = playerInfo06.fields.find(({ name }) => name === 'local')!;
  for (let i = 0; i < snapshot.count; i++)
    if (snapshot.type(i) === playerInfo06.type && snapshot.item(i)[at] === 1) return true;
  return false;
}

/** Whether the sizes of a snapshot's items are those of 0.7 rather than those of 0.6. */
function fits07(snapshot: Snapshot): boolean {
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

/** The protocol of a demo: in version 7 snapshots may be larger. */
export const withLimitOf = (header: DemoHeader | undefined, protocol: Protocol): Protocol =>
  header?.version === draftVersion ? protocol.withMaxSnapshotBytes(maxDraftSnapshotBytes) : protocol;

export const isNet07 = ({ netVersion }: DemoHeader) => netVersion.startsWith('0.7');
