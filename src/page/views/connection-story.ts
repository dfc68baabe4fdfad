import { escapeText } from '../../output/text/escape.ts';
import { count } from '../../output/text/number.ts';
import { fact, h } from '../elements/dom.ts';
import type { Connection } from '../report/report-data.ts';

/** Of more connections only what is wrong is told, as by `dump`. */
const maxTold = 8;

/**
 * How the connections of a capture began and ended, and what was lost or late between; undefined if there is nothing to
 * tell.
 */
export function connectionStories(connections: readonly Connection[]): HTMLElement | undefined {
  const told = connections.flatMap(({ client, player, story }) => {
    const parts = connections.length > maxTold ? story.filter(({ isWrong }) => isWrong) : story;
    return parts.length > 0 ? [{ name: escapeText(player ?? client), parts }] : [];
  });
  if (told.length === 0) return undefined;
  const wrong = told.reduce((sum, { parts }) => sum + parts.filter(({ isWrong }) => isWrong).length, 0);
  const summary =
    told.length === 1 ? 'what became of the connection' : `what became of ${count(told.length, 'connection')}`;
  return h(
    'details',
    { class: 'about stories' },
    h(
      'summary',
      { class: wrong > 0 ? 'warning' : 'dim' },
      wrong > 0 ? `${summary}: ${count(wrong, 'thing')} to look at` : summary,
    ),
    ...told.map(({ name, parts }) =>
      h(
        'dl',
        { class: 'facts', 'aria-label': name },
        told.length > 1 && h('div', {}, h('dt', {}, name), h('dd', {}, '')),
        ...parts.map(({ label, text, isWrong }) => (isWrong ? fact(label, `! ${text}`, 'warning') : fact(label, text))),
      ),
    ),
  );
}
