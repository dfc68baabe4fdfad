import { type Align, columns } from '../text/columns.ts';
import { type Segment, wrap } from '../text/layout.ts';
import { asIs, type Style, type Theme, type ViewStyle } from '../text/theme.ts';
import type { MeaningText } from './schema-meaning.ts';
import { widthOfColumns } from './with-fields.ts';

/** The description of a field. */
export interface FieldText extends MeaningText {
  /** Its first int. */
  readonly at: number;
  readonly label: string;
  readonly defaultValue: number | undefined;
  readonly style: Style;
}

/** The maximum number of lines for names of values beside a field. Longer lists of names are printed below the field. */
const maxLines = 3;
const leastRoom = 24;

/**
 * Returns a row for each field: its first int, name, default and meaning. The names of values in
 * `below` must be printed below the table.
 */
export function fieldTable(fields: readonly FieldText[], { theme, width, limit }: ViewStyle) {
  const grows = fields.some(({ defaultValue }) => defaultValue !== undefined);
  const head = ['int', 'field', ...(grows ? ['if absent'] : []), 'meaning'];
  const left = fields.map(({ at, label, defaultValue, kind }) => {
    return [String(at), label, ...(grows ? [`${defaultValue ?? ''}`] : []), kind];
  });
  const room = Math.max(leastRoom, width - widthOfColumns(head, left));
  const below: FieldText[] = [];
  const rows = fields.map((field, i) => {
    const first = [...left[i]!.slice(0, -1), field.style(field.kind)];
    const lines = wrap([...aboutOf(field, theme), ...namesOf(field)], room);
    if (lines.length <= maxLines) return [...first, lines.join('\n')];
    below.push(field);
    const fold = words(`${field.names.length} names, below`, theme.dim);
    return [...first, wrap([...aboutOf(field, theme), ...fold], room).join('\n')];
  });
  const align: Align[] = ['right', 'left', ...(grows ? ['right' as const] : []), 'left', 'left'];
  return { table: columns([[...head.map((cell) => theme.dim(cell)), ''], ...rows], align, { limit }), below };
}

/** `×100, 32 units a tile`; ends with a semicolon if names follow. */
function aboutOf({ about, hint, names }: FieldText, theme: Theme): Segment[] {
  const last = names.length > 0 ? ';' : '';
  return [...words(about && about + (hint ? ',' : last), asIs), ...words(hint && hint + last, theme.dim)];
}

function words(text: string, style: Style): Segment[] {
  return text === '' ? [] : text.split(' ').map((word) => ({ text: word, style }));
}

/** `-1 nobody`, `0 idle, 1 open`: the names are coloured, and lines do not break inside a pair. */
function namesOf({ names, style }: FieldText): Segment[] {
  return names.map(({ value, name }, i) => {
    const comma = i < names.length - 1 ? ',' : '';
    return { text: `${value} ${name}${comma}`, style: () => `${value} ${style(name)}${comma}` };
  });
}
