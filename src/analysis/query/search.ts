import type { GameEvent, TickEvents } from '../../recording/events/event.ts';
import { EventReader } from '../../recording/events/events.ts';
import type { RecordingEntry } from '../../recording/replay/record.ts';
import type { Stream } from '../../recording/replay/stream.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import type { CompiledQuery } from './compile.ts';
import { QueryMatcher } from './matcher.ts';

/** A tick in which a query selects something; of a connection, its client. */
interface FoundTick {
  readonly tick: number;
  readonly stream: Stream;
  /** How many items of the snapshot, and whether it is a message; the events of the tick. */
  readonly items: number;
  readonly isMessage: boolean;
  readonly events: readonly GameEvent[];
}

interface Followed {
  readonly events: EventReader;
  tick: number;
}

/** Finds items, messages and events, whichever a query is about, in the records of a recording. */
export class QuerySearch {
  /** How often something was found. */
  count = 0;
  readonly #matcher: QueryMatcher;
  readonly #hasEvents: boolean;
  readonly #onFound: (found: FoundTick) => void;
  readonly #streams = new Map<Stream, Followed>();

  constructor(query: CompiledQuery, onFound: (found: FoundTick) => void = () => {}) {
    this.#matcher = new QueryMatcher(query);
    this.#hasEvents = query.selects.events;
    this.#onFound = onFound;
  }

  add(entry: RecordingEntry): void {
    const { stream } = entry;
    if (!stream) return;
    this.#matcher.follow(entry);
    const followed = getOr(this.#streams, stream, () => ({ events: new EventReader(stream.protocol), tick: -1 }));
    if (this.#hasEvents) this.#addTo(followed, entry, stream);
    if (entry.record === 'snapshot' || entry.record === 'tick') followed.tick = entry.tick;
    const items = this.#matcher.found;
    const isMessage = entry.record === 'message' && this.#matcher.isMessage;
    if (items > 0 || isMessage) this.#found({ tick: followed.tick, stream, items, isMessage, events: [] });
    if (entry.record === 'drop') this.#end(stream);
  }

  finish(): void {
    for (const stream of [...this.#streams.keys()]) this.#end(stream);
  }

  /** Connections have no records of ticks: a snapshot begins its own. */
  #addTo({ events, tick }: Followed, entry: RecordingEntry, stream: Stream): void {
    if (entry.record === 'message' && entry.direction === 'to_server') return;
    if (entry.record === 'snapshot' && entry.time !== undefined && entry.tick !== tick)
      this.#onEvents(events.add({ record: 'tick', tick: entry.tick }), stream);
    this.#onEvents(events.add(entry), stream);
  }

  #end(stream: Stream): void {
    for (const ended of this.#streams.get(stream)?.events.finish() ?? []) this.#onEvents(ended, stream);
    this.#streams.delete(stream);
  }

  #onEvents(found: TickEvents | undefined, stream: Stream): void {
    const events = found?.events.filter((event) => this.#matcher.event(event)) ?? [];
    if (events.length > 0) this.#found({ tick: found!.tick, stream, items: 0, isMessage: false, events });
  }

  #found(found: FoundTick): void {
    this.count += found.items + Number(found.isMessage) + found.events.length;
    this.#onFound(found);
  }
}
