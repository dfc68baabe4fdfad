import type { Recording } from '../recording.ts';
import { ItemSearch } from './item-search.ts';
import type { Query } from './query.ts';

/** A search result. */
export interface SearchResult {
  readonly tick: number;
  /** The item's part of a link. */
  readonly item: string | undefined;
  readonly text: string;
}

/** The maximum number of results. With more, the query should be more exact. */
export const maxResults = 20_000;
/** The number of snapshots searched between two pauses. */
const stepSnapshots = 50;

/** Finds items, fields and values in all snapshots, and words in events and the names of messages. The results are sorted by tick. */
export function* search(recording: Recording, query: Query): Generator<void, SearchResult[]> {
  const { words, conditions } = query;
  if (words.length + conditions.length === 0) return [];
  const results: SearchResult[] = conditions.length > 0 ? [] : textResults(recording, words);
  const items = new ItemSearch(recording, query);
  for (const [position, index] of recording.shown.entries()) {
    const snapshot = recording.reader.snapshot(index);
    if (position % stepSnapshots === 0) yield;
    if (!snapshot) continue;
    const { tick } = recording.snapshot(position);
    for (const { link, text } of items.find(snapshot)) results.push({ tick, item: link, text });
    if (results.length >= maxResults) break;
  }
  return results.sort((a, b) => a.tick - b.tick).slice(0, maxResults);
}

/** Finds events and the names of messages that contain all words. */
function textResults({ eventLines, messageNames }: Recording, words: readonly string[]): SearchResult[] {
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const events = eventLines
    .map(({ tick, parts }) => ({ tick, item: undefined, text: parts.map(({ text }) => text).join('') }))
    .filter(({ text }) => has(text));
  const messages = messageNames
    .filter(({ name }) => has(name))
    .map(({ tick, name }) => ({ tick, item: undefined, text: name }));
  return [...events, ...messages];
}
