import type { Code, Diagnostic } from '../bytes/diagnostic.ts';
import type { Protocol, SizeOf } from '../protocol/registry.ts';
import type { MessageEntry } from '../recording/record.ts';
import { type RecordedPayload, type Segment, SegmentReader } from './segment.ts';
import { JumpCheck } from './segment-jumps.ts';
import { type Cut, checkMarkers } from './segment-markers.ts';
import { SegmentUncertainty } from './segment-uncertainty.ts';
import { type ImplausibleValue, ValueCheck } from './segment-values.ts';

/** Diagnostics that contradict the preceding snapshot, which may therefore be damaged. */
const misfits: ReadonlySet<Code> = new Set<Code>(['unknown_removed', 'size_differs']);

/** Finds the first part of a segment from which snapshots are damaged or may be. */
export class SegmentCheck {
  readonly #reader = new SegmentReader();
  readonly #next = new SegmentReader();
  readonly #values: ValueCheck;
  readonly #jumps = new JumpCheck();
  readonly #protocol: Protocol;

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
    this.#values = new ValueCheck(protocol);
  }

  /**
   * @param segment begins with a full snapshot. A delta in it whose chunk is marked as a message becomes a delta again
   * @param next the full snapshot after it
   * @returns undefined if no damage was found
   */
  check(segment: Segment, sizeOf: SizeOf, next: RecordedPayload | undefined): Cut | undefined {
    const uncertainty = new SegmentUncertainty(this.#protocol);
    const cuts = [this.#checkPayloads(segment, sizeOf, next, uncertainty)];
    if (next && !cuts[0]) cuts.push(this.#checkJumps(segment, sizeOf, next));
    const { cut, isComplete } = checkMarkers(segment, next);
    cuts.push(cut, isComplete && !uncertainty.mayMissDeltas ? undefined : uncertainty.cut);
    const found = cuts.reduce((first, one) => (one && !(first && first.part <= one.part) ? one : first));
    this.#jumps.end(found ? undefined : this.#reader.current);
    return found;
  }

  #checkPayloads(
    { parts }: Segment,
    sizeOf: SizeOf,
    next: RecordedPayload | undefined,
    uncertainty: SegmentUncertainty,
  ): Cut | undefined {
    const reader = this.#reader;
    let flaw: (Cut & { readonly value: ImplausibleValue }) | undefined;
    let cut: Cut | undefined;
    /** The part with the preceding delta. */
    let previous = -1;
    for (const [i, part] of parts.entries()) {
      let recorded: RecordedPayload | undefined;
      if ('payload' in part) {
        recorded = part.payload;
        const cause = reader.read(recorded, sizeOf);
        if (cause) {
          cut = { part: misfits.has(cause.code) && previous >= 0 ? previous : i, cause };
          break;
        }
      } else if (part.entry.record === 'diagnostic') uncertainty.onDiagnostic(part.entry.diagnostic, i);
      else if (part.entry.record === 'message') {
        recorded = this.#lostDelta(part.entry, sizeOf);
        if (recorded) parts[i] = { payload: recorded };
      }
      if (!recorded) continue;
      const { kind, tick, offset } = recorded;
      if (kind === 'snapshot') this.#values.onFull(reader.current);
      else {
        const value = this.#values.onDelta(reader.delta, reader.current);
        if (value) flaw ??= { part: i, cause: error('implausible_value', offset, value.field.name), value };
        this.#jumps.onStep(reader.before, reader.current, reader.delta.keys, reader.delta.count);
      }
      if (uncertainty.onSnapshot(reader.current, tick)) {
        // Damage becomes visible when a character moves again.
        cut = { part: previous >= 0 ? previous : i, cause: error('uncertain_ticks', offset) };
        break;
      }
      if (kind === 'delta') previous = i;
    }
    const isDamage =
      flaw && next && !this.#next.read(next, sizeOf) && !this.#values.isUsual(flaw.value, this.#next.current);
    return isDamage ? flaw : cut;
  }

  /** Searches for a value that the next full snapshot moves back. */
  #checkJumps({ parts }: Segment, sizeOf: SizeOf, next: RecordedPayload): Cut | undefined {
    if (this.#next.read(next, sizeOf)) return undefined;
    const reader = this.#reader;
    const jumps = this.#jumps.jumps(reader.current, this.#next.current);
    if (jumps.length === 0) return undefined;
    for (const [i, part] of parts.entries()) {
      if (!('payload' in part)) continue;
      const { kind, offset } = part.payload;
      if (reader.read(part.payload, sizeOf)) return undefined;
      const before = kind === 'snapshot' ? this.#jumps.before : reader.before;
      if (before && this.#jumps.makes(jumps, before, reader.current)) {
        return { part: i, cause: error('uncertain_value', offset) };
      }
    }
    return undefined;
  }

  /**
   * Reads a message as a delta, since one flipped bit of its chunk head makes the difference; undefined if it is none.
   */
  #lostDelta({ message, payload, tick = -1, offset = -1 }: MessageEntry, sizeOf: SizeOf): RecordedPayload | undefined {
    if (!payload || (message.type && message.diagnostics.all.length === 0)) return undefined;
    const delta: RecordedPayload = { kind: 'delta', tick, payload, offset };
    if (this.#reader.read(delta, sizeOf)) return undefined;
    return delta;
  }
}

const error = (code: Code, offset: number, field = ''): Diagnostic => ({
  severity: 'error',
  code,
  offset,
  args: { field },
});
