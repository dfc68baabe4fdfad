import type { ItemType } from '../../protocol/item.ts';
import type { Version } from '../../protocol/registry.ts';
import { count } from '../text/number.ts';
import type { Theme, ViewStyle } from '../text/theme.ts';
import { tableWithFields } from './with-fields.ts';

/** All or only the requested items of a version. */
export interface VersionItems {
  readonly version: Version;
  readonly items: readonly ItemType[];
}

/** An item by name, with its definition in each shown version; undefined in versions without the item. */
interface Row {
  readonly name: string;
  readonly types: (ItemType | undefined)[];
}

/**
 * Renders all items as a table: the type number in each version, size and fields. UUID items have their own table. With `verbose`, the
 * names of all fields are shown.
 */
export function renderSchema(versions: readonly VersionItems[], style: ViewStyle): string {
  const { theme } = style;
  const rows = sideBySide(versions);
  const numbered = rows.filter(isNumbered);
  const extended = rows.filter((row) => !isNumbered(row));
  const lines = [heading(versions, count(numbered.length, 'numbered item'), theme), ''];
  lines.push(...numberedTable(numbered, versions, style));
  if (numbered.some(isSized)) lines.push('', theme.dim('  * a delta carries the size'));
  for (const [where, group] of byVersions(extended, versions)) {
    const about = `${count(group.length, 'UUID item')}: a number in each snapshot, a size in each delta`;
    lines.push('', '', heading(where, about, theme), '', ...extendedTable(group, style));
  }
  return `${lines.join('\n')}\n`;
}

/** `0.6, 0.7   21 numbered items` */
function heading(versions: readonly VersionItems[], about: string, theme: Theme): string {
  return `${theme.strong(versions.map(({ version }) => version).join(', '))}   ${theme.dim(about)}`;
}

/**
 * Orders the items of all versions as in the newest version. An item of an older version only follows its predecessor there.
 */
function sideBySide(versions: readonly VersionItems[]): Row[] {
  const known = new Map<string, Row>();
  const next = new Map<Row | undefined, Row | undefined>();
  for (const [column, { items }] of [...versions.entries()].reverse()) {
    let last: Row | undefined;
    for (const item of byNumber(items)) {
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
  const rows: Row[] = [];
  for (let row = next.get(undefined); row; row = next.get(row)) rows.push(row);
  return rows;
}

function byNumber(items: readonly ItemType[]): ItemType[] {
  const number = ({ type = Number.MAX_SAFE_INTEGER }: ItemType) => type;
  return [...items].sort((a, b) => number(a) - number(b));
}

function numberedTable(rows: readonly Row[], versions: readonly VersionItems[], style: ViewStyle): string[] {
  const numbers = versions.length > 1 ? versions.map(({ version }) => version) : ['type'];
  const shown = rows.map((row) => ({
    cells: [row.name, ...row.types.map((type) => String(type?.type ?? '')), sizes(row)],
    fields: newest(row.types).fields,
  }));
  const align = ['left', ...numbers.map(() => 'right' as const), 'right'] as const;
  return tableWithFields(['item', ...numbers, 'ints '], align, shown, style);
}

function extendedTable(rows: readonly Row[], style: ViewStyle): string[] {
  const shown = rows.map(({ name, types }) => {
    const { uuidName, uuid, size, fields } = newest(types);
    return { cells: [name, String(size), uuidName ?? uuid ?? ''], fields };
  });
  return tableWithFields(['item', 'ints', 'name of the UUID'], ['left', 'right', 'left'], shown, style);
}

/** `10`, or `4, 3` if versions differ; a star means that deltas contain the size. */
function sizes(row: Row): string {
  const each = row.types.filter((type) => type !== undefined).map(({ size }) => size);
  return `${new Set(each).size === 1 ? each[0] : each.join(', ')}${isSized(row) ? '*' : ' '}`;
}

const isNumbered = ({ types }: Row) => types.some((type) => type?.type !== undefined);
const isSized = ({ types }: Row) => types.some((type) => type?.sized);

/** The definition in the newest version that has one. */
export const newest = <Type>(types: readonly (Type | undefined)[]): Type =>
  types.findLast((type) => type !== undefined)!;

/** Groups the rows by the versions that contain them. */
function byVersions(rows: readonly Row[], versions: readonly VersionItems[]): Map<readonly VersionItems[], Row[]> {
  const groups = new Map<string, [VersionItems[], Row[]]>();
  for (const row of rows) {
    const where = versions.filter((_, i) => row.types[i]);
    const key = where.map(({ version }) => version).join();
    const group = groups.get(key);
    if (group) group[1].push(row);
    else groups.set(key, [where, [row]]);
  }
  return new Map(groups.values());
}
