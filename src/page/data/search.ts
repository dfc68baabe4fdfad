import { CompiledQuery, withTexts } from '../../analysis/query/compile.ts';
import { QueryMatcher } from '../../analysis/query/matcher.ts';
import { parseQuery, type Query } from '../../analysis/query/parse.ts';
import { nameText, numberText } from '../../output/text/escape.ts';
import { type GameEvent, isAction, type TickEvents } from '../../recording/events/event.ts';
import type { DescribedValue } from '../../wire/annotate/describe.ts';
import { itemIn } from '../../wire/annotate/item-node.ts';
import type { Schema } from '../../wire/protocol/registry.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { eventLinesOf } from '../report/event-lines.ts';
import { TrackEvents } from '../report/track-events.ts';
import type { PageEntry, Recording } from './shown-recording.ts';

export interface SearchResult {
  readonly tick: number;
  readonly item: string | undefined;
  readonly text: string;
}

/** The maximum number of results. With more, the query should be more exact. */
export const maxResults = 20_000;

/** A query that was typed: its words are names where something has them, and text otherwise. */
export interface Search {
  readonly query: CompiledQuery;
  /** The fields that it names, whose values are shown. */
  readonly fields: ReadonlySet<string>;
}

/** @throws QueryError */
export function readSearch(text: string, schema: Schema): Search {
  const query = withTexts(parseQuery(text), schema);
  return { query: new CompiledQuery(query, schema), fields: new Set(fieldsIn(query)) };
}

function* fieldsIn(query: Query): Generator<string> {
  if (query.kind === 'condition' || query.kind === 'changed') yield query.field;
  if (query.kind === 'not') yield* fieldsIn(query.part);
  if (query.kind === 'and' || query.kind === 'or') for (const part of query.parts) yield* fieldsIn(part);
}

/**
 * Finds items, events and messages. An item is found when it begins to be selected, and whenever a value changes that
 * the query asks for; a message is left out where it is an event, too. The results are sorted by tick.
 */
export function* search(recording: Recording, { query, fields }: Search): Generator<void, SearchResult[]> {
  const matcher = new QueryMatcher(query);
  const items = new ItemResults(recording, fields, query.needsBefore);
  const results: SearchResult[] = [];
  const messages: SearchResult[] = [];
  const { protocol, track } = recording;
  const events = query.selects.events ? new TrackEvents(protocol, track.markers) : undefined;
  const { from } = recording.ticks;
  const addEvents = (ended: TickEvents | undefined) => {
    for (const event of ended?.events ?? []) {
      if (matcher.event(event))
        results.push({ tick: Math.max(from, ended!.tick), item: undefined, text: eventText(event) });
    }
  };
  for (const entry of recording.entries()) {
    if (events) addEvents(events.add(entry, entry.tick));
    matcher.follow(entry);
    const tick = Math.max(from, entry.tick);
    if (entry.record === 'message') {
      if (matcher.isMessage) messages.push({ tick, item: undefined, text: entry.message.type!.name });
      continue;
    }
    if (entry.snapshot) results.push(...items.of(entry, matcher));
    yield;
    if (results.length >= maxResults) break;
  }
  for (const ended of events?.finish() ?? []) addEvents(ended);
  const ticks = new Set(results.filter(({ item }) => item === undefined).map(({ tick }) => tick));
  results.push(...messages.filter(({ tick }) => !ticks.has(tick)));
  return results.sort((a, b) => a.tick - b.tick).slice(0, maxResults);
}

/** The sentence of an event, as in the list of events; of what players do all the time, who does what. */
function eventText(event: GameEvent): string {
  if (isAction(event))
    return `${nameText(event.player.name ?? String(event.player.client))} ${event.what.replaceAll('_', ' ')}`;
  return eventLinesOf(0, [event])
    .flatMap(({ parts }) => parts.map(({ text }) => text))
    .join('');
}

/** The items that a query selects in successive snapshots. */
class ItemResults {
  readonly #recording: Recording;
  readonly #fields: ReadonlySet<string>;
  readonly #isMomentary: boolean;
  /** The keys of the items that matched in the previous snapshot. */
  #found = new Set<number>();

  /** @param isMomentary whether each result counts, since the query is about changes */
  constructor(recording: Recording, fields: ReadonlySet<string>, isMomentary: boolean) {
    this.#recording = recording;
    this.#fields = fields;
    this.#isMomentary = isMomentary;
  }

  of({ snapshot, tick }: PageEntry & { record: 'snapshot' }, matcher: QueryMatcher): SearchResult[] {
    const found = new Set<number>();
    const results: SearchResult[] = [];
    if (matcher.found > 0) {
      const types = new ItemTypes(this.#recording.protocol).onSnapshot(snapshot!);
      for (let i = 0; i < snapshot!.count; i++) {
        if (!matcher.isSelected(i)) continue;
        const key = snapshot!.keys[i]!;
        found.add(key);
        if (this.#isMomentary || !this.#found.has(key)) results.push(this.#resultOf(snapshot!, i, tick, types));
      }
    }
    this.#found = found;
    return results;
  }

  #resultOf(snapshot: Snapshot, i: number, tick: number, types: ItemTypes): SearchResult {
    const item = itemIn(types, snapshot, i);
    const values = [...item.values()].filter(({ label }) => this.#fields.has(label));
    const shown = values.map((value) => ` ${value.label} ${valueText(item.describe(value))}`);
    return { tick, item: `${item.known!.name}/${item.id}`, text: `${item.title}${shown.join('')}` };
  }
}

const valueText = ({ value, symbol }: DescribedValue): string =>
  symbol ?? (typeof value === 'string' ? nameText(value) : numberText(value));
