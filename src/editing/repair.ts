import { type JudgeInput, TickJudge } from '../recording/judge/tick-judge.ts';
import type { HeaderEntry, MessageEntry, RecordingEntry, SnapshotEntry } from '../recording/replay/record.ts';
import type { Diagnostic } from '../wire/bytes/diagnostic.ts';
import { isSnapshotMessage, snapshotMessage } from '../wire/packet/message.ts';
import { protocolOf, type SizeOf } from '../wire/protocol/registry.ts';
import { LossFilter } from './losses.ts';
import type { Emit } from './slice.ts';
import { copyOfMessage } from './state-messages.ts';

/*
 * The judge of ticks decides what can be trusted. In a demo that a server recorded for a player, checksums tell, and
 * they come later than what they are of. So the records wait here until their snapshot is judged, and go on in their
 * order:
 *
 *   read       snapshot 1   …   its checksum: it fits ▶ all go on   snapshot 2   …   the next chunk: no checksum ▶ all go on
 */

/**
 * Repairs the records of a demo. What the judge calls doubtful is left out, with its checksum: a snapshot whose
 * checksum is not the announced one, and one that depends on damaged data, unless a checksum shows that it is right.
 * Only demos that a server recorded for a player announce checksums; in others, all snapshots after a sign of damage are
 * left out up to the next full one. Deltas with the item sizes of another version are written with the right ones.
 * Requires the records of chunks (`parts`).
 */
export class Repairer {
  readonly losses: LossFilter;
  readonly #judge = new TickJudge((trust, cause) => {
    this.#doubt = trust === 'doubtful' ? cause : undefined;
    this.#release();
  });
  /** How many of the checksums that the demo announces match. */
  get sums() {
    return this.#judge.sums;
  }
  /** The number of deltas that were recorded with the sizes of another version. */
  wrongSizes = 0;
  /** Snapshots that are kept although their checksum is not the announced one. */
  keptMismatches = 0;
  #sizeOf: SizeOf = () => 0;
  /** Why the snapshot that was judged last is doubtful. */
  #doubt: Diagnostic | undefined;
  readonly #waiting: JudgeInput[] = [];
  readonly #emit: Emit;
  /** The tick of the last snapshot that went on. */
  #lastTick = -1;

  constructor(emit: Emit) {
    this.#emit = emit;
    this.losses = new LossFilter((entry) => this.#pass(entry));
  }

  add(entry: RecordingEntry): void {
    // It may judge the snapshot before, and so let go on what waits.
    this.#judge.add(entry);
    const { isOpen } = this.#judge;
    this.#waiting.push(entry.record === 'header' ? this.#header(entry) : isOpen ? lasting(entry) : entry);
    if (!isOpen) this.#release();
  }

  finish(): void {
    this.#judge.finish();
    this.losses.finish();
  }

  #header(entry: HeaderEntry): HeaderEntry {
    const { number, client, server, mapChanges, protocol: found } = entry.stream;
    // A recording of 0.7 by DDNet may have a header of 0.6 and the sizes of 0.6.
    const protocol = found.version === '0.7' ? protocolOf('0.7', found.schema) : found;
    this.#sizeOf = protocol.sizeOf;
    return { ...entry, stream: { number, client, server, mapChanges, protocol } };
  }

  #release(): void {
    for (const entry of this.#waiting.splice(0)) {
      const doubt = entry.record === 'snapshot' ? this.#ownDoubt() : undefined;
      this.losses.add(entry, !doubt, doubt);
    }
  }

  /** Why a snapshot is not trusted. The wrong checksums of a demo without a right one say nothing. */
  #ownDoubt(): Diagnostic | undefined {
    if (this.#doubt?.code !== 'wrong_checksum' || this.#judge.sums.matched > 0) return this.#doubt;
    this.keptMismatches++;
    return undefined;
  }

  #pass(entry: RecordingEntry): void {
    if (entry.record === 'snapshot') this.#count(entry);
    if (entry.record === 'message' && this.#isOfOtherTick(entry)) return;
    this.#emit(entry);
  }

  /** A checksum that would put the repaired demo in doubt again. */
  #isOfOtherTick(entry: MessageEntry): boolean {
    if (!this.#judge.announces || !isSnapshotMessage(entry.head)) return false;
    const { tick, crc } = snapshotMessage(entry.message) ?? {};
    return crc !== undefined && tick !== this.#lastTick;
  }

  #count({ kind, stream, tick }: SnapshotEntry): void {
    this.#lastTick = tick;
    if (kind === 'delta' && stream.protocol.sizeOf !== this.#sizeOf) this.wrongSizes++;
  }
}

/** A record that can wait: its bytes are in memory that is used again. */
function lasting(entry: RecordingEntry): JudgeInput {
  if (entry.record === 'message') return copyOfMessage(entry);
  if (entry.record === 'snapshot') return { ...entry, payload: entry.payload?.slice() } as SnapshotEntry;
  return entry.record === 'chunk' ? { record: 'chunk', chunk: { kind: entry.chunk.kind } } : entry;
}
