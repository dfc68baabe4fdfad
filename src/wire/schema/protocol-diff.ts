import type { ItemType } from '../protocol/item.ts';
import { intsOf, type Meaning, type Names, type ValueBounds, valueBoundsOf } from '../protocol/meaning.ts';
import { messagesOf } from '../protocol/message-registry.ts';
import { isInt, type MessageFieldType, type MessageType } from '../protocol/message-type.ts';
import { type OpenBounds, openBounds, protocolOf, type Schema, type Version } from '../protocol/registry.ts';
import { sourceLists, undeclared } from './source-lists.ts';

/*
 * Two protocols are compared, and each change is judged by what it breaks. Four programs can meet it:
 *
 *                     receives from old              receives from new
 *   old program       as before                      `old_clients`, `old_servers`
 *   new program       `new_clients`, `new_servers`   as intended
 *
 * First types are paired: by UUID, by name, and by number where the layout is the same (then they were renamed). Then
 * fields: by name, and by place where a neighbour is the same. What did not keep its order has moved (`longestRise`).
 *
 * What breaks follows from how the games read. A delta carries no size for most items, so another size makes all after
 * it unreadable. Fields at the end may be absent if they have a default. Values beyond the bounds are clamped in 0.6,
 * and in 0.7 the item is dropped.
 *
 * The tables of tw-snap say more than a file (units, names) and less (no bounds that were not needed). Where one side
 * is the tables, only what both can say is compared (`isTable`, `isBounded`).
 */

/** A schema, or the tables of tw-snap. */
export interface Side {
  readonly schema: Schema | undefined;
}

/** What differs between two schemas. */
export interface SchemaDiff {
  readonly versions: readonly [Version, Version];
  readonly types: readonly TypeChange[];
  readonly lists: readonly ListChange[];
}

export interface TypeChange {
  readonly what: 'item' | 'message';
  readonly name: string;
  readonly old?: Typed;
  readonly new?: Typed;
  readonly changes: readonly Change[];
  readonly breaks: readonly Break[];
}

/** What a type is on the wire. */
export interface Typed {
  readonly name: string;
  readonly number?: number;
  readonly uuidName?: string;
  readonly uuid?: string;
  readonly ints?: number;
  readonly sized: boolean;
  readonly parts: readonly Part[];
}

export interface Part {
  readonly name: string;
  /** Ints of an item, values of a message; NaN where another value says how many. */
  readonly size: number;
  readonly wire: 'int' | 'string' | 'bytes';
  readonly sanitised?: string;
  /** Undefined where the games accept all, or the tables do not say it. */
  readonly bounds?: ValueBounds | undefined;
  readonly isBounded: boolean;
  /** The bounds that are not known. */
  readonly open?: OpenBounds | undefined;
  readonly names?: Names | undefined;
  readonly absent?: number | boolean | undefined;
}

export type Change =
  | { readonly change: 'added' | 'removed' | 'renamed' | 'moved' | 'sized' }
  | { readonly change: 'field_added' | 'field_removed' | 'field_moved'; readonly field: Part; readonly at: number }
  | {
      readonly change: 'field_renamed' | 'field_size' | 'field_kind' | 'bounds' | 'absent';
      readonly field: Part;
      readonly before: Part;
    }
  | { readonly change: 'names'; readonly field: Part; readonly names: readonly NameChange[] };

/** The name of a value that was added, removed or replaced. */
export interface NameChange {
  readonly value: number;
  readonly old?: string | undefined;
  readonly new?: string | undefined;
}

/** An enumeration or flags of the sources. */
export interface ListChange {
  readonly name: string;
  readonly names: readonly NameChange[];
}

/**
 * Who gets something wrong: programs with the old tables at a sender with the new ones, or programs with the new tables
 * at an old sender, which old demos are, too. Clients receive items and `sv_` messages, servers `cl_` messages.
 */
export interface Break {
  readonly side: 'old_clients' | 'new_clients' | 'old_servers' | 'new_servers';
  readonly effect: Effect;
  /** The fields with this effect; empty where it is about the whole. */
  readonly fields: readonly string[];
}

