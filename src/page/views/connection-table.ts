import { escapeText } from '../../output/text/escape.ts';
import { count } from '../../output/text/number.ts';
import type { State, Store } from '../data/store.ts';
import { button, h, isPhone } from '../elements/dom.ts';
import type { Connection } from '../report/report-data.ts';
import { clientOf, type Track } from '../report/track.ts';
import { playerTable } from './scoreboard.ts';

/** The counts of what is not right. */
const wrong = ['mismatched', 'missing', 'damaged'];

/**
 * The connections of a capture. A click shows one; those without a snapshot have nothing to show, and those whose ticks
 * restart have several tracks.
 */
export function connectionTable(
  connections: readonly Connection[],
  tracks: readonly Track[],
  store: Store<State>,
  choose: (track: number) => void,
): HTMLElement {
  const columns = Object.keys(connections[0]!.counts);
  const rows = connections.map(({ client, player, version, counts }) => {
    const name = escapeText(player ?? client);
    const buttons = tracks.flatMap((track, i) => {
      if (clientOf(track) !== client) return [];
      const text = name + track.name.slice(client.length);
      return [button(text, undefined, () => choose(i))];
    });
    return h(
      'tr',
      { 'data-client': client },
      h('th', { scope: 'row' }, ...(buttons.length > 0 ? buttons : [name])),
      ...[client, version, ...Object.values(counts)].map((text) => h('td', {}, text)),
    );
  });
  const mark = () => {
    const shown = clientOf(store.state.recording.track);
    for (const row of rows) row.setAttribute('aria-current', String(row.dataset.client === shown));
  };
  store.on(['recording'], mark);
  const number = h('span', { class: 'dim' }, count(connections.length, 'connection'));
  const heads = ['player', 'client', 'version', ...columns];
  const element = playerTable('connections', 'Connections', number, heads, h('tbody', {}, ...rows));
  const isRight = connections.every(({ counts }) => wrong.every((name) => counts[name] === '0'));
  // A table that only says that all is right needs no room. On a phone it is opened by a tab.
  if (isRight && !isPhone()) element.querySelector<HTMLElement>('.toggle')!.click();
  return element;
}
