import type { HeaderEntry, MessageEntry, RecordingEntry, SnapshotEntry } from '../recording/replay/record.ts';
import type { Diagnostic } from '../wire/bytes/diagnostic.ts';
import { isSnapshotMessage, snapshotMessage } from '../wire/packet/message.ts';
import { protocolOf, type SizeOf } from '../wire/protocol/registry.ts';
import { LossFilter } from './losses.ts';
import type { Emit } from './slice.ts';

/**
 * Repairs the records of a demo. What the judge calls doubtful is left out, with its checksum: a snapshot whose
 * checksum is not the announced one, and one that depends on damaged data, unless a checksum shows that it is right.
 * Only demos that a server recorded for a player announce checksums; in others, all snapshots after a sign of damage are
 * left out up to the next full one. Deltas with the item sizes of another version are written with the right ones.
 * Requires the records of chunks (`parts`).
 */
export class Repairer {
  readonly losses: LossFilter;
  /** How many of the checksums that the demo announces match. */
  get sums() {
    return this.losses.judge.sums;
  }
  /** The number of deltas that were recorded with the sizes of another version. */
  wrongSizes = 0;
  /** Snapshots that are kept although their checksum is not the announced one. */
  keptMismatches = 0;
  #sizeOf: SizeOf = () => 0;
  readonly #emit: Emit;
  /** The tick of the last snapshot that went on. */
  #lastTick = -1;

  constructor(emit: Emit) {
    this.#emit = emit;
    this.losses = new LossFilter((entry) => this.#pass(entry), { leavesOut: (doubt) => this.#leavesOut(doubt) });
  }

  add(entry: RecordingEntry): void {
    this.losses.add(entry);
  }

  finish(): void {
    this.losses.finish();
  }

  #header(entry: HeaderEntry): HeaderEntry {
    const { number, client, server, mapChanges, protocol: found } = entry.stream;
    // A recording of 0.7 by DDNet may have a header of 0.6 and the sizes of 0.6.
    const protocol = found.version === '0.7' ? protocolOf('0.7', found.schema) : found;
    this.#sizeOf = protocol.sizeOf;
    return { ...entry, stream: { number, client, server, mapChanges, protocol } };
  }

  /** The wrong checksums of a demo without a right one say nothing. */
  #leavesOut({ code }: Diagnostic): boolean {
    if (code !== 'wrong_checksum' || this.sums.matched > 0) return true;
    this.keptMismatches++;
    return false;
  }

  #pass(entry: RecordingEntry): void {
    if (entry.record === 'snapshot') this.#count(entry);
    if (entry.record === 'message' && this.#isOfOtherTick(entry)) return;
    this.#emit(entry.record === 'header' ? this.#header(entry) : entry);
  }

  /** A checksum that would put the repaired demo in doubt again. */
  #isOfOtherTick(entry: MessageEntry): boolean {
    if (!this.losses.judge.announces || !isSnapshotMessage(entry.head)) return false;
    const { tick, crc } = snapshotMessage(entry.message) ?? {};
    return crc !== undefined && tick !== this.#lastTick;
  }

  #count({ kind, stream, tick }: SnapshotEntry): void {
    this.#lastTick = tick;
    if (kind === 'delta' && stream.protocol.sizeOf !== this.#sizeOf) this.wrongSizes++;
  }
}