/**
 * - `unreadable`: a delta with the item cannot be read, since it carries no size
 * - `other`: it is read as another item or message
 * - `misread`: ints are read as other fields
 * - `dropped`: the receiver drops it, since a field without a default is absent
 * - `refused`: the receiver drops a message, or in 0.7 an item, with a value beyond its bounds
 * - `clamped`: the receiver changes a value of an item beyond its bounds
 */
export type Effect = 'unreadable' | 'other' | 'misread' | 'dropped' | 'refused' | 'clamped';

/**
 * What changed between two schemas, and what it breaks.
 *
 * Source: the code that `datasrc/compile.py` of DDNet generates (`SecureUnpackObj`, `SecureUnpackMsg`, `ClampInt`), and
 * `CSnapshotDelta` in `src/engine/shared/snapshot.cpp`.
 *
 * @param stated the version of sides that have none
 */
export function diffSchemas(old: Side, other: Side, stated?: Version): SchemaDiff {
  const version = stated ?? old.schema?.version ?? other.schema?.version ?? '0.6';
  const versions = [old.schema?.version ?? version, other.schema?.version ?? version] as const;
  const isTable = [old, other].some(({ schema }) => schema === undefined);
  // The games before DDNet, and DDNet's file for 0.7, have no types with a UUID; the tables add those of DDNet to all
  // versions.
  const hasUuids =
    !isTable || [old, other].every(({ schema }) => !schema?.version || schema.items.some(({ uuid }) => uuid));
  const isPartial = [old, other].every(({ schema }) => schema && !schema.version);
  const sides = [old, other].map((side, i) => typesOf(side, versions[i]!, { hasUuids, isPartial }));
  const rules = { isTable, beyond: version === '0.7' ? 'refused' : 'clamped' } as const;
  const types = (['item', 'message'] as const).flatMap((what) =>
    paired(sides[0]![what], sides[1]![what]).flatMap(([a, b]) => typeChange(what, a, b, rules) ?? []),
  );
  const [before, after] = [old, other].map(({ schema }, i) => (schema ? schema.lists : sourceLists[versions[i]!]));
  const named = before && after ? Object.keys({ ...before, ...after }) : [];
  const lists = named.flatMap((name): ListChange[] => {
    // A list that the tables do not have is not one that was added.
    if (isTable && !(before![name] && after![name])) return [];
    const names = nameChanges(before![name], after![name]);
    return names.length > 0 ? [{ name, names }] : [];
  });
  return { versions, types, lists };
}

interface Types {
  readonly item: readonly Typed[];
  readonly message: readonly Typed[];
}

function typesOf(
  { schema }: Side,
  version: Version,
  { hasUuids, isPartial }: { readonly hasUuids: boolean; readonly isPartial: boolean },
): Types {
  const isWhole = schema?.version !== undefined || isPartial;
  const items = isWhole ? schema!.items : protocolOf(version, schema).items;
  const messages = isWhole ? schema!.messages : messagesOf(version, schema).all;
  const isCompared = ({ uuid }: { readonly uuid?: string }) => hasUuids || uuid === undefined;
  return {
    item: items.filter((item) => item.type !== 0 && isCompared(item)).map((item) => itemTyped(item, schema)),
    message: messages
      .filter((message) => !message.system && isCompared(message))
      .map((message) => messageTyped(message, schema)),
  };
}

const itemTyped = ({ name, type, uuidName, uuid, size, sized, fields }: ItemType, schema?: Schema): Typed => ({
  ...identity(name, type, uuidName, uuid),
  ints: size,
  sized,
  parts: fields.map((field) => ({ ...part(field.name, field.meaning, schema), absent: field.defaultValue })),
});

const messageTyped = ({ name, id, uuidName, uuid, fields }: MessageType, schema?: Schema): Typed => ({
  ...identity(name, id, uuidName, uuid),
  sized: true,
  parts: fields.map((field) => ({ ...part(field.name, field.type, schema), absent: field.optional || undefined })),
});

