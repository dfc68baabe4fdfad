import type { ValueBounds } from '../../wire/protocol/meaning.ts';
import type {
  Break,
  Change,
  Effect,
  ListChange,
  NameChange,
  Part,
  SchemaDiff,
  TypeChange,
  Typed,
} from '../../wire/schema/protocol-diff.ts';
import { escapeText } from '../text/escape.ts';
import { wordsIn, wrap } from '../text/layout.ts';
import { count } from '../text/number.ts';
import type { Style, Theme } from '../text/theme.ts';

interface DiffStyle {
  readonly theme: Theme;
  readonly width: number;
}

/** The names of two schemas as they were given. */
interface Compared {
  readonly old: string;
  readonly new: string;
}

/**
 * ```
 * obj_character   type 9   22 → 23 ints
 *   + armor_kind        after 22 ints, 0 to 3
 *   ✗ old clients       can't read a delta with it: no delta carries its size
 * ```
 */
export function renderSchemaDiff(diff: SchemaDiff, { old, new: now }: Compared, { theme, width }: DiffStyle): string {
  const { types, lists, versions } = diff;
  const version = versions[0] === versions[1] ? versions[0] : `${versions[0]} → ${versions[1]}`;
  const head = `${theme.strong(`${escapeText(old)} → ${escapeText(now)}`)}   ${theme.dim(version)}`;
  if (types.length + lists.length === 0) return `${head}   ${theme.dim('the same items and messages')}\n`;
  const blocks = [
    ...types.map((type) => typeLines(type, theme, width)),
    ...lists.map((list) => listLines(list, theme, width)),
  ];
  return `${[head, ...blocks.map((lines) => lines.join('\n')), summary(diff)].join('\n\n')}\n`;
}

function summary({ types, lists }: SchemaDiff): string {
  const breaking = types.filter(({ breaks }) => breaks.length > 0).length;
  const all = [
    ...(['item', 'message'] as const).flatMap((what) => {
      const some = types.filter((type) => type.what === what).length;
      return some > 0 ? [count(some, what)] : [];
    }),
    ...(lists.length > 0 ? [count(lists.length, 'list of names', 'lists of names')] : []),
  ];
  const broken =
    breaking === 0 ? 'none breaks anything' : `${breaking} of ${types.length} items and messages break something`;
  return `${all.join(', ')} changed; ${broken}`;
}

function typeLines(entry: TypeChange, theme: Theme, width: number): string[] {
  const { what, old, new: now, changes, breaks } = entry;
  const shown = (now ?? old)!;
  const number = (typed: Typed) =>
    typed.uuidName ?? typed.uuid ?? `${what === 'item' ? 'type' : 'message'} ${typed.number}`;
  const ints = [old, now].flatMap((typed) => typed?.ints ?? []);
  const size = [...new Set(ints)].join(' → ');
  const about = [
    old && now && old.number !== now.number ? `${number(old)} → ${number(now)}` : number(shown),
    ...(size === '' ? [] : [`${size} ${size === '1' ? 'int' : 'ints'}`]),
    ...(what === 'item' && shown.sized && shown.number !== undefined ? ['a delta carries the size'] : []),
  ];
  const heading = `${theme.strong(escapeText(shown.name))}   ${about.map((text) => theme.dim(escapeText(text))).join('   ')}`;
  const rows = [
    ...changes.flatMap((change) => changeRow(change, entry, theme)),
    ...breaks.map((each) => breakRow(each, entry, theme)),
  ];
  return [heading, ...laidOut(rows, theme, width)];
}

interface Row {
  readonly mark: string;
  readonly style: Style;
  readonly label: string;
  readonly text: string;
}

