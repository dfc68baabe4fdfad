import { getOr } from '../../bytes/get-or.ts';
import type { ItemType } from '../../protocol/item.ts';
import type { MessageType } from '../../protocol/message.ts';
import type { Version } from '../../protocol/registry.ts';
import { type Align, columns } from '../text/columns.ts';
import { commas, wrap } from '../text/layout.ts';
import { count } from '../text/number.ts';
import type { Theme, ViewStyle } from '../text/theme.ts';

/** All or only the requested items or messages of a version. */
export interface OfVersion<Type> {
  readonly version: Version;
  readonly types: readonly Type[];
}

/** A type as a version has it. */
export interface Found<Type> {
  readonly type: Type;
  readonly version: Version;
}

/** Groups the types that are equal in what `contentOf` returns. */
export function alike<Type>(versions: readonly OfVersion<Type>[], contentOf: (type: Type) => object): Found<Type>[][] {
  const groups = new Map<string, Found<Type>[]>();
  for (const { version, types } of versions) {
    for (const type of types) {
      getOr(groups, JSON.stringify(contentOf(type)), () => []).push({ type, version });
    }
  }
  return [...groups.values()];
}

/** The items and messages of several versions; what is equal in several of them is listed once, with all of them. */
export function schemaJson(
  protocol: string,
  items: readonly OfVersion<ItemType>[],
  messages: readonly OfVersion<MessageType>[] = [],
) {
  return {
    protocol,
    items: typesJson(items, itemJson),
    ...(messages.length > 0 ? { messages: typesJson(messages, messageJson) } : {}),
  };
}

function typesJson<Type>(versions: readonly OfVersion<Type>[], json: (type: Type) => { readonly fields: unknown }) {
  return alike(versions, json).map((found) => {
    const { fields, ...rest } = json(found[0]!.type);
    return { ...rest, protocols: found.map(({ version }) => version), fields };
  });
}

// JSON has no keys for what is undefined.
const messageJson = ({ name, id, uuid, uuidName, system, fields }: MessageType) => {
  return { name, system, id, uuid, uuid_name: uuidName, fields };
};

const itemJson = ({ name, type, uuid, uuidName, size, sized, event, fields: all }: ItemType) => {
  const fields = all.map(({ name, at, ints, meaning, defaultValue: absent }) => ({ name, at, ints, meaning, absent }));
  return { name, type, uuid, uuid_name: uuidName, size, sized, event, fields };
};

/** A type by name, with its definition in each shown version; undefined in versions without it. */
interface Row<Type> {
  readonly name: string;
  readonly types: (Type | undefined)[];
}

/**
 * Renders all items as a table: the type number in each version, size and fields. UUID items have their own table. With `verbose`, the
 * names of all fields are shown.
 */
export function renderSchema(versions: readonly OfVersion<ItemType>[], style: ViewStyle): string {
  const { theme } = style;
  const rows = itemRows(versions);
  const numbered = rows.filter(isNumbered);
  const extended = rows.filter((row) => !isNumbered(row));
  const numbers = versions.length > 1 ? versions.map(({ version }) => version) : ['type'];
  const shown = numbered.map((row) => ({
    cells: [row.name, ...row.types.map((type) => String(type?.type ?? '')), sizes(row)],
    fields: newest(row.types).fields,
  }));
  const align = ['left', ...numbers.map(() => 'right' as const), 'right'] as const;
  const lines = [heading(versions, count(numbered.length, 'numbered item'), theme), ''];
  lines.push(...tableWithFields(['item', ...numbers, 'ints '], align, shown, style));
  if (numbered.some(isSized)) lines.push('', theme.dim('  * a delta carries the size'));
  for (const [where, group] of byVersions(extended, versions)) {
    const about = `${count(group.length, 'UUID item')}: a number in each snapshot, a size in each delta`;
    const items = group.map(({ name, types }) => {
      const { uuidName, uuid, size, fields } = newest(types);
      return { cells: [name, String(size), uuidName ?? uuid ?? ''], fields };
    });
    const table = tableWithFields(['item', 'ints', 'name of the UUID'], ['left', 'right', 'left'], items, style);
    lines.push('', '', heading(where, about, theme), '', ...table);
  }
  return `${lines.join('\n')}\n`;
}

/** Renders all messages as a table: the number in each version or a mark for a UUID, and the names of the fields. */
export function renderMessageList(versions: readonly OfVersion<MessageType>[], style: ViewStyle): string {
  const shown = versions.filter(({ types }) => types.length > 0);
  const numbers = shown.length > 1 ? shown.map(({ version }) => version) : ['number'];
  const rows = messageRows(shown).map(({ name, types }) => {
    const { system, fields } = newest(types);
    return {
      cells: [name, system ? 'system' : 'game', ...types.map((type) => (type ? String(type.id ?? 'UUID') : ''))],
      fields,
    };
  });
  const align = ['left', 'left', ...numbers.map(() => 'right' as const)] as const;
  const table = tableWithFields(['message', 'kind', ...numbers], align, rows, style);
  return `${[heading(shown, count(rows.length, 'message'), style.theme), '', ...table].join('\n')}\n`;
}

