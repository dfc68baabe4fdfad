import type { GameEvent, TickEvents } from '../../recording/events/event.ts';
import { EventFinder } from '../../recording/events/recording-events.ts';
import type { RecordingEntry } from '../../recording/replay/record.ts';
import type { Stream } from '../../recording/replay/stream.ts';
import type { CompiledQuery } from './compile.ts';
import { QueryMatcher } from './matcher.ts';

/** A tick in which a query selects something, -1 before the first. */
interface FoundTick {
  readonly tick: number;
  /** How many items of the snapshot, and whether it is a message; the events of the tick. */
  readonly items: number;
  readonly isMessage: boolean;
  readonly events: readonly GameEvent[];
}

/** Finds items, messages and events, whichever a query is about, in the records of a recording. */
export class QuerySearch {
  /** How often something was found. */
  count = 0;
  readonly #matcher: QueryMatcher;
  readonly #events: EventFinder | undefined;
  readonly #onFound: (found: FoundTick) => void;
  readonly #ticks = new Map<Stream, number>();

  constructor(query: CompiledQuery, onFound: (found: FoundTick) => void = () => {}) {
    this.#matcher = new QueryMatcher(query);
    this.#events = query.selects.events ? new EventFinder({ withTold: true }) : undefined;
    this.#onFound = onFound;
  }

  add(entry: RecordingEntry): void {
    const { stream } = entry;
    if (stream) this.#matcher.follow(entry);
    for (const found of this.#events?.add(entry) ?? []) this.#onEvents(found);
    if (!stream) return;
    if (entry.record === 'snapshot' || entry.record === 'tick') this.#ticks.set(stream, entry.tick);
    const items = this.#matcher.found;
    const isMessage = entry.record === 'message' && this.#matcher.isMessage;
    if (items > 0 || isMessage) this.#found({ tick: this.#ticks.get(stream) ?? -1, items, isMessage, events: [] });
    if (entry.record === 'drop') this.#ticks.delete(stream);
  }

  finish(): void {
    for (const found of this.#events?.finish() ?? []) this.#onEvents(found);
  }

  #onEvents({ tick, events: all }: TickEvents): void {
    const events = all.filter((event) => this.#matcher.event(event));
    if (events.length > 0) this.#found({ tick, items: 0, isMessage: false, events });
  }

  #found(found: FoundTick): void {
    this.count += found.items + Number(found.isMessage) + found.events.length;
    this.#onFound(found);
  }
}
