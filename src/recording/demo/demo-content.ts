import { join } from '../../wire/bytes/copy.ts';
import { attempt, DecodeError } from '../../wire/bytes/diagnostic.ts';
import { isSnapshotMessage } from '../../wire/packet/message.ts';
import type { PayloadReader } from '../../wire/payload/payload-reader.ts';
import { messagesOf } from '../../wire/protocol/message-registry.ts';
import { type Protocol, protocolOf, type Version } from '../../wire/protocol/registry.ts';
import { maxDraftSnapshotBytes } from '../../wire/snapshot/key.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { type DemoFrame, DemoReader } from '../container/demo/demo-reader.ts';
import { type DemoHeader, draftVersion } from '../container/demo/header.ts';
import { enoughSnapshots, maxSearchBytes, maxSearchedMap, searchStep } from '../replay/limits.ts';

/** What the first snapshots and messages of a demo show. */
export interface Content {
  /**
   * The version of the items, if the header says another: a DDNet server records its 0.7 clients under a header of 0.6.
   * Undefined if the header is right, or nothing speaks against it.
   */
  readonly other: Version | undefined;
  /** Whether the snapshots are what one player was sent, rather than what a server has. */
  readonly isOfPlayer: boolean;
  /**
   * Whether all messages are of one version: those to a player of 0.6 are. A server of DDNet records for itself what it
   * sends to clients of both versions, and for a player of 0.7 what it sends to all as one of 0.6. There the bytes of
   * each message decide which version it has.
   */
  readonly hasOneVersion: boolean;
  /**
   * Whether messages announce the checksums of the snapshots: a server that records what it sends to a player includes
   * its snapshot messages.
   */
  readonly announcesChecksums: boolean;
}

const undecided: Content = { other: undefined, isOfPlayer: false, hasOneVersion: false, announcesChecksums: false };
/** The search was ended: messages that come later may announce checksums, so all are read. */
const unsearched: Content = { ...undecided, announcesChecksums: true };

/**
 * Looks ahead in a demo, before its first record is yielded.
 *
 * The first full snapshot decides of which version the items are, since it has the size of every item, and whose they
 * are: only what is sent to a player marks one player as local. In a player's snapshots the search goes on for a
 * message with a snapshot, up to the tenth snapshot. The net version in the header decides only between items that fit
 * both. Neither the type in the header nor the map counts, which a demo may have or not. A demo cut at any place begins
 * with a full snapshot, so that the same is found in it.
 *
 * A demo of which the first 16 MiB after its map have no readable full snapshot is read as its header says, its messages
 * each as what it is.
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
    for (let at = 0; at < piece.length && !this.found; at += searchStep) {
      this.#reader.add(piece.subarray(at, at + searchStep));
      this.#search();
    }
    this.#length += piece.length;
    const map = Math.min(Math.max(0, this.#reader.header?.mapSize ?? 0), maxSearchedMap);
    if (this.#length > map + maxSearchBytes) this.found ??= this.#first ?? unsearched;
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
      // The file is not a demo.
      if (frame.kind === 'diagnostic' && !this.#reader.header) this.found = undecided;
      else if (!this.#first) {
        if (frame.kind === 'snapshot') this.#onFull(frame);
      } else if (frame.kind === 'message') this.#onMessage(frame, this.#first);
      else if ((frame.kind === 'snapshot' || frame.kind === 'delta') && ++this.#snapshots >= enoughSnapshots)
        this.#end();
    }
  }

  #onFull({ bytes, start, end }: DemoFrame): void {
    const result = attempt(() => this.#payload.readSnapshot(bytes, 'huffman', this.#snapshot, start, end));
    if (result instanceof DecodeError) return;
    const stated = statedVersion(this.#reader.header!);
    this.#first = contentOf(this.#snapshot, stated);
    // No game announces checksums under a header of 0.7.
    const isAll = !this.#first.isOfPlayer || (stated === '0.7' && !this.#first.other);
    if (isAll) this.found = this.#first;
  }

  #onMessage({ bytes, start, end }: DemoFrame, first: Content): void {
    const result = attempt(() => this.#payload.unpack(bytes, 'huffman', start, end));
    if (result instanceof DecodeError) return;
    const { ints, length } = this.#payload.ints;
    const head = length > 0 && messagesOf(first.other ?? '0.6').byFirstByte(ints[0]! & 0xff);
    if (head && isSnapshotMessage(head)) this.found = { ...first, announcesChecksums: true };
  }
}

/** What a full snapshot shows by itself, in a demo whose header states a version. */
export function contentOf(snapshot: Snapshot, stated: Version): Content {
  const [in06, in07] = (['0.6', '0.7'] as const).map((version) => misfits(snapshot, protocolOf(version)));
  const version = in06 === in07 ? stated : in06! < in07! ? '0.6' : '0.7';
  const hasOneVersion = version === '0.6' && hasLocalPlayer(snapshot);
  return {
    other: version === stated ? undefined : version,
    // Servers of DDNet record for themselves the items of 0.6, so that those of 0.7 are what a player was sent.
    isOfPlayer: version === '0.7' || hasOneVersion,
    hasOneVersion,
    announcesChecksums: false,
  };
}

const playerInfo06 = protocolOf('0.6').byName('obj_player_info')!;

/**
 * Whether one of the players is the one whom a snapshot of 0.6 was made for. For its own demos a server makes it for
 * none.
 */
function hasLocalPlayer(snapshot: Snapshot): boolean {
  const { at } = playerInfo06.fields.find(({ name }) => name === 'local')!;
  for (let i = 0; i < snapshot.count; i++)
    if (snapshot.type(i) === playerInfo06.type && snapshot.item(i)[at] === 1) return true;
  return false;
}

/** The number of items whose size is another in this version. */
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

/** The version that the header states, as DDNet takes it: all that does not begin with 0.7 is 0.6. */
export const statedVersion = ({ netVersion }: DemoHeader): Version => (netVersion.startsWith('0.7') ? '0.7' : '0.6');
