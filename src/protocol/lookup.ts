import { distance } from 'fastest-levenshtein';
import type { ItemType } from './item.ts';

/**
 * The items that people mean by a word: a name, with or without its `obj_` or `event_`; a UUID or the name of one; a type number;
 * the games' own names, `CNetObj_Character` or `NETOBJTYPE_CHARACTER`. An exact name stands before a shortened one.
 */
export function itemsCalled(items: readonly ItemType[], word: string): readonly ItemType[] {
  if (/^\d+$/.test(word)) return items.filter(({ type }) => type === Number(word));
  const wanted = folded(word);
  const exact = items.filter((item) =>
    [item.name, item.uuidName, item.uuid].some((name) => name && folded(name) === wanted),
  );
  return exact.length > 0 ? exact : items.filter(({ name }) => folded(short(name)) === wanted);
}

/** Names much like a word, the nearest first: what it may have been meant to be. */
export function namesLike(items: readonly ItemType[], word: string): readonly string[] {
  const wanted = folded(word);
  const near = new Map<string, number>();
  for (const { name } of items) {
    const [whole, part] = [folded(name), folded(short(name))];
    const typos = Math.min(distance(wanted, whole), distance(wanted, part));
    if (typos <= Math.max(1, part.length / 3)) near.set(name, typos);
    else if (wanted.length > 2 && whole.includes(wanted)) near.set(name, part.length - wanted.length);
  }
  return [...near].sort(([, a], [, b]) => a - b).map(([name]) => name);
}

const short = (name: string) => name.replace(/^(obj|event)_/, '');

const folded = (name: string) =>
  name
    .toLowerCase()
    .replace(/^c?net(obj|event)(type)?_/, '')
    .replace(/[^a-z0-9]/g, '');