const identity = (name: string, number?: number, uuidName?: string, uuid?: string) => ({
  name,
  ...(number !== undefined && { number }),
  ...(uuidName !== undefined && { uuidName }),
  ...(uuid !== undefined && { uuid }),
});

/**
 * @param schema undefined for the tables, whose names and units say what values mean, not which ones the games accept
 */
function part(name: string, type: MessageFieldType, schema: Schema | undefined): Part {
  const element = innermost(type);
  const isTable = schema === undefined;
  const isNumber = isInt(type) || ['text', 'uuid'].includes(element.kind);
  const isBounded = !isTable || ['int', 'amount', 'client'].includes(element.kind);
  const sanitised = element.kind === 'string' ? (element.sanitised ?? 'none') : undefined;
  return {
    name,
    size: sizeOf(type),
    wire: isNumber ? 'int' : element.kind === 'string' ? 'string' : 'bytes',
    ...(sanitised && { sanitised }),
    bounds: isNumber ? valueBoundsOf(element as Meaning) : undefined,
    isBounded,
    open: openBounds.get(element),
    names: 'names' in element && (element.kind === 'enum' || element.kind === 'flags') ? element.names : undefined,
  };
}

const innermost = (type: MessageFieldType): MessageFieldType =>
  type.kind === 'list' || type.kind === 'repeat' ? innermost(type.of) : type;

function sizeOf(type: MessageFieldType): number {
  if (type.kind === 'repeat') return typeof type.times === 'number' ? type.times * sizeOf(type.of) : Number.NaN;
  return type.kind === 'list' || type.kind === 'text' ? intsOf(type) : 1;
}

/** The same types of both sides: by UUID, then by name, then by number with the same fields. */
function paired(old: readonly Typed[], now: readonly Typed[]): (readonly [Typed | undefined, Typed | undefined])[] {
  const found = new Map<Typed, Typed>();
  const taken = new Set<Typed>();
  const by = (keyOf: (type: Typed) => unknown, isSame: (a: Typed, b: Typed) => boolean = () => true) => {
    const others = new Map(now.filter((type) => !taken.has(type)).map((type) => [keyOf(type), type]));
    for (const a of old) {
      const key = found.has(a) ? undefined : keyOf(a);
      const b = key === undefined ? undefined : others.get(key);
      if (!b || taken.has(b) || !isSame(a, b)) continue;
      found.set(a, b);
      taken.add(b);
    }
  };
  by(({ uuid }) => uuid);
  by(({ uuid, name }) => (uuid === undefined ? name : undefined));
  by(({ number }) => number, isSameLayout);
  return [
    ...old.map((a) => [a, found.get(a)] as const),
    ...now.filter((b) => !taken.has(b)).map((b) => [undefined, b] as const),
  ];
}

const isSameLayout = (a: Typed, b: Typed) =>
  a.parts.length === b.parts.length && a.parts.every((part, i) => isSamePart(part, b.parts[i]!));

const isSamePart = (a: Part, b: Part) => a.wire === b.wire && (a.size === b.size || Number.isNaN(a.size + b.size));

