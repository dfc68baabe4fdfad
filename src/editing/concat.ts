import { isTick as isValidTick } from '../recording/container/demo/chunk.ts';
import type { DemoHeader } from '../recording/container/demo/header.ts';
import type { HeaderEntry, RecordingEntry } from '../recording/replay/record.ts';
import { DecodeError } from '../wire/bytes/diagnostic.ts';
import { getOr } from '../wire/bytes/get-or.ts';
import type { Field, ItemType } from '../wire/protocol/item.ts';
import { isInRange, type TickRange } from '../wire/protocol/ticks.ts';
import { fieldAt } from '../wire/snapshot/item-fields.ts';
import { ItemTypes } from '../wire/snapshot/item-types.ts';
import { type Edit, Editor, rewriteMessage } from './editor.ts';
import type { Emit } from './slice.ts';
import { WaitingMessages } from './state-messages.ts';
import { DropSentSnapshots } from './strip.ts';

interface TickField {
  readonly at: number;
  /** Whether it may be before tick 0, because a clock counts from it. */
  readonly isStart: boolean;
  /** Whether only negative values are ticks, negated; positive ones are remaining times. */
  readonly isNegative: boolean;
}

const ninja = 5;

/** Moves all fields of items and messages that contain ticks. A value of 0 or less that means "no tick" stays. */
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

const isTick = (meaning: { readonly kind: string }) => meaning.kind === 'tick' && !('isDuration' in meaning);

const tickField = (name: string, at: number, meaning: { readonly kind: string }): TickField => ({
  at,
  isStart: /start_tick$/.test(name),
  isNegative: 'negative' in meaning,
});

/**
 * Emits records with all ticks moved: their own, and those in items and messages. Snapshots that a server sent to its
 * clients are left out.
 */
function movedBy(by: number, emit: Emit, sent: DropSentSnapshots): Emit {
  if (by === 0) return emit;
  const editor = new Editor([sent, shiftTicks(by)], (entry) => {
    if (entry.record === 'tick') emit({ ...entry, tick: entry.tick + by });
    else if (entry.record === 'snapshot') emit({ ...entry, tick: entry.tick + by, payload: entry.payload });
    else emit(entry);
  });
  return (entry) => editor.add(entry);
}

export type Mismatch = 'protocol' | 'map';

/** Emits successive stretches of demos, each moved so that it begins one tick after the last tick of the one before. */
abstract class Stretches {
  readonly markers: number[] = [];
  protected readonly emit: Emit;
  readonly #sent = new DropSentSnapshots();
  #move: Emit;
  #by = 0;
  #last = -1;

  constructor(emit: Emit) {
    this.emit = emit;
    this.#move = emit;
  }

  /** The number of snapshots that a server sent to its clients, and that are left out of what is moved. */
  get sent(): number {
    return this.#sent.count;
  }

  /** Begins a stretch at its first tick, and returns that tick in the result. */
  protected beginAt(tick: number, markers: readonly number[]): number {
    if (this.#last >= 0) this.#by = this.#last + 1 - tick;
    this.#move = movedBy(this.#by, this.emit, this.#sent);
    for (const marker of markers) this.markers.push(marker + this.#by);
    return tick + this.#by;
  }

  protected move(entry: RecordingEntry): void {
    if (entry.record === 'tick') {
      this.#last = entry.tick + this.#by;
      if (!isValidTick(this.#last)) throw new DecodeError('bad_tick', 0, { found: this.#last });
    }
    this.#move(entry);
  }
}

/** Joins demos: all but the first lose header and map, and begin one tick after the last tick of the one before. */
export class Concat extends Stretches {
  readonly starts: number[] = [];
  #first: HeaderEntry | undefined;
  #header: DemoHeader | undefined;
  /** Whether the current demo has not reached its first tick. Its messages wait, since they are moved with it. */
  #isStart = true;
  readonly #waiting = new WaitingMessages();

  begin(): void {
    this.#isStart = true;
  }

  /** Ends a demo. Messages of one without ticks belong to the last tick before it. */
  finish(): void {
    for (const message of this.#waiting.take()) this.move(message);
  }

  /** Why a demo with this header cannot follow the first one; undefined if it can or is the first. */
  mismatch({ header, stream }: HeaderEntry): Mismatch | undefined {
    if (!this.#first) return undefined;
    const { header: first, stream: firstStream } = this.#first;
    if (stream.protocol.version !== firstStream.protocol.version) return 'protocol';
    const sameHash = !header.sha256 || !first.sha256 || header.sha256 === first.sha256;
    return header.mapCrc === first.mapCrc && sameHash ? undefined : 'map';
  }

  add(entry: RecordingEntry): void {
    const isOfFirst = this.#header === this.#first?.header;
    if (entry.record === 'header') {
      if (!this.#first) this.emit(entry);
      this.#first ??= entry;
      this.#header = entry.header;
    } else if (entry.record === 'map') {
      if (isOfFirst) this.emit(entry);
    } else if (entry.record === 'tick' || !this.#isStart) {
      if (this.#isStart && entry.record === 'tick') this.#start(entry.tick);
      this.move(entry);
    } else if (entry.record !== 'message') return;
    else if (isOfFirst) this.emit(entry);
    else this.#waiting.add(entry);
  }

  #start(tick: number): void {
    this.starts.push(this.beginAt(tick, this.#header!.markers));
    for (const message of this.#waiting.take()) this.move(message);
    this.#isStart = false;
  }
}

/** Closes the gaps between the ranges of a demo, since a game would show no movement for the length of a gap. */
export class JoinedRanges extends Stretches {
  readonly #ranges: readonly TickRange[];
  #recorded: readonly number[] = [];
  #range: TickRange | undefined;

  constructor(ranges: readonly TickRange[], emit: Emit) {
    super(emit);
    this.#ranges = ranges;
  }

  readonly add = (entry: RecordingEntry): void => {
    if (entry.record === 'header') {
      this.#recorded = entry.header.markers;
      this.emit({ ...entry, header: { ...entry.header, markers: [] } });
      return;
    }
    if (entry.record === 'tick' && (!this.#range || !isInRange(entry.tick, this.#range))) {
      const range = this.#ranges.find((range) => isInRange(entry.tick, range));
      this.#range = range;
      this.beginAt(entry.tick, range ? this.#recorded.filter((marker) => isInRange(marker, range)) : []);
    }
    this.move(entry);
  };
}
