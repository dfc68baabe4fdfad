import { distance } from 'fastest-levenshtein';
import type { ItemType } from './item.ts';
import type { MessageType } from './message-type.ts';

/**
 * What a word stands for: a name, also without `obj_` or `sv_`; a UUID, its name; a type number; a name of the games,
 * `CNetObj_Character`.
 */
export function findTypes<Type extends ItemType | MessageType>(types: readonly Type[], word: string): readonly Type[] {
  if (/^\d+$/.test(word)) return types.filter((type) => 'type' in type && type.type === Number(word));
  const searched = normalized(word);
  const exact = types.filter(({ name, uuidName, uuid }) =>
    [name, uuidName, uuid].some((candidate) => candidate && normalized(candidate) === searched),
  );
  return exact.length > 0 ? exact : types.filter(({ name }) => normalized(short(name)) === searched);
}

/** Names that resemble a word and may have been meant by it, the most similar first. */
export function similarNames(named: readonly { readonly name: string }[], word: string): readonly string[] {
  const searched = normalized(word);
  const similar = new Map<string, number>();
  for (const { name } of named) {
    const [full, part] = [normalized(name), normalized(short(name))];
    const typos = Math.min(distance(searched, full), distance(searched, part));
    if (typos <= Math.max(1, part.length / 3)) similar.set(name, typos);
    else if (searched.length > 2 && full.includes(searched)) similar.set(name, part.length - searched.length);
  }
  return [...similar].sort(([, a], [, b]) => a - b).map(([name]) => name);
}

const short = (name: string) => name.replace(/^(obj|event|sv|cl)_/, '');

const normalized = (name: string) =>
  name
    .toLowerCase()
    .replace(/^c?net(obj|event|msg)(type)?_/, '')
    .replace(/[^a-z0-9]/g, '');
