import { eventKindsOf, type GameEvent } from '../../recording/events/event.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import type { ItemType } from '../../wire/protocol/item.ts';
import { findTypes, similarNames } from '../../wire/protocol/lookup.ts';
import { messagesOf } from '../../wire/protocol/message-registry.ts';
import type { MessageType } from '../../wire/protocol/message-type.ts';
import { protocolOf, type Schema, versions } from '../../wire/protocol/registry.ts';
import { numberOf, textTest } from './operands.ts';
import { type Query, QueryError } from './parse.ts';
import {
  eventSubjects,
  type FoundItem,
  type FoundMessage,
  itemSubject,
  messageSubject,
  type Subject,
  type Test,
} from './subjects.ts';

type AnySubject = Subject<never>;

/** What a word of a query names: the items, messages and kinds of events. */
class Names {
  readonly items: readonly ItemType[];
  readonly messages: readonly MessageType[];
  readonly #named = new Map<string, ReadonlySet<string>>();
  readonly #prefersEvents: boolean;

  /**
   * @param prefersEvents whether the name of an event is not also short for a message or item: `chat` is then no
   *   `sv_chat`
   */
  constructor(schema: Schema, prefersEvents: boolean) {
    this.#prefersEvents = prefersEvents;
    this.items = versions.flatMap((version) => protocolOf(version, schema).items);
    this.messages = versions.flatMap((version) => messagesOf(version, schema).all);
  }

