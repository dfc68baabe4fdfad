import { AnnouncedChecksums } from '../recording/health/checksums.ts';
import type { HeaderEntry, MessageEntry, RecordingEntry, SnapshotEntry } from '../recording/replay/record.ts';
import { protocolOf, type SizeOf } from '../wire/protocol/registry.ts';
import { copyOf } from '../wire/snapshot/builder.ts';
import { LossFilter, type LossInput, type SumCheck } from './losses.ts';
import type { Emit } from './slice.ts';
import { copyOfMessage } from './state-messages.ts';

/*
 * `LossFilter` decides what can be trusted. In a demo that a server recorded for a player, checksums decide, and they
 * come later than what they are of. So the records wait here until the sum of their snapshot is known, and go on in
 * their order:
 *
 *   read       snapshot 1   its message   …   snapshot 2 (delta)   its message
 *   known                   right: go on
 *                           wrong: is it the snapshot, or only the announcement? ▶ wait ▶ right: snapshot 2 is made from snapshot 1,
 *                                                                                        so only the announcement was wrong
 *
 * A snapshot waits for its message until the next chunk that is none.
 */

/** The maximum number of records that wait. */
const maxWaiting = 512;

interface Waiting<Entry extends LossInput = LossInput> {
  entry: Entry;
  sum: SumCheck | undefined;
}

/**
 * Repairs the records of a demo. A snapshot is left out if its checksum is not the announced one, or if it depends on
 * damaged data and no checksum shows that it is right. Only demos that a server recorded for a player announce
 * checksums; in others, all snapshots after a sign of damage are left out up to the next full one. Deltas with the item
 * sizes of another version are written with the right ones. Requires the records of chunks (`parts`).
 */
export class Repairer {
  readonly losses: LossFilter;
  /** The number of deltas that were recorded with the sizes of another version. */
  wrongSizes = 0;
  checksums: AnnouncedChecksums | undefined;
  #sizeOf: SizeOf = () => 0;
  #waiting: Waiting[] = [];
  /** The snapshot whose checksum is not announced yet. */
  #unknown: Waiting<SnapshotEntry> | undefined;
  /** The one before it, if its checksum is wrong: the next one decides. */
  #doubted: Waiting<SnapshotEntry> | undefined;

  constructor(emit: Emit) {
    this.losses = new LossFilter(
      (entry) => {
        if (entry.record === 'snapshot') this.#count(entry);
        emit(entry);
      },
      { isStrict: true },
    );
  }

  add(entry: RecordingEntry): void {
    if (entry.record === 'header') this.#header(entry);
    else if (!this.checksums) this.losses.add(entry);
    else this.#hold(entry, this.checksums);
  }

  finish(): void {
    this.#release();
    this.losses.finish();
  }

  #header(entry: HeaderEntry): void {
    const { number, client, server, mapChanges, protocol: found } = entry.stream;
    if (entry.stream.announcesChecksums) this.checksums = new AnnouncedChecksums();
    // A recording of 0.7 by DDNet may have a header of 0.6 and the sizes of 0.6.
    const protocol = found.version === '0.7' ? protocolOf('0.7', found.schema) : found;
    this.#sizeOf = protocol.sizeOf;
    this.losses.add({ ...entry, stream: { number, client, server, mapChanges, protocol } });
  }

  #count({ kind, stream }: SnapshotEntry): void {
    if (kind === 'delta' && stream.protocol.sizeOf !== this.#sizeOf) this.wrongSizes++;
  }

  #hold(entry: RecordingEntry, checksums: AnnouncedChecksums): void {
    if (entry.record === 'chunk' && entry.chunk.kind !== 'message' && this.#unknown) this.#release();

    if (entry.record === 'snapshot' && entry.snapshot) {
      checksums.onSnapshot(entry);
      // The payload is in memory that may be used again before its message is read.
      this.#unknown = { entry: { ...entry, payload: entry.payload?.slice() }, sum: undefined };
      this.#waiting.push(this.#unknown);
    } else if (this.#waiting.length === 0) {
      this.losses.add(entry);
      return;
    } else {
      this.#waiting.push({ entry: lasting(entry), sum: undefined });
      if (entry.record === 'message') this.#compare(entry, checksums);
    }

    const isWaiting = this.#unknown !== undefined || this.#doubted !== undefined;
    if (!isWaiting || this.#waiting.length > maxWaiting) this.#release();
  }

  /** Compares the checksum of the last snapshot with the one that a message announces. */
  #compare({ head, message }: MessageEntry, checksums: AnnouncedChecksums): void {
    const unknown = this.#unknown;
    if (!unknown || !head.type?.name.startsWith('snap')) return;
    const { tick, offset, kind } = unknown.entry;
    const announced = checksums.onMessage(message);
    if (announced?.tick !== tick) return;

    const { crc: found, expected } = announced;
    const doubted = this.#doubted;
    this.#unknown = undefined;
    this.#doubted = undefined;
    if (found === expected) {
      unknown.sum = {};
      // An error in a snapshot is also in those that are made from it.
      if (doubted) doubted.sum = { ...doubted.sum, isExcused: kind === 'delta' };
      return;
    }

    const wrong = { severity: 'error', code: 'wrong_checksum', offset, args: { found, expected } } as const;
    unknown.sum = { wrong, isExcused: checksums.matched === 0 };
    if (checksums.matched > 0) this.#doubt(unknown);
  }

  /** All before it goes on. The memory of what was rebuilt is used again before the next snapshot is known. */
  #doubt(doubted: Waiting<SnapshotEntry>): void {
    const { entry } = doubted;
    doubted.entry = { ...entry, snapshot: copyOf(entry.snapshot!), before: undefined } as SnapshotEntry;
    this.#doubted = doubted;
    this.#pass(this.#waiting.indexOf(doubted));
  }

  /** What is not known by now is not waited for. */
  #release(): void {
    this.#unknown = undefined;
    this.#doubted = undefined;
    this.#pass(this.#waiting.length);
  }

  #pass(count: number): void {
    for (const { entry, sum } of this.#waiting.splice(0, count)) this.losses.add(entry, sum);
  }
}

/** A record that can wait: its bytes are in memory that is used again. */
function lasting(entry: RecordingEntry): LossInput {
  if (entry.record === 'message') return copyOfMessage(entry);
  return entry.record === 'chunk' ? { record: 'chunk', chunk: { kind: entry.chunk.kind } } : entry;
}
