import { distance } from 'fastest-levenshtein';
import type { ItemType } from './item.ts';
import type { MessageType } from './message.ts';

/**
 * The items that a word stands for: a name, with or without `obj_` or `event_`; a UUID or the name of one; a type number; or a name of
 * the games, `CNetObj_Character` or `NETOBJTYPE_CHARACTER`. A name in full is preferred to a shortened one.
 */
export function findItems(items: readonly ItemType[], word: string): readonly ItemType[] {
  if (/^\d+$/.test(word)) return items.filter(({ type }) => type === Number(word));
  const searched = normalized(word);
  const exact = items.filter((item) =>
    [item.name, item.uuidName, item.uuid].some((name) => name && normalized(name) === searched),
  );
  return exact.length > 0 ? exact : items.filter(({ name }) => normalized(short(name)) === searched);
}

/**
 * The messages that a word stands for: a name, with or without `sv_` or `cl_`; a UUID or the name of one; or a name of the games,
 * `NETMSGTYPE_SV_CHAT`. A name in full is preferred to a shortened one.
 */
export function findMessages(messages: readonly MessageType[], word: string): readonly MessageType[] {
  const searched = normalized(word);
  const exact = messages.filter((message) =>
    [message.name, message.uuidName, message.uuid].some((name) => name && normalized(name) === searched),
  );
  return exact.length > 0 ? exact : messages.filter(({ name }) => normalized(short(name)) === searched);
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
