import { getOr } from '../bytes/get-or.ts';
import type { Field, ItemType } from '../protocol/item.ts';
import { fieldAt } from '../snapshot/item-fields.ts';
import { ItemTypes } from '../snapshot/item-types.ts';
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
 *
 * @param by the number of ticks, which may be negative
 */
export function shiftTicks(by: number): Edit {
  const fieldsOf = new Map<ItemType, readonly TickField[]>();
  const shifted = (value: number, { isStart, isNegative }: Omit<TickField, 'at'>): number => {
    if (isNegative) return value < 0 ? -Math.max(1, -value + by) : value;
    if (value <= 0) return value;
    return isStart ? (value + by) | 0 : Math.max(1, value + by);
  };
  return {
    snapshot(snapshot, { stream }) {
      const types = new ItemTypes(stream.protocol).onSnapshot(snapshot);
      const { data, offsets } = snapshot;
      let isChanged = false;
      const shift = (at: number, field: Omit<TickField, 'at'>) => {
        const was = data[at]!;
        data[at] = shifted(was, field);
        isChanged ||= data[at] !== was;
      };
      for (let i = 0; i < snapshot.count; i++) {
        const type = types.of(snapshot.type(i));
        if (!type) continue;
        const start = offsets[i]!;
        for (const field of getOr(fieldsOf, type, () => type.fields.flatMap(tickFields))) {
          if (field.at < snapshot.size(i)) shift(start + field.at, field);
        }
        // In 0.7 the ammo of a ninja is the tick at which it ends.
        const isCharacter = type.name === 'obj_character' && stream.protocol.version === '0.7';
        if (isCharacter && data[start + fieldAt(type, 'weapon')!] === ninja) {
          shift(start + fieldAt(type, 'ammo_count')!, { isStart: false, isNegative: false });
        }
      }
      return isChanged;
    },
    message({ message, bytes }) {
      return rewriteMessage(message, bytes, ({ name, type, value }) =>
        isTick(type) && typeof value === 'number' ? shifted(value, tickField(name, 0, type)) : undefined,
      );
    },
  };
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
 *
 * @param by the number of ticks, which may be negative; with 0 the records stay as they are
 */
export function movedBy(by: number, emit: Emit): Emit {
  if (by === 0) return emit;
  const editor = new Editor([new DropSentSnapshots(), shiftTicks(by)], (entry) => {
    if (entry.record === 'tick') emit({ ...entry, tick: entry.tick + by });
    else if (entry.record === 'snapshot') emit({ ...entry, tick: entry.tick + by, payload: entry.payload });
    else emit(entry);
  });
  return (entry) => editor.add(entry);
}
