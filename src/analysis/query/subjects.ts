import { eventKinds, type GameEvent, type PlayerRef } from '../../recording/events/event.ts';
import { meaningIn, readValue, type Value, valuesOf } from '../../wire/annotate/field-values.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import type { Message, MessageValue } from '../../wire/packet/message.ts';
import { emoticon, killWeapon, weapon } from '../../wire/protocol/enums.ts';
import { clientItems, type ItemType } from '../../wire/protocol/item.ts';
import type { Names } from '../../wire/protocol/meaning.ts';
import type { MessageField, MessageFieldType, MessageType } from '../../wire/protocol/message-type.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import {
  intTest,
  type NumberTest,
  namesOf,
  nameTest,
  numberOf,
  plainTest,
  playerTest,
  type Roster,
  type TextTest,
  textTest,
} from './operands.ts';
import type { Condition } from './parse.ts';

/** What is known of a test before anything is read, or the test. */
export type Test<Found> = boolean | ((found: Found) => boolean);

/**
 * What a query is about: the items of a type, the messages of a type, or the events of a kind. A query is compiled for
 * each of them once; most conditions are decided then.
 */
export interface Subject<Found = never> {
  readonly kind: 'item' | 'message' | 'event';
  readonly name: string;
  readonly fields: readonly string[];
  hasField(field: string): boolean;
  /** The names that the values of a field may have. */
  valueNames(field: string): readonly string[];
  /** Undefined if it has no such field, or the field no such values. */
  condition(condition: Condition): ((found: Found) => boolean) | undefined;
  changed(field: string): ((found: Found) => boolean) | undefined;
  contains(isText: TextTest): Test<Found>;
}

/** An item in its snapshot: the one object is filled again for each. */
export interface FoundItem {
  snapshot: Snapshot;
  /** The snapshot of the same player before it. */
  before: Snapshot | undefined;
  key: number;
  id: number;
  /** Where its ints are in the data of the snapshot. */
  start: number;
  end: number;
  readonly roster: Roster;
}

export interface FoundMessage {
  readonly message: Message;
  readonly roster: Roster;
}