/** The labels in a column, and texts that break between words beside it, or below in narrow terminals. */
function laidOut(rows: readonly Row[], theme: Theme, width: number): string[] {
  const widest = Math.max(0, ...rows.map(({ label }) => label.length));
  const left = 4 + Math.min(widest, 30) + 3;
  return rows.flatMap(({ mark, style, label, text }) => {
    const begin = `  ${style(mark)} ${escapeText(label)}`;
    if (text === '') return [begin];
    const isBeside = label.length <= 30 && width - left >= 24;
    const lines = wrap(wordsIn(escapeText(text)), isBeside ? width - left : Math.max(width - 6, 10));
    const pad = ' '.repeat(Math.max(1, left - 4 - label.length));
    if (!isBeside) return [begin, ...lines.map((line) => `      ${theme.dim(line)}`)];
    return lines.map((line, i) => (i === 0 ? `${begin}${pad}${line}` : `${' '.repeat(left)}${line}`));
  });
}

const signs = { added: '+', removed: '-', other: '~' } as const;

function styleOf(sign: keyof typeof signs, theme: Theme): Style {
  if (sign === 'added') return theme.added;
  return sign === 'removed' ? theme.removed : (text) => text;
}

function changeRow(change: Change, { old, new: now, what }: TypeChange, theme: Theme): Row[] {
  const row = (sign: keyof typeof signs, label: string, text = ''): Row[] => [
    { mark: signs[sign], style: styleOf(sign, theme), label, text },
  ];
  const typed = (now ?? old)!;
  switch (change.change) {
    case 'added':
      return row('added', `the ${what}`, fieldNames(typed));
    case 'removed':
      return row('removed', `the ${what}`, fieldNames(typed));
    case 'renamed':
      return row('other', old!.name, `is now ${now!.name}`);
    case 'moved':
      // The heading has both numbers.
      return [];
    case 'sized':
      return row('other', 'size', now!.sized ? 'a delta carries it now' : 'no delta carries it any more');
    case 'field_added':
      return row('added', change.field.name, [placeText(change.at, what), partText(change.field)].join(', '));
    case 'field_removed':
      return row('removed', change.field.name, placeText(change.at, what));
    case 'field_moved':
      return row('other', change.field.name, `is elsewhere: ${placeText(change.at, what)}`);
    case 'field_renamed':
      return row('other', change.before.name, `is now ${change.field.name}`);
    case 'field_size':
      return row('other', change.field.name, `${sizeText(change.before, what)} → ${sizeText(change.field, what)}`);
    case 'field_kind':
      return row('other', change.field.name, `${kindText(change.before)} → ${kindText(change.field)}`);
    case 'bounds':
      return row(
        'other',
        change.field.name,
        `${boundsText(change.before.bounds)} → ${boundsText(change.field.bounds)}`,
      );
    case 'absent':
      return row('other', change.field.name, `${absentText(change.before)} → ${absentText(change.field)}`);
    case 'names':
      return row('other', change.field.name, namesText(change.names));
  }
}

const fieldNames = ({ parts }: Typed) =>
  parts.length === 0 ? 'without fields' : parts.map(({ name }) => name).join(', ');

const placeText = (at: number, what: TypeChange['what']) =>
  Number.isNaN(at) ? 'after values whose number varies' : `${what === 'item' ? 'int' : 'value'} ${at}`;

const sizeText = ({ size }: Part, what: TypeChange['what']) =>
  Number.isNaN(size) ? 'as many as the message says' : count(size, what === 'item' ? 'int' : 'value');

const partText = (part: Part) =>
  [part.wire === 'int' ? boundsText(part.bounds) : kindText(part), absentText(part)].join(', ');

function kindText({ wire, sanitised }: Part): string {
  if (wire !== 'string') return wire === 'int' ? 'ints' : 'bytes';
  if (sanitised === undefined || sanitised === 'none') return 'a text';
  const also = sanitised === 'controls' ? '' : ' and leading spaces';
  return `a text without control characters${also}`;
}

function boundsText(bounds: ValueBounds | undefined): string {
  if (!bounds) return 'any int';
  if (bounds.max === 2 ** 31 - 1) return bounds.min === -(2 ** 31) ? 'any int' : `at least ${bounds.min}`;
  return bounds.min === -(2 ** 31) ? `at most ${bounds.max}` : `${bounds.min} to ${bounds.max}`;
}

function absentText({ absent }: Part): string {
  if (absent === undefined) return 'no default';
  return absent === true ? 'may be absent' : `${absent} if absent`;
}