/** `0.6, 0.7   21 numbered items` */
function heading(versions: readonly { readonly version: Version }[], about: string, theme: Theme): string {
  return `${theme.strong(versions.map(({ version }) => version).join(', '))}   ${theme.dim(about)}`;
}

/**
 * Orders the items of all versions as in the newest version. An item of an older version only follows its predecessor there.
 */
function itemRows(versions: readonly OfVersion<ItemType>[]): Row<ItemType>[] {
  const known = new Map<string, Row<ItemType>>();
  const next = new Map<Row<ItemType> | undefined, Row<ItemType> | undefined>();
  for (const [column, { types }] of [...versions.entries()].reverse()) {
    let last: Row<ItemType> | undefined;
    for (const item of byNumber(types)) {
      let row = known.get(item.name);
      if (!row || row.types[column] !== undefined) {
        row = { name: item.name, types: versions.map(() => undefined) };
        known.set(item.name, row);
        next.set(row, next.get(last));
        next.set(last, row);
      }
      row.types[column] = item;
      last = row;
    }
  }
  const rows: Row<ItemType>[] = [];
  for (let row = next.get(undefined); row; row = next.get(row)) rows.push(row);
  return rows;
}

/** The messages in the order of the versions. Numbered messages come before messages with a UUID. */
function messageRows(versions: readonly OfVersion<MessageType>[]): Row<MessageType>[] {
  const rows = new Map<string, Row<MessageType>>();
  for (const [column, { types }] of versions.entries()) {
    for (const message of types) {
      const { name } = message;
      getOr(rows, name, () => ({ name, types: versions.map(() => undefined) })).types[column] = message;
    }
  }
  return [...rows.values()];
}

function byNumber(items: readonly ItemType[]): ItemType[] {
  const number = ({ type = Number.MAX_SAFE_INTEGER }: ItemType) => type;
  return [...items].sort((a, b) => number(a) - number(b));
}

/** `10`, or `4, 3` if versions differ; a star means that deltas contain the size. */
function sizes(row: Row<ItemType>): string {
  const each = row.types.filter((type) => type !== undefined).map(({ size }) => size);
  return `${new Set(each).size === 1 ? each[0] : each.join(', ')}${isSized(row) ? '*' : ' '}`;
}

const isNumbered = ({ types }: Row<ItemType>) => types.some((type) => type?.type !== undefined);
const isSized = ({ types }: Row<ItemType>) => types.some((type) => type?.sized);

/** The definition in the newest version that has one. */
const newest = <Type>(types: readonly (Type | undefined)[]): Type => types.findLast((type) => type !== undefined)!;

type Group = readonly [where: readonly OfVersion<ItemType>[], rows: Row<ItemType>[]];

/** Groups the rows by the versions that contain them. */
function byVersions(rows: readonly Row<ItemType>[], versions: readonly OfVersion<ItemType>[]) {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const where = versions.filter((_, i) => row.types[i]);
    getOr(groups, where.map(({ version }) => version).join(), (): Group => [where, []])[1].push(row);
  }
  return groups.values();
}

/** A row of a table of items or messages. */
interface RowWithFields {
  readonly cells: readonly string[];
  readonly fields: readonly { readonly name: string }[];
}

/** The minimum width of the column of field names: cut to one line, or wrapped. */
const [leastCut, leastWrapped] = [16, 40];
const indent = '      ';

/** The width of columns whose cells have these heads and texts, with the gap after them. */
export function widthOfColumns(head: readonly string[], rows: readonly (readonly string[])[]): number {
  return head.reduce((sum, cell, i) => sum + 3 + Math.max(cell.length, ...rows.map((row) => row[i]!.length)), 2);
}

/**
 * Lines of a table with the names of the fields: after the cells if there is room, with `verbose` otherwise below them. Without
 * `verbose`, the names are cut to one line.
 */
export function tableWithFields(
  head: readonly string[],
  align: readonly Align[],
  rows: readonly RowWithFields[],
  { theme, width, verbose, limit }: ViewStyle,
): string[] {
  const cells = rows.map((row) => row.cells);
  const room = width - widthOfColumns(head, cells);
  const heads = head.map((cell) => theme.dim(cell));
  const names = ({ fields }: RowWithFields, room: number) =>
    wrap(
      commas(fields.map(({ name }) => name)).map((text) => ({ text, style: theme.dim })),
      room,
    );
  if (room >= (verbose ? leastWrapped : leastCut)) {
    const ofRow = (row: RowWithFields) => {
      if (verbose) return names(row, room).join('\n');
      const [first = '', ...more] = names(row, room - 2);
      if ((row.fields[0]?.name ?? '').length > room - 3) return theme.dim('…');
      return more.length > 0 ? `${first} ${theme.dim('…')}` : first;
    };
    return columns(
      [[...heads, theme.dim('fields')], ...rows.map((row) => [...row.cells, ofRow(row)])],
      [...align, 'left'],
      { limit },
    );
  }
  const [first, ...lines] = columns([heads, ...cells], align);
  const below = (row: RowWithFields) => (verbose ? names(row, width - indent.length).map((line) => indent + line) : []);
  return [first!, ...lines.flatMap((line, i) => [line, ...below(rows[i]!)])];
}