const nameOnly = (field: string) => field.replace(/\[.*|\..*/s, '');

/** The subject of items. `id` is the item's id, `player` the player whom it is about. */
export function itemSubject(type: ItemType): Subject<FoundItem> {
  const values = valuesOf(type);
  const isClient = clientItems.has(type.name);
  const clients = values.filter(({ meaning }) => meaning.kind === 'client');
  const named = (field: string) => values.filter(({ label }) => label === field || label.startsWith(`${field}[`));
  const hasPlayer = isClient || clients.length > 0;
  const own = (field: string) => values.some(({ label }) => nameOnly(label) === field);
  return {
    kind: 'item',
    name: type.name,
    fields: [
      ...values.map(({ label }) => label),
      ...(own('id') ? [] : ['id']),
      ...(hasPlayer && !own('player') ? ['player'] : []),
    ],
    hasField: (field) => named(field).length > 0 || field === 'id' || (field === 'player' && hasPlayer),
    valueNames: (field) => named(field).flatMap(({ meaning }) => namesOf(meaning)),
    condition(condition) {
      const tests = named(condition.field).flatMap((value) => valueTest(value, condition) ?? []);
      if (tests.length > 0) return anyOf(tests);
      if (condition.field === 'id') {
        const isId = isClient ? playerTest(condition) : plainTest(condition);
        return isId && ((item) => isId(item.id, item.roster));
      }
      const isPlayer = condition.field === 'player' ? playerTest(condition) : undefined;
      if (!isPlayer || !hasPlayer) return undefined;
      if (isClient) return (item) => isPlayer(item.id, item.roster);
      return anyOf(clients.map((value) => intAt(value, isPlayer)));
    },
    changed(field) {
      const changes = named(field).map(
        ({ at, ints }) =>
          (item: FoundItem) =>
            hasChanged(item, at, ints),
      );
      return changes.length > 0 ? anyOf(changes) : undefined;
    },
    contains(isText) {
      const tests = values.filter(({ meaning }) => meaning.kind === 'text').map((value) => textAt(value, isText));
      if (isClient) tests.push(({ id, roster }) => isText(roster.nameOf(id) ?? ''));
      return tests.length > 0 && anyOf(tests);
    },
  };
}

function anyOf<Found>(tests: readonly ((found: Found) => boolean)[]): (found: Found) => boolean {
  const [first] = tests as [(found: Found) => boolean];
  return tests.length === 1 ? first : (found) => tests.some((test) => test(found));
}

/** A field that an older sender has left out fulfils no condition. */
const intAt =
  ({ at }: Value, test: NumberTest) =>
  ({ snapshot, start, end, roster }: FoundItem): boolean =>
    start + at < end && test(snapshot.data[start + at]!, roster);

const textAt =
  (value: Value, isText: TextTest) =>
  ({ snapshot, start, end }: FoundItem): boolean => {
    if (start + value.at + value.ints > end) return false;
    const text = readValue(value, snapshot.data.subarray(start, end));
    return typeof text === 'string' && isText(text);
  };

function valueTest(value: Value, condition: Condition): ((item: FoundItem) => boolean) | undefined {
  const { meaning } = value;
  if (meaning.kind === 'text' || meaning.kind === 'uuid') {
    const isText = textTest(condition);
    return isText && textAt(value, isText);
  }
  if (meaning.kind === 'enum_by') {
    // Which names the value may have depends on another one.
    const tests = Object.values(meaning.names).map((names) => nameTest(condition, names));
    if (numberOf(condition.value) === undefined && tests.every((test) => test === undefined)) return undefined;
    return ({ snapshot, start, end, roster }) => {
      if (start + value.at >= end) return false;
      const selected = meaningIn(value, snapshot.data.subarray(start, end));
      return intTest(selected, condition)?.(snapshot.data[start + value.at]!, roster) ?? false;
    };
  }
  const test = intTest(meaning, condition);
  return test && intAt(value, test);
}

/** Whether ints of an item are others than in the snapshot before. An item that was not in it has not changed. */
function hasChanged({ snapshot, before, key, start, end }: FoundItem, at: number, ints: number): boolean {
  const i = before ? before.findKey(key) : -1;
  if (i < 0 || start + at + ints > end) return false;
  const was = before!.offsets[i]! + at;
  if (was + ints > before!.offsets[i + 1]!) return true;
  for (let k = 0; k < ints; k++) if (before!.data[was + k] !== snapshot.data[start + at + k]) return true;
  return false;
}

/** The subject of messages. `player` is each player whom a message names. */
export function messageSubject(type: MessageType): Subject<FoundMessage> {
  const names = type.fields.flatMap((field) => fieldNames(field));
  const clients = type.fields.some((field) => hasClient(field.type));
  const fieldOf = (field: string) => type.fields.filter(({ name }) => name === nameOnly(field));
  const tests = new Map<MessageFieldType, ((found: MessageValue, roster: Roster) => boolean) | undefined>();
  const isNamed = ({ name }: MessageValue, field: string) =>
    name === field || name.startsWith(`${field}[`) || name.startsWith(`${field}.`);
  return {
    kind: 'message',
    name: type.name,
    fields: clients && !names.includes('player') ? [...names, 'player'] : names,
    hasField: (field) => fieldOf(field).length > 0 || (field === 'player' && clients),
    valueNames: (field) => fieldOf(field).flatMap((field) => namesOf(field.type)),
    condition(condition) {
      const { field } = condition;
      if (fieldOf(field).length > 0) {
        if (!fieldOf(field).some((field) => accepts(field.type, condition))) return undefined;
        return ({ message, roster }) =>
          message.values.some(
            (value) =>
              isNamed(value, field) &&
              (getOr(tests, value.type, () => messageTest(value.type, condition))?.(value, roster) ?? false),
          );
      }
      const isPlayer = field === 'player' && clients ? playerTest(condition) : undefined;
      return (
        isPlayer &&
        (({ message, roster }) =>
          message.version === undefined &&
          message.values.some(({ type, value }) => type.kind === 'client' && isPlayer(Number(value), roster)))
      );
    },
    changed: () => undefined,
    contains: (isText) =>
      names.length > 0
        ? ({ message }) => message.values.some(({ value }) => typeof value === 'string' && isText(value))
        : false,
  };
}

const fieldNames = ({ name }: MessageField): string[] => [name];

const hasClient = (type: MessageFieldType): boolean =>
  type.kind === 'record'
    ? type.fields.some((field) => hasClient(field.type))
    : type.kind === 'repeat' || type.kind === 'list'
      ? hasClient(type.of)
      : type.kind === 'client';

/** Whether a condition makes sense for a value of a message, or for one of its parts. */
function accepts(type: MessageFieldType, condition: Condition): boolean {
  if (type.kind === 'record') return type.fields.some((field) => accepts(field.type, condition));
  if (type.kind === 'repeat' || type.kind === 'list') return accepts(type.of, condition);
  return messageTest(type, condition) !== undefined;
}

function messageTest(
  type: MessageFieldType,
  condition: Condition,
): ((found: MessageValue, roster: Roster) => boolean) | undefined {
  switch (type.kind) {
    case 'string':
    case 'text':
    case 'uuid':
    case 'raw_uuid': {
      const isText = textTest(condition);
      return isText && (({ value }) => typeof value === 'string' && isText(value));
    }
    case 'data':
    case 'rest':
    case 'sha256':
    case 'record':
    case 'repeat':
      return undefined;
    default: {
      const test = intTest(type, condition);
      return test && (({ value }, roster) => typeof value === 'number' && test(value, roster));
    }
  }
}

type EventField = 'player' | 'text' | 'number' | 'boolean' | Names;

type EventName = GameEvent['what'];

const player = { player: 'player' } as const;
const victim = { victim: 'player' } as const;
const ofFlag = { ...player, flag: 'text' } as const;

/**
 * The values of each kind of event, as `dump --events -t ndjson` names them. Events are types only, which are gone when
 * a program runs; a kind that is missing here does not compile.
 */
const eventFields: Readonly<Record<EventName, Readonly<Record<string, EventField>>>> = {
  full_snapshot: { items: 'number' },
  players_present: {},
  gap: { ticks: 'number' },
  marker: { number: 'number', of: 'number' },
  diagnostic: {},
  join: { ...player, team: 'text' },
  leave: { ...player, reason: 'text' },
  rename: { ...player, from: 'text' },
  change_team: { ...player, team: 'text' },
  ddrace_team: { ...player, team: 'number', is_super: 'boolean' },
  kill: {
    ...victim,
    killer: 'player',
    killer_team: 'text',
    by_self: 'boolean',
    weapon: killWeapon,
    had_flag: 'boolean',
  },
  death: victim,
  team_kill: { ...victim, team: 'number' },
  chat: { ...player, to: 'text', target: 'player', text: 'text' },
  announcement: { kind: 'text', text: 'text' },
  vote: { ...player, kind: 'text', description: 'text', reason: 'text' },
  vote_end: { result: 'text' },
  game_phase: { phase: 'text', on: 'boolean', seconds: 'number' },
  round: {},
  game_message: { ...player, name: 'text', team: 'text' },
  flag_take: ofFlag,
  flag_drop: ofFlag,
  flag_return: { flag: 'text' },
  flag_capture: { ...ofFlag, ticks: 'number' },
  score: { red: 'number', blue: 'number' },
  finish: { ...player, time: 'number', diff: 'number', record: 'text' },
  checkpoint: { ...player, diff: 'number' },
  best_time: { time: 'number' },
  tune: {},
  connect: { server: 'text', version: 'text' },
  accept: { packets: 'number', seconds: 'number' },
  enter: {},
  refuse: { reason: 'text' },
  close: { side: 'text', reason: 'text' },
  silence: { side: 'text', seconds: 'number' },
  timeout: { side: 'text', seconds: 'number' },
  flood: { server: 'text', requests: 'number', addresses: 'number', seconds: 'number' },
  jump: player,
  air_jump: player,
  spawn: player,
  freeze: player,
  thaw: player,
  start_race: player,
  fire: { ...player, weapon },
  switch: { ...player, weapon },
  hook: { ...player, target: 'player' },
  hit: { ...player, health: 'number', armor: 'number', left: 'number' },
  pick_up: { ...player, pickup: 'text', amount: 'number' },
  emoticon: { ...player, emoticon },
  move_on: { ...player, seconds: 'number' },
  watch: { ...player, target: 'player' },
  afk: { ...player, on: 'boolean' },
};

/** The value of an event, whose own names have capital letters: `had_flag` is `hadFlag`. */
const eventValue = (event: GameEvent, field: string): unknown =>
  (event as unknown as Record<string, unknown>)[
    field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  ];

type EventKind = (typeof eventKinds)[number];

/** The subject of events. A player is `{ client, name }`. */
function eventSubject(kind: EventKind): Subject<GameEvent> {
  const own = eventFields[kind];
  const players = Object.keys(own).filter((field) => own[field] === 'player');
  // As of a message: `player` is each player whom it names.
  const fields = players.length > 0 && !('player' in own) ? { ...own, player: 'player' as const } : own;
  const named = Object.entries(fields).flatMap(([field, of]) => (typeof of === 'object' ? [[field, of] as const] : []));
  return {
    kind: 'event',
    name: kind,
    fields: Object.keys(fields),
    hasField: (field) => field in fields,
    valueNames: (field) => (typeof fields[field] === 'object' ? Object.values(fields[field]) : []),
    condition(condition) {
      const of = fields[condition.field];
      const test = of && eventTest(of, condition);
      if (test && !(condition.field in own)) return (event) => players.some((field) => test(eventValue(event, field)));
      return test && ((event) => test(eventValue(event, condition.field)));
    },
    changed: () => undefined,
    contains: (isText) => (event) =>
      isText(kind) ||
      textsIn(event).some(isText) ||
      named.some(([field, names]) => isText(names[Number(eventValue(event, field))] ?? '')),
  };
}

function eventTest(of: EventField, condition: Condition): ((value: unknown) => boolean) | undefined {
  const nobody: Roster = { nameOf: () => undefined };
  const ofNumber = (test: NumberTest | undefined) =>
    test && ((value: unknown) => typeof value === 'number' && test(value, nobody));
  if (of === 'number') return ofNumber(plainTest(condition));
  if (of === 'player') {
    const isPlayer = playerTest(condition);
    return (
      isPlayer &&
      ((value) => {
        const ref = value as PlayerRef | undefined;
        return ref !== undefined && isPlayer(ref.client, { nameOf: () => ref.name });
      })
    );
  }
  const isText = of === 'text' || of === 'boolean' ? textTest(condition) : undefined;
  if (isText) return (value) => value !== undefined && isText(String(value));
  return typeof of === 'object' ? ofNumber(nameTest(condition, of)) : undefined;
}

/** The texts of an event, with the names of its players. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, field]) => (key === 'what' ? [] : textsIn(field)));
}

export const eventSubjects: readonly Subject<GameEvent>[] = eventKinds.map((kind) => eventSubject(kind));