function typeChange(
  what: TypeChange['what'],
  old: Typed | undefined,
  now: Typed | undefined,
  rules: Rules,
): TypeChange | undefined {
  const { name } = (now ?? old)!;
  const ends = sidesOf(what, name);
  const about = { what, name, ...(old && { old }), ...(now && { new: now }) };
  if (!old || !now) {
    const type = (old ?? now)!;
    if (rules.isTable && old && undeclared.has(type.name)) return undefined;
    const breaks = type.sized ? [] : [broken(old ? ends.new : ends.old, 'unreadable')];
    return { ...about, changes: [{ change: old ? 'removed' : 'added' }], breaks };
  }
  const changes: Change[] = [];
  if (old.name !== now.name) changes.push({ change: 'renamed' });
  if (old.number !== now.number) changes.push({ change: 'moved' });
  if (old.sized !== now.sized) changes.push({ change: 'sized' });
  // The fields of a message without any are written by hand.
  const isByHand = rules.isTable && what === 'message' && (old.parts.length === 0 || now.parts.length === 0);
  const fields = isByHand
    ? { changes: [], breaks: [] }
    : fieldChanges(old.parts, now.parts, ends, what === 'item' ? rules.beyond : 'refused');
  changes.push(...fields.changes);
  if (changes.length === 0) return undefined;
  const both = (effect: Effect) => [broken(ends.old, effect), broken(ends.new, effect)];
  const isUnreadable = what === 'item' && (old.sized !== now.sized || (!old.sized && old.ints !== now.ints));
  const breaks = isUnreadable ? both('unreadable') : old.number !== now.number ? both('other') : fields.breaks;
  return { ...about, changes, breaks };
}

interface Rules {
  readonly isTable: boolean;
  /** What clients do with an item that has a value beyond its bounds: those of 0.7 drop it. */
  readonly beyond: Effect;
}

interface Ends {
  readonly old: Break['side'];
  readonly new: Break['side'];
}

const sidesOf = (what: TypeChange['what'], name: string): Ends =>
  what === 'message' && name.startsWith('cl_')
    ? { old: 'old_servers', new: 'new_servers' }
    : { old: 'old_clients', new: 'new_clients' };

const broken = (side: Break['side'], effect: Effect, fields: readonly string[] = []): Break => ({
  side,
  effect,
  fields,
});

function fieldChanges(old: readonly Part[], now: readonly Part[], ends: Ends, beyond: Effect) {
  const changes: Change[] = [];
  const breaks: Break[] = [];
  const pairs = pairedParts(old, now);
  const placeOf = (all: readonly Part[], field: Part) =>
    all.slice(0, all.indexOf(field)).reduce((sum, { size }) => sum + size, 0);
  for (const field of old) {
    if (!pairs.has(field)) changes.push({ change: 'field_removed', field, at: placeOf(old, field) });
  }
  const kept = [...pairs].sort(([, a], [, b]) => now.indexOf(a) - now.indexOf(b));
  const inOrder = longestRise(kept.map(([before]) => old.indexOf(before)));
  for (const [i, [before, field]] of kept.entries()) {
    if (!inOrder.has(i)) changes.push({ change: 'field_moved', field, at: placeOf(now, field) });
    if (before.name !== field.name) changes.push({ change: 'field_renamed', field, before });
    if (before.wire !== field.wire || before.sanitised !== field.sanitised)
      changes.push({ change: 'field_kind', field, before });
    if (!isSamePart(before, field) && before.wire === field.wire) changes.push({ change: 'field_size', field, before });
    changes.push(...boundChanges(before, field));
    if (before.absent !== field.absent) changes.push({ change: 'absent', field, before });
    const names = before.names && field.names ? nameChanges(before.names, field.names) : [];
    if (names.length > 0) changes.push({ change: 'names', field, names });
    const bounds = boundChanges(before, field).length > 0;
    if (bounds && isWider(field, before)) breaks.push(broken(ends.old, beyond, [field.name]));
    if (bounds && isWider(before, field)) breaks.push(broken(ends.new, beyond, [field.name]));
  }
  const known = new Set(pairs.values());
  const added = now.filter((field) => !known.has(field));
  for (const field of added) changes.push({ change: 'field_added', field, at: placeOf(now, field) });
  const layouts = [old, now].map((all) => all.map((part) => ({ ...part, name: pairs.get(part)?.name ?? part.name })));
  const [before, after] = layouts as [Part[], Part[]];
  if (isPrefix(before, after)) breaks.push(...dropped(after.slice(before.length), ends.new));
  else if (isPrefix(after, before)) breaks.push(...dropped(before.slice(after.length), ends.old));
  else {
    const first = after.findIndex((part, i) => !before[i] || !isSameField(before[i], part));
    const fields = after.slice(first < 0 ? after.length : first).map(({ name }) => name);
    breaks.push(broken(ends.old, 'misread', fields), broken(ends.new, 'misread', fields));
  }
  return { changes, breaks: merged(breaks) };
}