  /** Whether a word names a subject: `item obj_character`. Events have it at the beginning of their name. */
  has(word: string, { kind, name }: Pick<AnySubject, 'kind' | 'name'>): boolean {
    return getOr(this.#named, word, () => this.#find(word)).has(`${kind} ${name}`);
  }

  isKnown(word: string): boolean {
    return getOr(this.#named, word, () => this.#find(word)).size > 0;
  }

  #find(word: string): ReadonlySet<string> {
    const events = eventKindsOf(word);
    const isEvent = this.#prefersEvents && events.some((kind) => kind === word);
    const named = <Type extends ItemType | MessageType>(types: readonly Type[]) =>
      findTypes(types, word).filter(({ name }) => !isEvent || name === word);
    return new Set([
      ...named(this.items).map(({ name }) => `item ${name}`),
      ...named(this.messages).map(({ name }) => `message ${name}`),
      ...events.map((name) => `event ${name}`),
    ]);
  }

  /** What else than events a word names that names events: the names that only it has. */
  besideEvents(word: string): readonly string[] {
    const named = getOr(this.#named, word, () => this.#find(word));
    if (eventKindsOf(word).length === 0) return [];
    const types = [...this.items, ...this.messages].filter(
      ({ name }) => named.has(`item ${name}`) || named.has(`message ${name}`),
    );
    return [...new Set(types.map(({ name, uuidName }) => (name === word ? (uuidName ?? name) : name)))];
  }

  get subjects(): AnySubject[] {
    return [...this.items.map(itemSubject), ...this.messages.map(messageSubject), ...eventSubjects];
  }
}

/** `obj_character/0` is the item with this id. */
function namedItem(text: string): { readonly word: string; readonly id: number | undefined } {
  const [, word, id] = /^(.+)\/(\d+)$/.exec(text) ?? [];
  return { word: word ?? text, id: id === undefined ? undefined : Number(id) };
}

/** A query for people who type: words that name nothing are text. */
export function withTexts(query: Query, schema: Schema): Query {
  const names = new Names(schema, false);
  const change = (part: Query): Query => {
    if (part.kind === 'not') return { ...part, part: change(part.part) };
    if (part.kind === 'and' || part.kind === 'or') return { ...part, parts: part.parts.map(change) };
    if (part.kind !== 'name' || names.isKnown(namedItem(part.word).word)) return part;
    return { kind: 'text', text: part.word, at: part.at, to: part.to };
  };
  return change(query);
}

interface Selects {
  readonly items: boolean;
  readonly messages: boolean;
  readonly events: boolean;
}

/** A query that is compiled for each kind of item, message and event when it first comes. */
export class CompiledQuery {
  /** Whether it is about names of players, and about values in the snapshot before. */
  readonly needsPlayers: boolean;
  readonly needsBefore: boolean;
  /** What it may select. */
  readonly selects: Selects;
  /** The words that name events and something else, which they name, too. */
  readonly ambiguous: readonly (readonly [word: string, others: readonly string[]])[];
  /** The same of each part between the outermost `or`. */
  readonly alternatives: readonly Selects[];
  readonly #query: Query;
  readonly #names: Names;
  readonly #items = new Map<ItemType, Test<FoundItem>>();
  readonly #messages = new Map<MessageType, Test<FoundMessage>>();
  readonly #events = new Map<string, Test<GameEvent>>();

  /** @throws QueryError for a name, field or value that nothing has */
  constructor(query: Query, schema: Schema, prefersEvents = false) {
    this.#query = query;
    this.#names = new Names(schema, prefersEvents);
    const { subjects } = this.#names;
    check(query, subjects, subjects, this.#names);
    const selectsOf = (part: Query): Selects => {
      const isOf = (kind: AnySubject['kind']) =>
        subjects.some((subject) => subject.kind === kind && compile(part, subject, this.#names) !== false);
      return { items: isOf('item'), messages: isOf('message'), events: isOf('event') };
    };
    this.selects = selectsOf(query);
    this.alternatives = query.kind === 'or' ? query.parts.map(selectsOf) : [this.selects];
    const parts = [...partsOf(query)];
    this.ambiguous = parts.flatMap((part) => {
      const others = part.kind === 'name' ? this.#names.besideEvents(part.word) : [];
      return part.kind === 'name' && others.length > 0 ? [[part.word, others] as const] : [];
    });
    this.needsBefore = parts.some(({ kind }) => kind === 'changed');
    this.needsPlayers = parts.some(
      (part) =>
        part.kind === 'text' ||
        (part.kind === 'condition' && (numberOf(part.value) === undefined || part.operator === '~')),
    );
  }

  item(type: ItemType): Test<FoundItem> {
    return getOr(this.#items, type, () => this.#compile(itemSubject(type)));
  }

  message(type: MessageType): Test<FoundMessage> {
    return getOr(this.#messages, type, () => this.#compile(messageSubject(type)));
  }

  event(event: GameEvent): boolean {
    const test = getOr(this.#events, event.what, () => {
      const subject = eventSubjects.find(({ name }) => name === event.what);
      return subject ? this.#compile(subject) : false;
    });
    return typeof test === 'boolean' ? test : test(event);
  }

  #compile<Found>(subject: Subject<Found>): Test<Found> {
    return compile(this.#query, subject, this.#names);
  }
}

function* partsOf(query: Query): Generator<Query> {
  yield query;
  if (query.kind === 'not') yield* partsOf(query.part);
  if (query.kind === 'and' || query.kind === 'or') for (const part of query.parts) yield* partsOf(part);
}

function compile<Found>(query: Query, subject: Subject<Found>, names: Names): Test<Found> {
  switch (query.kind) {
    case 'name': {
      const { word, id } = namedItem(query.word);
      if (!names.has(word, subject)) return false;
      return id === undefined || (subject.kind === 'item' && ((found) => (found as unknown as FoundItem).id === id));
    }
    case 'text':
      return subject.contains(textTest({ operator: '~', value: query.text })!);
    case 'condition':
      return subject.condition(query) ?? false;
    case 'changed':
      return subject.changed(query.field) ?? false;
    case 'not': {
      const test = compile(query.part, subject, names);
      return typeof test === 'boolean' ? !test : (found) => !test(found);
    }
    default:
      return joined(
        query.parts.map((part) => compile(part, subject, names)),
        query.kind === 'and',
      );
  }
}

/** All of the tests for `and`, one of them for `or`: those that are decided already are left out. */
function joined<Found>(all: readonly Test<Found>[], areAll: boolean): Test<Found> {
  if (all.includes(!areAll)) return !areAll;
  const tests = all.filter((test) => typeof test !== 'boolean');
  const [first, second, ...rest] = tests;
  if (!first) return areAll;
  if (!second) return first;
  if (rest.length === 0)
    return areAll ? (found) => first(found) && second(found) : (found) => first(found) || second(found);
  return areAll ? (found) => tests.every((test) => test(found)) : (found) => tests.some((test) => test(found));
}

/** The subjects that the names in a query leave. */
function narrowed(query: Query, scope: readonly AnySubject[], names: Names): readonly AnySubject[] {
  const isLeft = (part: Query, subject: AnySubject): boolean => {
    if (part.kind === 'name') return names.has(namedItem(part.word).word, subject);
    if (part.kind === 'and') return part.parts.every((part) => isLeft(part, subject));
    return part.kind !== 'or' || part.parts.some((part) => isLeft(part, subject));
  };
  return scope.filter((subject) => isLeft(query, subject));
}

/** @throws QueryError for the first part of a query that can select nothing of the scope, with similar names */
function check(query: Query, scope: readonly AnySubject[], all: readonly AnySubject[], names: Names): void {
  switch (query.kind) {
    case 'name':
      if (names.isKnown(namedItem(query.word).word)) return;
      throw unknownWord(query, all);
    case 'not':
      check(query.part, scope, all, names);
      return;
    case 'or':
      for (const part of query.parts) check(part, narrowed(part, scope, names), all, names);
      return;
    case 'and': {
      for (const part of query.parts) if (part.kind === 'name') check(part, scope, all, names);
      const left = narrowed(query, scope, names);
      if (left.length === 0 && scope.length > 0) throw new QueryError('nothing is all of these', query);
      for (const part of query.parts) check(part, left, all, names);
      return;
    }
    case 'changed': {
      const items = scope.filter(({ kind }) => kind === 'item');
      if (items.length === 0 && scope.length > 0)
        throw new QueryError(`changed is for fields of items; ${scopeText(scope)} is none`, query);
      if (!items.some((subject) => subject.changed(query.field)))
        throw unknownField(query, query.to - query.field.length, items, all);
      return;
    }
    case 'condition': {
      const having = scope.filter((subject) => subject.hasField(query.field));
      if (having.length === 0) throw unknownField(query, query.at, scope, all);
      if (!having.some((subject) => subject.condition(query))) throw wrongValue(query, having);
      return;
    }
    default:
  }
}

const suggested = (names: readonly string[], word: string): string => {
  const near = similarNames(
    [...new Set(names)].map((name) => ({ name })),
    word,
  ).slice(0, 3);
  return near.length > 0 ? `; did you mean ${near.join(', ')}?` : '';
};

function unknownWord(query: Query & { kind: 'name' }, all: readonly AnySubject[]): QueryError {
  const { word } = query;
  const isField = all.some((subject) => subject.hasField(word));
  const hint = isField
    ? `; it is a field: ${word}=VALUE, or changed ${word}`
    : suggested(
        all.map(({ name }) => name),
        word,
      ) || `; text is written "${word}"`;
  return new QueryError(`no item, message or event '${word}'${hint}`, query);
}

const scopeText = (scope: readonly AnySubject[]) => [...new Set(scope.map(({ name }) => name))].slice(0, 3).join(', ');

function unknownField(
  { field }: { readonly field: string },
  at: number,
  scope: readonly AnySubject[],
  all: readonly AnySubject[],
): QueryError {
  const isNarrow = scope.length < all.length;
  const fields = scope.flatMap((subject) => subject.fields);
  const hint =
    suggested(fields, field) ||
    (isNarrow && fields.length > 0
      ? `; it has ${[...new Set(fields)].slice(0, 8).join(', ')}${fields.length > 8 ? ', …' : ''}`
      : '');
  return new QueryError(`${isNarrow ? `${scopeText(scope)} has ` : ''}no field '${field}'${hint}`, {
    at,
    to: at + field.length,
  });
}

function wrongValue(query: Query & { kind: 'condition' }, having: readonly AnySubject[]): QueryError {
  const { field, value, operator, valueAt, to } = query;
  const names = [...new Set(having.flatMap((subject) => subject.valueNames(field)))];
  const place = { at: valueAt, to };
  if (['<', '<=', '>', '>='].includes(operator))
    return new QueryError(`${operator} needs a number, not '${value}'`, place);
  const hint =
    suggested(names, value) || (names.length > 0 ? `; there is ${names.slice(0, 12).join(', ')}` : '; it is a number');
  return new QueryError(`${field} is never '${value}'${hint}`, place);
}
