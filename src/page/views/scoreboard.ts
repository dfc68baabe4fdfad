import { scoreText, secondsText } from '../../output/phrases/event-phrases.ts';
import { clock } from '../../output/text/number.ts';
import { isFrozenUntil } from '../../recording/events/player-actions.ts';
import { byScore } from '../../recording/events/score.ts';
import { heldWeapon } from '../../wire/protocol/enums.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import type { Recording } from '../data/shown-recording.ts';
import type { Followed, State, Store } from '../data/store.ts';
import { h, onVisible, section, setAttribute, setClass, setText, swatch } from '../elements/dom.ts';
import { oneStop } from '../elements/one-stop.ts';

const columns = ['score', 'health', 'armor', 'weapon', 'ping', 'state'] as const;

const dead07 = 16;

/** The players of a snapshot, in the order of their teams and scores. */
function scoresAt(recording: Recording, position: number) {
  const { protocol, game, players } = recording;
  const snapshot = recording.rebuilt(position);
  if (!snapshot) return [];
  const { tick } = recording.snapshot(position);
  const { playerInfos, characters, ddnetCharacters, ddnetPlayers, races } = game.items;
  const match = recording.matchAt(position);
  for (const items of [ddnetCharacters, ddnetPlayers]) items.register(snapshot);
  players.onSnapshot(snapshot, protocol);
  const scores = playerInfos.all(snapshot).map((i) => {
    const client = snapshot.id(i);
    const character = characters.find(snapshot, client);
    const ddnet = ddnetCharacters.find(snapshot, client);
    const race = races.find(snapshot, client);
    const finished = ddnetPlayers.find(snapshot, client);
    const isThere = character >= 0;
    // Servers send health and armor of the recorded or watched player only, and of others 0: who lives has more.
    const isSent = isThere && characters.get(snapshot, character, 'health') > 0;
    const of = (field: string) => (isSent ? String(characters.get(snapshot, character, field)) : '');
    const carried = match?.teams.find(({ flag }) => flag === client);
    const team = players.teamOf(client);
    const best = finished < 0 ? -1 : ddnetPlayers.get(snapshot, finished, 'finish_time_seconds');
    const start = race < 0 ? 0 : races.get(snapshot, race, 'race_start_tick');
    const isFrozen = ddnet >= 0 && isFrozenUntil(ddnetCharacters.get(snapshot, ddnet, 'freeze_end'), tick);
    const isDead = protocol.version === '0.7' && (playerInfos.get(snapshot, i, 'player_flags') & dead07) !== 0;
    const state = [
      team < 0 && 'spectator',
      carried && `has the ${carried.team} flag`,
      isDead && 'dead',
      isFrozen && 'frozen',
      start > 0 && start <= tick && clock((tick - start) / ticksPerSecond),
      best > 0 && `best ${clock(best)}`,
      team >= 0 && !isDead && !isThere && 'not seen',
    ];
    const points = playerInfos.get(snapshot, i, 'score');
    return {
      client,
      team,
      points,
      isThere,
      cells: [
        scoreText(points, game.scoreUnit),
        of('health'),
        of('armor'),
        (isThere && heldWeapon[characters.get(snapshot, character, 'weapon')]) || '',
        String(playerInfos.get(snapshot, i, 'latency')),
        state.filter(Boolean).join(', '),
      ],
    };
  });
  const order = ({ team }: { team: number }) => (team < 0 ? 2 : team);
  return scores.sort(
    (a, b) => order(a) - order(b) || byScore(a.points, b.points, game.scoreUnit) || a.client - b.client,
  );
}

/** A section with a table whose rows begin with a player. */
export function playerTable(
  name: string,
  title: string,
  tool: HTMLElement,
  columns: readonly string[],
  body: HTMLElement,
): HTMLElement {
  const head = h('tr', {}, ...columns.map((column) => h('th', { class: 'dim', scope: 'col' }, column)));
  const table = h('table', {}, h('thead', {}, head), body);
  const attributes = { class: 'players mono', tabindex: 0, role: 'region', 'aria-label': `table of ${title}` };
  return section(name, title, [tool], oneStop(h('div', attributes, table)));
}

/** What the game shows above the match: the clock, and the points and flags of the teams. */
function matchLine(recording: Recording, position: number): HTMLElement[] {
  const match = recording.matchAt(position);
  if (!match) return [];
  const { clock, isLeft, isSuddenDeath, teams } = match;
  const time = isSuddenDeath ? 'sudden death' : clock !== undefined && secondsText(clock) + (isLeft ? ' left' : '');
  return [
    h('span', { class: 'time' }, time),
    ...teams.map(({ team, points, flag }) => {
      const place = typeof flag === 'number' ? `with ${recording.playerText(flag)}` : flag;
      const flagText = place === undefined ? '' : `, flag ${place}`;
      return h('span', {}, swatch('swatch', `var(--team-${team})`), `${team} ${points}${flagText}`);
    }),
  ];
}

/** The scoreboard at the chosen tick. A click on a player follows it in the picture of the match. */
export function scoreboard(store: Store<State>, follow: (followed: Followed) => void): HTMLElement {
  const body = h('tbody', {});
  const number = h('span', { class: 'dim' });
  const element = playerTable('scoreboard', 'Players', number, ['player', ...columns], body);
  const match = h('p', { class: 'match mono' });
  number.after(match);
  let rows = new Map<number, HTMLTableRowElement>();

  function rowOf(client: number): HTMLTableRowElement {
    const onclick = () => follow(client);
    const name = h('button', { type: 'button', title: 'follow this player', onclick });
    return h('tr', {}, h('th', { scope: 'row' }, name), ...columns.map(() => h('td')));
  }

  /** Below the window it is not kept up to date. */
  let isVisible = true;
  let isBehind = false;
  const show = () => {
    isBehind = !isVisible && !element.hidden;
    if (isBehind) return;
    const { recording, position, followed } = store.state;
    const scores = scoresAt(recording, position);
    element.hidden = scores.length === 0;
    match.replaceChildren(...matchLine(recording, position));
    const sorted = scores.map(({ client, team, isThere, cells }) => {
      const row = rows.get(client) ?? rowOf(client);
      const look = recording.lookOf(client);
      const player = recording.playerText(client);
      const button = row.querySelector('button')!;
      if (button.textContent !== player) button.replaceChildren(swatch('swatch', look?.colour ?? 'var(--dim)'), player);
      setClass(row, `${isThere ? '' : 'away'} ${(team >= 0 && look?.team) || ''}`);
      setAttribute(row, 'aria-current', String(followed === client));
      for (const [i, text] of cells.entries()) setText(row.cells[i + 1]!, text);
      return [client, row] as const;
    });
    rows = new Map(sorted);
    const order = sorted.map(([, row]) => row);
    if (order.length !== body.rows.length || order.some((row, i) => row !== body.rows[i]))
      body.replaceChildren(...order);
    number.textContent = String(scores.length);
  };
  const onShown = (_: number, to: number) => {
    isVisible = to > 0;
    if (isVisible && isBehind) show();
  };
  onVisible(element, onShown, 0);
  store.on(['recording', 'inspected', 'followed'], show);
  return element;
}
