import { clock as clockText } from '../../output/text/number.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { lastUpTo } from '../data/marks.ts';
import { matchState } from '../data/match-state.ts';
import type { Followed, State, Store } from '../data/store.ts';
import { h } from '../elements/dom.ts';
import type { EventLine } from '../report/event-lines.ts';

/** How long a kill and a line of chat are shown, in ticks, and how many. */
const killTicks = 10 * ticksPerSecond;
const chatTicks = 16 * ticksPerSecond;
const maxKills = 5;
const maxChat = 6;
const most = 10;

/**
 * What the game shows over the picture: clock and score, kills, chat, and health and armour of who is followed. The
 * lists beside the picture have the same, so that screen readers do not get it twice.
 */
export function hudView(store: Store<State>): HTMLElement {
  const [clock, kills, chat, bars] = ['clock', 'kills', 'chat', 'bars'].map((name) => h('div', { class: name }));
  const element = h('div', { class: 'hud', 'aria-hidden': 'true' }, bars, clock, kills, chat);

  /** The last events of a topic, up to the chosen tick. */
  function recent(lines: readonly EventLine[], topic: EventLine['topic'], ticks: number, count: number): EventLine[] {
    const { tick } = store.state;
    const found: EventLine[] = [];
    for (let i = lastUpTo(lines.length, (k) => lines[k]!.tick, tick); i >= 0 && found.length < count; i--) {
      if (lines[i]!.tick < tick - ticks) break;
      if (lines[i]!.topic === topic) found.unshift(lines[i]!);
    }
    return found;
  }

  /** Changes a part only when it says something else: it would be laid out in every frame. */
  const said = new Map<HTMLElement, string>();
  function show(part: HTMLElement, what: readonly unknown[], make: () => (string | HTMLElement)[]) {
    const key = JSON.stringify(what);
    if (said.get(part) === key) return;
    said.set(part, key);
    part.replaceChildren(...make());
  }
  const showLines = (part: HTMLElement, lines: readonly EventLine[]) =>
    show(part, lines, () =>
      lines.map(({ parts }) => h('p', {}, ...parts.map(({ text, style }) => h('span', { class: style }, text)))),
    );

  function update(): void {
    const { look, recording, position, followed } = store.state;
    element.hidden = look !== 'game';
    if (element.hidden) return;
    const { game, reader, shown, eventLines } = recording;
    const snapshot = reader.snapshot(shown[position]!);
    const match = snapshot && matchState(game, snapshot, recording.snapshot(position).tick);
    const teams = match?.teams ?? [];
    const time = match?.clock === undefined ? '' : clockText(Math.max(0, match.clock)).replace(/\.\d+$/, '');
    show(clock!, [time, teams], () => [
      time,
      ...teams.map(({ team, points }) => h('span', { class: `team-${team}` }, String(points))),
    ]);
    showLines(kills!, recent(eventLines, 'deaths', killTicks, maxKills));
    showLines(chat!, recent(eventLines, 'chat', chatTicks, maxChat));
    const [health, armour] = barsOf(followed);
    show(bars!, [health, armour], () =>
      health > 0 ? [barOf('♥', 'heart', health), barOf('◆', 'shield', armour)] : [],
    );
  }

  /** Health and armour of who is followed; 0 if nobody is, or the game does not show them. */
  function barsOf(followed: Followed): [health: number, armour: number] {
    const { recording, position } = store.state;
    const { reader, shown, game } = recording;
    const snapshot = reader.snapshot(shown[position]!);
    const client = followed === 'camera' ? recording.localAt(position) : followed;
    if (!snapshot || typeof client !== 'number' || !game.showsHealth) return [0, 0];
    const { characters } = game.items;
    const i = characters.find(snapshot, client);
    return i < 0 ? [0, 0] : [characters.get(snapshot, i, 'health'), characters.get(snapshot, i, 'armor')];
  }

  store.on(['recording', 'read', 'position', 'followed', 'look'], update);
  return element;
}

function barOf(sign: string, name: string, value: number): HTMLElement {
  const filled = Math.max(0, Math.min(most, value));
  return h(
    'p',
    { class: name },
    h('span', { class: 'full' }, sign.repeat(filled)),
    h('span', { class: 'empty' }, sign.repeat(most - filled)),
  );
}