/** `3 +laser, 4 -gun, 5 hook → rope` */
const namesText = (names: readonly NameChange[]) => names.map(nameText).join(', ');

function nameText({ value, old, new: now }: NameChange): string {
  if (old === undefined) return `${value} +${now}`;
  return now === undefined ? `${value} -${old}` : `${value} ${old} → ${now}`;
}

const sides: Readonly<Record<Break['side'], string>> = {
  old_clients: 'old clients',
  new_clients: 'new clients',
  old_servers: 'old servers',
  new_servers: 'new servers',
};

/** What each of them receives. */
const senders: Readonly<Record<Break['side'], string>> = {
  old_clients: 'new servers',
  new_clients: 'old servers and in old demos',
  old_servers: 'new clients',
  new_servers: 'old clients',
};

function breakRow({ side, effect, fields }: Break, { what }: TypeChange, theme: Theme): Row {
  return {
    mark: '✗',
    style: theme.error,
    label: sides[side],
    text: effectTexts[effect](senders[side], fields.join(', '), what),
  };
}

const effectTexts: Readonly<Record<Effect, (sender: string, fields: string, what: TypeChange['what']) => string>> = {
  unreadable: (sender) => `can't read the deltas with it from ${sender}: they carry no size`,
  other: (sender, _, what) => `take it for another ${what} from ${sender}`,
  misread: (sender, fields) => `read other fields from ${sender}${fields === '' ? '' : `: ${fields}`}`,
  dropped: (sender, fields, what) => `drop the ${what} from ${sender}: it lacks ${fields}`,
  refused: (sender, fields, what) => `drop the ${what} from ${sender} if a value is beyond their bounds: ${fields}`,
  clamped: (sender, fields) => `change values from ${sender} that are beyond their bounds: ${fields}`,
};

function listLines({ name, names }: ListChange, theme: Theme, width: number): string[] {
  const rows = names.map(({ value, old, new: now }): Row => {
    const row = (sign: keyof typeof signs, text: string): Row => ({
      mark: signs[sign],
      style: styleOf(sign, theme),
      label: String(value),
      text,
    });
    if (old === undefined) return row('added', now!);
    return now === undefined ? row('removed', old) : row('other', `${old} → ${now}`);
  });
  return [`${theme.strong(escapeText(name))}   ${theme.dim('names of values')}`, ...laidOut(rows, theme, width)];
}

/** The same as printed by `schema --diff -t json`. */
export const schemaDiffJson = ({ versions, types, lists }: SchemaDiff, { old, new: now }: Compared) => ({
  old: { schema: old, protocol: versions[0] },
  new: { schema: now, protocol: versions[1] },
  types: types.map(({ what, name, old, new: now, changes, breaks }) => ({
    what,
    name,
    old: old ? typedJson(old) : null,
    new: now ? typedJson(now) : null,
    changes: changes.map(changeJson),
    breaks,
  })),
  lists: lists.map(({ name, names }) => ({ name, names: names.map(nameJson) })),
});

const typedJson = ({ name, number, uuidName, uuid, ints, sized }: Typed) => ({
  name,
  number: number ?? null,
  uuid_name: uuidName ?? null,
  uuid: uuid ?? null,
  ints: ints ?? null,
  sized,
});

function changeJson(change: Change) {
  const { change: what } = change;
  return {
    change: what,
    ...('field' in change && { field: change.field.name, new: partJson(change.field) }),
    ...('before' in change && { old_field: change.before.name, old: partJson(change.before) }),
    ...('at' in change && { at: Number.isNaN(change.at) ? null : change.at }),
    ...('names' in change && { names: change.names.map(nameJson) }),
  };
}

const partJson = (part: Part) => ({
  kind: part.wire,
  size: Number.isNaN(part.size) ? null : part.size,
  min: part.bounds?.min ?? null,
  max: part.bounds?.max ?? null,
  absent: part.absent ?? null,
});

const nameJson = ({ value, old, new: now }: NameChange) => ({ value, old: old ?? null, new: now ?? null });
