import type { Code } from '../bytes/diagnostic.ts';
import { checkRegistrations } from '../decode/checks.ts';
import type { Protocol } from '../protocol/registry.ts';
import type { SnapshotEntry } from '../recording/record.ts';
import { ItemTypes } from '../snapshot/item-types.ts';
import { maxItems, maxSnapshotBytes } from '../snapshot/key.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Cause } from './hypothesis.ts';

/** Something that breaks no checksum and is wrong nevertheless. */
export interface Finding {
  readonly cause: Cause;
  /** The type without registration, or the number of the part; of a full snapshot, which limit it has reached. */
  readonly subject: number;
  /** The snapshots that show it. */
  count: number;
  readonly firstTick: number;
  lastTick: number;
  readonly frame: number;
  /** The items or bytes of the fullest snapshot, or the bytes of the part. */
  size: number;
}

/** The bytes of each part but the last; clients put parts at multiples of it. */
export const partBytes = 900;
/** Limits that a full snapshot has reached. */
export const fullOf = { items: 0, bytes: 1 } as const;
/** Items that a server puts in a snapshot before it drops the next: vanilla and DDNet until 2025 one less than clients take. */
const fullItems = maxItems - 1;
/** A server drops an item that does not fit: a full snapshot has less room left than the largest item takes. */
const largestItemBytes = 4 * 60;
/** A registration may be missing for a snapshot or two, in healthy recordings, too. */
const leastUnregistered = 3;

/** Looks for what is wrong with snapshots that have the announced checksum. */
export class HealthWatch {
  readonly #protocol: Protocol;
  readonly #findings = new Map<string, Finding>();
  /** Types that have been without registration for some snapshots, up to the last. */
  #unregistered = new Map<number, { readonly count: number; readonly tick: number; readonly frame: number }>();

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
  }

  get findings(): readonly Finding[] {
    return [...this.#findings.values()];
  }

  add({ snapshot, tick, frame = 0, partEnds = [] }: SnapshotEntry): void {
    if (!snapshot) return;
    this.#registrations(snapshot, tick, frame);
    const { count, intCount } = snapshot;
    // Key and offset of each item, and the header; 0.7 keeps the keys a second time.
    const bytes = 8 + count * (this.#protocol.version === '0.7' ? 12 : 8) + 4 * intCount;
    if (count >= fullItems) this.#note('too_large', fullOf.items, count, tick, frame);
    else if (bytes > maxSnapshotBytes - largestItemBytes) this.#note('too_large', fullOf.bytes, bytes, tick, frame);
    for (const [part, end] of partEnds.slice(0, -1).entries()) {
      const bytes = end - (partEnds[part - 1] ?? 0);
      if (bytes !== partBytes) this.#note('mixed_parts', part, bytes, tick, frame);
    }
  }

  #registrations(snapshot: Snapshot, tick: number, frame: number): void {
    const missing: number[] = [];
    const warn = (code: Code, _: number, { type }: { readonly type?: string | number } = {}) => {
      if (code === 'missing_registration') missing.push(Number(type));
    };
    checkRegistrations(snapshot, new ItemTypes(this.#protocol).onSnapshot(snapshot), warn);
    const now: Map<number, { count: number; tick: number; frame: number }> = new Map();
    for (const type of missing) {
      const before = this.#unregistered.get(type) ?? { count: 0, tick, frame };
      const count = before.count + 1;
      now.set(type, { ...before, count });
      if (count === leastUnregistered) this.#note('unregistered', type, 0, before.tick, before.frame, count - 1);
      if (count >= leastUnregistered) this.#note('unregistered', type, 0, tick, frame);
    }
    this.#unregistered = now;
  }

  #note(cause: Cause, subject: number, size: number, tick: number, frame: number, count = 1): void {
    const key = `${cause} ${subject}`;
    const known = this.#findings.get(key);
    if (known) {
      known.count += count;
      known.lastTick = tick;
      known.size = Math.max(known.size, size);
    } else this.#findings.set(key, { cause, subject, count, firstTick: tick, lastTick: tick, frame, size });
  }
}
