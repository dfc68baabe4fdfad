import { readFileSync } from 'node:fs';

/**
 * The change log's section of a version: its text, and its date as YYYY-MM-DD if it has one; undefined if there is
 * none.
 */
export function changesOf(version) {
  const log = readFileSync('CHANGELOG.md', 'utf8');
  const heading = new RegExp(
    `^## \\[?${version.replaceAll('.', '\\.')}\\]?(?: - (\\d{4}-\\d\\d-\\d\\d))?.*$`,
    'm',
  ).exec(log);
  if (!heading) return undefined;
  const text = log.slice(heading.index + heading[0].length);
  return { date: heading[1], notes: text.slice(0, /^## /m.exec(text)?.index ?? text.length).trim() };
}
