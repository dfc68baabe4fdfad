import { eventSubjects, itemSubject, messageSubject } from '../../analysis/query/subjects.ts';
import { messagesOf } from '../../wire/protocol/message-registry.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';

/** How many completions are offered. */
const most = 12;

/**
 * What the last word of a query can become: a type, or a field of the types before it. Each is the whole query with it.
 */
export function completionsOf(query: string, { items, version, schema }: Protocol): string[] {
  const [, before = '', word = ''] = /^(.*?)([\w@.-]*)$/s.exec(query) ?? [];
  const subjects = [
    ...items.map((type) => itemSubject(type)),
    ...messagesOf(version, schema).all.map((type) => messageSubject(type)),
    ...eventSubjects,
  ];
  const words = before.split(/[^\w@.-]+/);
  const fields = subjects.filter(({ name }) => words.includes(name)).flatMap(({ fields }) => fields);
  // A value follows a comparison: the games' words for it are in `schema`.
  if (/[<>=~:]\s*$/.test(before) || (word === '' && fields.length === 0)) return [];
  const names = [...new Set([...fields, ...subjects.map(({ name }) => name)])];
  const found = [
    ...names.filter((name) => name.startsWith(word)),
    ...names.filter((name) => !name.startsWith(word) && name.includes(word)),
  ];
  return found
    .filter((name) => name !== word)
    .slice(0, most)
    .map((name) => before + name);
}
