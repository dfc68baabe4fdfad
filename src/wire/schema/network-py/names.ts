import { list, type Meaning } from '../../protocol/meaning.ts';
import { repeat } from '../../protocol/message-type.ts';
import type { Declaration, DeclaredField } from './declared.ts';

/** A name as the tables have it: `a-z`, `0-9` and `_`, a letter first. */
export function nameOf(text: string): string {
  const plain = text.toLowerCase().replace(/[^a-z0-9]+/g, '_');
  return (/^[a-z]/.test(plain) ? plain : `n${plain.startsWith('_') ? '' : '_'}${plain}`).slice(0, 64);
}

/** `HookTick` → `hook_tick`, `DDNetLaser` → `ddnet_laser`, `ClientID` → `client_id` */
const snake = (name: string) =>
  nameOf(
    name
      .replace(/DD(?=Net|Race)/, 'Dd')
      .replace(/Dd(Net|Race)/, (_, word: string) => `Dd${word.toLowerCase()}`)
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2'),
  );

/** `m_aaSkinPartNames` → `skin_part_names` */
export const fieldName = (name: string) =>
  snake(name.replace(/^m_(?:a|p|ap|aa|b|f)?(?=[A-Z])/, '').replace(/^m_(?=.)/, ''));

/** The name of an item or message in the tables. */
export function labelOf({ kind, name, uuidName }: Pick<Declaration, 'kind' | 'name' | 'uuidName'>): string {
  if (kind === 'message') return nameOf(name.toLowerCase());
  const prefix = uuidName !== undefined ? '' : kind === 'event' ? 'event_' : 'obj_';
  return `${prefix}${snake(name)}`.slice(0, 64);
}

/** A name that none of the others has: the second `x` is `x_2`. */
export function uniqueName(name: string, others: Pick<ReadonlySet<string>, 'has'>): string {
  let found = name;
  for (let number = 2; others.has(found); number++) found = `${name.slice(0, 57)}_${number}`;
  return found;
}

/** `m_Name0`, `m_Name1`, … are a list. Fields with one name get a number, since each has its own ints. */
export function grouped(fields: readonly DeclaredField[], isItem: boolean): readonly DeclaredField[] {
  const all: DeclaredField[] = [];
  for (let at = 0; at < fields.length; ) {
    const field = fields[at]!;
    const stem = /^(.*[a-z])_?0$/.exec(field.name)?.[1];
    let count = 0;
    const isNext = (entry: DeclaredField | undefined) =>
      entry !== undefined &&
      [`${stem}${count}`, `${stem}_${count}`].includes(entry.name) &&
      entry.type.kind === field.type.kind &&
      entry.isOptional === field.isOptional;
    if (stem !== undefined) while (isNext(fields[at + count])) count++;
    const isList = count > 1 && !/^(list|repeat|text)$/.test(field.type.kind);
    if (isList) {
      const type = isItem ? list(count, field.type as Meaning) : repeat(count, field.type);
      all.push({ ...field, name: stem!, type });
    } else all.push(field);
    at += isList ? count : 1;
  }
  const names = new Set<string>();
  return all.map((field) => {
    const name = uniqueName(field.name, names);
    names.add(name);
    return name === field.name ? field : { ...field, name };
  });
}
