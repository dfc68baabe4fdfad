import { getOr } from '../bytes/get-or.ts';
import type { Field, ItemType } from '../protocol/item.ts';
import type { MessageEntry, RecordingEntry, SnapshotEntry } from '../recording/record.ts';
import { fieldAt } from '../snapshot/item-fields.ts';
import { ItemTypes } from '../snapshot/item-types.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type Edit, Editor, rewriteMessage } from './editor.ts';
import type { Emit } from './slice.ts';
import { DropSentSnapshots } from './strip.ts';

/** An int of an item that is a tick. */
interface TickField {
  readonly at: number;
  /** Whether it may be before tick 0, because a clock counts from it. */
  readonly isStart: boolean;
  /** Whether only negative values are ticks, negated; positive ones are remaining times. */
  readonly isNegative: boolean;
}

const ninja = 5;

/**
 * Moves a recording in time: all fields of items and messages that contain ticks. A value of 0 or less that means "no
 * tick" stays.
 */
export class ShiftTicks implements Edit {
  readonly #by: number;
  readonly #fields = new Map<ItemType, readonly TickField[]>();

  /** @param by the number of ticks, which may be negative */
  constructor(by: number) {
    this.#by = by;
  }

  snapshot(snapshot: Snapshot, { stream }: SnapshotEntry): boolean {
    const types = new ItemTypes(stream.protocol).onSnapshot(snapshot);
    let isChanged = false;
    for (let i = 0; i < snapshot.count; i++) {
      const type = types.of(snapshot.type(i));
      if (!type) continue;
      const [start, size] = [snapshot.offsets[i]!, snapshot.size(i)];
      for (const field of this.#fieldsOf(type)) {
        if (field.at >= size) continue;
        const was = snapshot.data[start + field.at]!;
        const now = this.#shifted(was, field);
        snapshot.data[start + field.at] = now;
        isChanged ||= now !== was;
      }
      if (type.name === 'obj_character' && stream.protocol.version === '0.7') {
        isChanged = this.#shiftNinja(snapshot, start, type) || isChanged;
      }
    }
    return isChanged;
  }

  message({ message, bytes }: MessageEntry): Uint8Array | undefined {
    return rewriteMessage(message, bytes, ({ name, type, value }) =>
      isTick(type) && typeof value === 'number' ? this.#shifted(value, tickField(name, 0, type)) : undefined,
    );
  }

  #shifted(value: number, { isStart, isNegative }: TickField): number {
    if (isNegative) return value < 0 ? -Math.max(1, -value + this.#by) : value;
    if (value <= 0) return value;
    return isStart ? (value + this.#by) | 0 : Math.max(1, value + this.#by);
  }

  /** In 0.7 the ammo of a ninja is the tick at which it ends. */
  #shiftNinja({ data }: Snapshot, start: number, type: ItemType): boolean {
    const at = (name: string) => start + fieldAt(type, name)!;
    const ammo = at('ammo_count');
    if (data[at('weapon')] !== ninja || data[ammo]! <= 0) return false;
    data[ammo] = Math.max(1, data[ammo]! + this.#by);
    return true;
  }

  #fieldsOf(type: ItemType): readonly TickField[] {
    return getOr(this.#fields, type, () => type.fields.flatMap(tickFields));
  }
}

function tickFields({ name, at, meaning }: Field): TickField[] {
  if (isTick(meaning)) return [tickField(name, at, meaning)];
  if (meaning.kind !== 'list' || !isTick(meaning.of)) return [];
  return Array.from({ length: meaning.count }, (_, i) => tickField(name, at + i, meaning));
}

/** Whether an int is a point in time. */
const isTick = (meaning: { readonly kind: string }) => meaning.kind === 'tick' && !('isDuration' in meaning);

const tickField = (name: string, at: number, meaning: { readonly kind: string }): TickField => ({
  at,
  isStart: /start_tick$/.test(name),
  isNegative: 'negative' in meaning,
});

/**
 * Emits records with all ticks moved: their own, and those in items and messages. The snapshots that a server sent to
 * its clients are left out.
 */
export class MovedTicks {
  readonly #by: number;
  readonly #emit: Emit;
  readonly #editor: Editor;

  /** @param by the number of ticks, which may be negative */
  constructor(by: number, emit: Emit) {
    this.#by = by;
    this.#emit = emit;
    this.#editor = new Editor(by === 0 ? [] : [new DropSentSnapshots(), new ShiftTicks(by)], (entry) => {
      this.#moved(entry);
    });
  }

  add(entry: RecordingEntry): void {
    this.#editor.add(entry);
  }

  #moved(entry: RecordingEntry): void {
    if (entry.record === 'tick') this.#emit({ ...entry, tick: entry.tick + this.#by });
    else if (entry.record === 'snapshot') {
      this.#emit({ ...entry, tick: entry.tick + this.#by, payload: entry.payload });
    } else this.#emit(entry);
  }
}
