import { roleOf } from '../../annotate/span.ts';
import { type Value, valuesOf } from '../../annotate/values.ts';
import type { Field, ItemType } from '../../protocol/item.ts';
import type { Version } from '../../protocol/registry.ts';
import { layOutColumns } from '../text/columns.ts';
import { count } from '../text/number.ts';
import type { Theme, ViewStyle } from '../text/theme.ts';
import type { VersionItems } from './schema.ts';
import { type FieldText, fieldTable } from './schema-fields.ts';
import { meaningText } from './schema-meaning.ts';

/** Renders items with all their fields; an item that is the same in several versions is shown once. */
export function renderSchemaItems(versions: readonly VersionItems[], style: ViewStyle): string {
  const parts = alike(versions).map((found) => renderItem(found, style).join('\n'));
  return `${parts.join('\n\n\n')}\n`;
}

interface Found {
  readonly item: ItemType;
  readonly version: Version;
}

/** Groups items that differ only in their type number. */
function alike(versions: readonly VersionItems[]): Found[][] {
  const groups = new Map<string, Found[]>();
  for (const { version, items } of versions) {
    for (const item of items) {
      const { type: _, ...rest } = item;
      const key = JSON.stringify(rest);
      groups.set(key, [...(groups.get(key) ?? []), { item, version }]);
    }
  }
  return [...groups.values()];
}

function renderItem(found: readonly Found[], style: ViewStyle): string[] {
  const { item } = found[0]!;
  const { theme, width, verbose } = style;
  const lines = [heading(found, theme)];
  if (item.uuid !== undefined) lines.push(theme.dim([item.uuidName, item.uuid].filter(Boolean).join('   ')));
  const fields = (verbose ? valuesOf(item) : item.fields.map(wholeField)).map((value) => fieldOf(value, item, theme));
  if (fields.length === 0) return lines;
  const { table, below } = fieldTable(fields, style);
  lines.push('', ...table);
  for (const { label, names, style: nameStyle } of below)
    lines.push('', `  ${theme.strong(label)}`, ...layOutColumns(names, width, nameStyle));
  return lines;
}

/** `obj_character   type 10 in 0.7   22 ints` */
function heading(found: readonly Found[], theme: Theme): string {
  const { name, size, sized, event } = found[0]!.item;
  const about = [count(size, 'int'), ...(sized ? ['a delta carries the size'] : []), ...(event ? ['an event'] : [])];
  return `${theme.strong(name)}   ${numbers(found)}   ${theme.dim(about.join(', '))}`;
}

/** `type 2 in 0.5, 0.6, 0.7`, or `type 12 in 0.5, 14 in 0.6, 17 in 0.7`. */
function numbers(found: readonly Found[]): string {
  const versions = found.map(({ version }) => version).join(', ');
  const types = new Set(found.map(({ item }) => item.type));
  if (types.size > 1) return `type ${found.map(({ item, version }) => `${item.type} in ${version}`).join(', ')}`;
  const [type] = types;
  return type === undefined ? `in ${versions}` : `type ${type} in ${versions}`;
}

const wholeField = ({ name, ...field }: Field): Value => ({ label: name, known: true, ...field });

function fieldOf({ label, meaning, at }: Value, item: ItemType, theme: Theme): FieldText {
  const defaultValue = item.fields.findLast((field) => field.at <= at)?.defaultValue;
  return { label, at, defaultValue, style: theme.role[roleOf(meaning)], ...meaningText(meaning, item.fields) };
}
