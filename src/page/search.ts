import { describeValue } from '../annotate/describe.ts';
import { type Value, valuesOf } from '../annotate/values.ts';
import { clientItems, type ItemType } from '../protocol/item.ts';
import { ItemTypes } from '../snapshot/item-types.ts';
import { idOf, typeOf } from '../snapshot/key.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Recording } from './recording.ts';

export interface SearchResult {
  readonly tick: number;
  readonly item: string | undefined;
  readonly text: string;
}

/** The maximum number of results. With more, the query should be more exact. */
export const maxResults = 20_000;

/** Finds items, fields and values in all snapshots, and words in events and the names of messages. The results are sorted by tick. */
export function* search(recording: Recording, query: Query): Generator<void, SearchResult[]> {
  const { words, conditions } = query;
  if (words.length + conditions.length === 0) return [];
  const results: SearchResult[] = conditions.length > 0 ? [] : textResults(recording, words);
  const items = new ItemSearch(recording, query);
  for (const [position, index] of recording.shown.entries()) {
    const snapshot = recording.reader.snapshot(index);
    yield;
    if (!snapshot) continue;
    const { tick } = recording.snapshot(position);
    results.push(...items.find(snapshot, tick));
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
  // A message is an event, too: it is found once.
  const ticks = new Set(events.map(({ tick }) => tick));
  const messages = messageNames
    .filter(({ tick, name }) => has(name) && !ticks.has(tick))
    .map(({ tick, name }) => ({ tick, item: undefined, text: name }));
  return [...events, ...messages];
}

const operators = {
  '=': (difference: number) => difference === 0,
  '!=': (difference: number) => difference !== 0,
  '<': (difference: number) => difference < 0,
  '<=': (difference: number) => difference <= 0,
  '>': (difference: number) => difference > 0,
  '>=': (difference: number) => difference >= 0,
};
type Operator = keyof typeof operators;

/** A value that an item must have: `x>800`, `weapon=grenade`. */
interface Condition {
  readonly field: string;
  readonly operator: Operator;
  readonly value: string;
}

/** A search query. Words are in lower case. */
interface Query {
  readonly words: readonly string[];
  readonly conditions: readonly Condition[];
}

/** Reads the text of the search box. Words are separated by spaces or enclosed in double quotes. */
export function readQuery(text: string): Query {
  const words: string[] = [];
  const conditions: Condition[] = [];
  for (const [, quoted, plain] of text.matchAll(/"([^"]*)"?|(\S+)/g)) {
    const [, field, operator, value] = /^([\w.[\]]+)(!=|<=|>=|==?|<|>)(.+)$/.exec(plain ?? '') ?? [];
    if (field && value !== undefined) {
      conditions.push({ field, operator: (operator === '==' ? '=' : operator) as Operator, value });
    } else if (quoted ?? plain) words.push((quoted ?? plain)!.toLowerCase());
  }
  return { words, conditions };
}

/** Whether a value meets a condition. Texts and names are compared without regard to case. */
export function holds(
  { operator, value }: Condition,
  found: number | string | undefined,
  symbol: string | undefined,
): boolean {
  const number = Number(value);
  if (typeof found === 'number' && !Number.isNaN(number)) return operators[operator](found - number);
  const lowered = value.toLowerCase();
  const isEqual = [String(found ?? ''), symbol ?? ''].some((text) => text.toLowerCase() === lowered);
  if (operator === '=') return isEqual;
  return operator === '!=' && !isEqual;
}

/** How the items of a type are compared with the query. */
interface TypePlan {
  readonly type: ItemType;
  /** The words that are neither in the type's name nor a field's label. The player's name or the id must match them. */
  readonly words: readonly string[];
  /** The fields that the query names. An item is found when one of them changes. */
  readonly named: readonly Value[];
  readonly tested: readonly Value[];
}

/**
 * Finds items in successive snapshots. An item is found when it appears or begins to meet all conditions; if the query names fields,
 * it is found whenever one of them changes.
 */
class ItemSearch {
  readonly #recording: Recording;
  readonly #query: Query;
  readonly #plans = new Map<ItemType, TypePlan | undefined>();
  #before: Snapshot | undefined;
  /** The keys of the items that matched in the previous snapshot. */
  #found = new Set<number>();

  constructor(recording: Recording, query: Query) {
    this.#recording = recording;
    this.#query = query;
  }

  find(snapshot: Snapshot, tick: number): SearchResult[] {
    const types = new ItemTypes(this.#recording.protocol).onSnapshot(snapshot);
    const results: SearchResult[] = [];
    const found = new Set<number>();
    for (let i = 0; i < snapshot.count; i++) {
      const key = snapshot.keys[i]!;
      const type = types.of(typeOf(key));
      const plan = type && this.#planOf(type);
      if (!plan || !this.#hasWords(plan, key)) continue;
      const ints = snapshot.item(i);
      if (!this.#fulfils(plan, ints, types)) continue;
      found.add(key);
      const name = `${plan.type.name} ${idOf(key)}`;
      const item = `${plan.type.name}/${idOf(key)}`;
      const changed = plan.named.find((value) => this.#hasChanged(value, key, ints));
      if (changed) results.push({ tick, item, text: `${name} ${changed.label} ${ints[changed.at]}` });
      else if (plan.named.length === 0 && !this.#found.has(key)) results.push({ tick, item, text: name });
    }
    this.#before = snapshot;
    this.#found = found;
    return results;
  }

  #planOf(type: ItemType): TypePlan | undefined {
    if (!this.#plans.has(type)) this.#plans.set(type, planOf(type, this.#query));
    return this.#plans.get(type);
  }

  #hasWords({ type, words }: TypePlan, key: number): boolean {
    if (words.length === 0) return true;
    const id = idOf(key);
    const player = clientItems.has(type.name) ? this.#recording.players.infoOf(id)?.name.toLowerCase() : undefined;
    return words.every((word) => word === String(id) || word === `${type.name}/${id}` || player?.includes(word));
  }

  #fulfils({ tested }: TypePlan, ints: Int32Array, types: ItemTypes): boolean {
    return this.#query.conditions.every((condition, i) => {
      const value = tested[i]!;
      if (value.at + value.ints > ints.length) return false;
      const { value: content, symbol } = describeValue(value, ints, false, types);
      return holds(condition, content, symbol);
    });
  }

  #hasChanged({ at, ints: count }: Value, key: number, ints: Int32Array): boolean {
    const index = this.#before ? this.#before.findKey(key) : -1;
    if (index < 0) return true;
    const before = this.#before!.item(index);
    for (let i = at; i < at + count; i++) if (before[i] !== ints[i]) return true;
    return false;
  }
}

/** Compares the query with a type; undefined if no item of the type can match. */
function planOf(type: ItemType, { words, conditions }: Query): TypePlan | undefined {
  const values = valuesOf(type);
  const tested = conditions.map(({ field }) => values.find(({ label }) => label === field));
  if (tested.includes(undefined)) return undefined;
  const named: Value[] = [];
  const left = words.filter((word) => {
    if (type.name.includes(word)) return false;
    const value = values.find(({ label }) => label === word);
    if (value) named.push(value);
    return !value;
  });
  // A query with only a player's name would match every item of that player, so it only finds the character.
  const isNamed = left.length < words.length || conditions.length > 0 || type.name === 'obj_character';
  return isNamed ? { type, words: left, named, tested: tested as Value[] } : undefined;
}
