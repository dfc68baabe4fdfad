import type { Code, Diagnostic } from '../bytes/diagnostic.ts';
import type { Protocol } from '../protocol/registry.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Cut } from './segment-markers.ts';

/** Damage of a message, whose chunk may have consumed markers. */
const mayConsumeMarkers: ReadonlySet<Code> = new Set<Code>([
  'tick_backwards',
  'huffman_no_eof',
  'huffman_output_full',
  'huffman_after_eof',
]);
/** Signs that bytes were wrongly read as chunks, so that deltas may be missing as well. */
const mayConsumeDeltas: ReadonlySet<Code> = new Set<Code>([
  'chunk_type',
  'empty_chunk',
  'huffman_padding',
  'huffman_past_end',
  'truncated_varint',
  'overlong_varint',
  'varint_padding',
]);

/** Damage that makes all uncertain data before it unreliable. */
const ofFraming: ReadonlySet<Code> = new Set<Code>([
  'framing_lost',
  'no_keyframe_left',
  'bad_tick',
  'step_before_tick',
]);

/**
 * Follows the ticks of characters, which are sums of differences. A moving character gets a tick between the last
 * snapshot's and the current one's. If a delta or a marker is missing, its tick is never right again.
 */
export class SegmentUncertainty {
  /** The damage after which no data is reliable; undefined if nothing is missing. */
  cut: Cut | undefined;
  /** Whether deltas may be missing, not only markers. */
  mayMissDeltas = false;
  readonly #type: number | undefined;
  #first: Cut | undefined;
  /** The ticks of characters in the last snapshot, and the tick of that snapshot. */
  #ticks: ReadonlyMap<number, number> = new Map();
  #tick = -1;
  /** Characters whose next movement will show whether their tick is right. */
  #awaited = new Set<number>();
  #wasAwaited = false;

  constructor(protocol: Protocol) {
    this.#type = protocol.byName('obj_character')?.type;
  }

  onDiagnostic(cause: Diagnostic, part: number): void {
    const isFraming = ofFraming.has(cause.code);
    const mayMissDeltas = mayConsumeDeltas.has(cause.code) || isFraming;
    if (!mayMissDeltas && !mayConsumeMarkers.has(cause.code)) return;
    this.#first ??= { part, cause };
    this.cut ??= isFraming ? this.#first : { part, cause };
    this.mayMissDeltas ||= mayMissDeltas;
    const moving = [...this.#ticks].filter(([, tick]) => tick === this.#tick).map(([key]) => key);
    for (const key of moving) this.#awaited.add(key);
    this.#wasAwaited = this.#awaited.size > 0;
  }

  /** @returns whether the ticks of the characters contradict the tick of this or the preceding snapshot */
  onSnapshot(snapshot: Snapshot, tick: number): boolean {
    const ticks = new Map<number, number>();
    for (let i = 0; i < snapshot.count; i++) {
      if (snapshot.type(i) !== this.#type) continue;
      const key = snapshot.keys[i]!;
      const moved = snapshot.data[snapshot.offsets[i]!]!;
      const before = this.#ticks.get(key) ?? moved;
      if (moved > tick || (moved !== before && moved > 0 && moved <= this.#tick)) return true;
      ticks.set(key, moved);
      if (moved === tick) this.#awaited.delete(key);
    }
    if (this.cut && this.#awaited.size === 0 && this.#wasAwaited) {
      this.cut = undefined;
      this.mayMissDeltas = false;
    }
    this.#wasAwaited = this.#awaited.size > 0;
    this.#ticks = ticks;
    this.#tick = tick;
    return false;
  }
}