/** A receiver drops what lacks a field without a default. */
function dropped(lacking: readonly Part[], side: Break['side']): Break[] {
  const fields = lacking.filter(({ absent }) => absent === undefined).map(({ name }) => name);
  return fields.length > 0 ? [broken(side, 'dropped', fields)] : [];
}

/** One for each side and effect. */
function merged(breaks: readonly Break[]): Break[] {
  const all = new Map<string, Break>();
  for (const broken of breaks) {
    const key = `${broken.side} ${broken.effect}`;
    const before = all.get(key);
    all.set(key, before ? { ...broken, fields: [...before.fields, ...broken.fields] } : broken);
  }
  return [...all.values()];
}

const isSameField = (a: Part, b: Part) => a.name === b.name && isSamePart(a, b);
const isPrefix = (short: readonly Part[], long: readonly Part[]) =>
  short.length <= long.length && short.every((part, i) => isSameField(part, long[i]!));

/** The same fields by name; a field at the place of another of its size, which the other side lacks, is renamed. */
function pairedParts(old: readonly Part[], now: readonly Part[]): ReadonlyMap<Part, Part> {
  const pairs = new Map<Part, Part>();
  const byName = new Map(now.map((field) => [field.name, field]));
  const names = new Set(old.map(({ name }) => name));
  for (const [i, field] of old.entries()) {
    const same = byName.get(field.name);
    const placed = now[i];
    if (same) pairs.set(field, same);
    else if (placed && !names.has(placed.name) && isSamePart(field, placed) && isAround(old, now, i))
      pairs.set(field, placed);
  }
  return pairs;
}

/** Whether the field before a place, or the one after it, is the same on both sides, or there is none. */
const isAround = (old: readonly Part[], now: readonly Part[], at: number) =>
  old.length === now.length || [at - 1, at + 1].some((i) => old[i] && old[i]!.name === now[i]?.name);

function boundChanges(before: Part, field: Part): Change[] {
  if (!before.isBounded || !field.isBounded || before.wire !== 'int' || field.wire !== 'int') return [];
  return isWider(field, before) || isWider(before, field) ? [{ change: 'bounds', field, before }] : [];
}

const any: ValueBounds = { min: -(2 ** 31), max: 2 ** 31 - 1 };

/** Whether a field accepts more than another one, as far as the bounds of both are known. */
function isWider(first: Part, second: Part): boolean {
  const [{ min, max }, bounds] = [first.bounds ?? any, second.bounds ?? any];
  const isOpen = (bound: 'min' | 'max') => first.open?.[bound] || second.open?.[bound];
  return (min < bounds.min && !isOpen('min')) || (max > bounds.max && !isOpen('max'));
}

function nameChanges(old: Names = {}, now: Names = {}): NameChange[] {
  return [...new Set([...Object.keys(old), ...Object.keys(now)].map(Number))]
    .filter((value) => old[value] !== now[value])
    .sort((a, b) => a - b)
    .map((value) => ({ value, old: old[value], new: now[value] }));
}

/** The indexes of the longest part of a list that only rises: what is not in it has moved. */
function longestRise(list: readonly number[]): ReadonlySet<number> {
  const best: { readonly length: number; readonly before: number }[] = [];
  for (const [i, value] of list.entries()) {
    let length = 1;
    let before = -1;
    for (let j = 0; j < i; j++) {
      if (list[j]! < value && best[j]!.length >= length) {
        length = best[j]!.length + 1;
        before = j;
      }
    }
    best.push({ length, before });
  }
  let last = best.reduce((longest, chain, i) => (chain.length > (best[longest]?.length ?? 0) ? i : longest), -1);
  const all = new Set<number>();
  for (; last >= 0; last = best[last]!.before) all.add(last);
  return all;
}
