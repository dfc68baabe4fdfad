import { scoreText } from '../../output/phrases/event-phrases.ts';
import { clock as clockText } from '../../output/text/number.ts';
import { bestTime, byScore, type ScoreUnit } from '../../recording/events/score.ts';
import { finishScore, heldWeapon } from '../../wire/protocol/enums.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { lastUpTo } from '../data/marks.ts';
import type { Recording } from '../data/shown-recording.ts';
import type { State, Store } from '../data/store.ts';
import { h } from '../elements/dom.ts';
import type { EventLine } from '../report/event-lines.ts';
import { type Counted, Icons } from './icons.ts';
import type { Sprites } from './sprites.ts';

/** How long a kill and a line of chat are shown, in ticks, and how many. */
const killTicks = 10 * ticksPerSecond;
const chatTicks = 16 * ticksPerSecond;
const maxKills = 5;
const maxChat = 6;

/**
 * What the game shows over the picture: clock and score, kills, chat, and health, armour and ammunition of who is
 * followed. The lists beside the picture have the same, so that screen readers do not get it twice.
 */
export function hudView(store: Store<State>) {
  const icons = new Icons();
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
  const textOf = ({ parts }: EventLine) => parts.map(({ text, style }) => h('span', { class: style }, text));

  /** Who killed, with what, and who died. The line of an event that has no weapon is its text. */
  function killOf(line: EventLine): HTMLElement {
    const { actors = [], weapon } = line;
    const names = (die: boolean) =>
      actors.filter(({ dies }) => dies === die).map(({ client }) => store.state.recording.playerText(client));
    if (weapon === undefined) return h('p', {}, h('span', {}, ...textOf(line)));
    const icon = icons.weapon(weapon);
    icon.dataset.weapon = weapon;
    return h('p', {}, names(false).join(', '), icon, names(true).join(', '));
  }

  function update(): void {
    const { look, recording, position, followed } = store.state;
    element.hidden = look !== 'game';
    if (element.hidden) return;
    const { eventLines } = recording;
    const snapshot = recording.rebuilt(position);
    const match = recording.matchAt(position);
    const teams = match?.teams ?? [];
    const time = match?.clock === undefined ? '' : clockText(Math.max(0, match.clock)).replace(/\.\d+$/, '');
    const ranks =
      snapshot && teams.length === 0 ? ranksOf(recording, snapshot, recording.followedAt(position, followed)) : [];
    show(clock!, [time, teams, ranks], () => [
      time,
      ...teams.map(({ team, points }) => h('span', { class: `team-${team}` }, String(points))),
      ...ranks.map((text) => h('span', { class: 'rank' }, text)),
    ]);
    const killed = recent(eventLines, 'deaths', killTicks, maxKills);
    show(kills!, [killed, icons.sprites !== undefined], () => killed.map(killOf));
    const said = recent(eventLines, 'chat', chatTicks, maxChat);
    show(chat!, said, () => said.map((line) => h('p', {}, ...textOf(line))));
    const counted = snapshot ? countedOf(snapshot) : [];
    show(bars!, [counted, icons.sprites !== undefined], () => counted.map(([of, value]) => icons.bar(of, value)));
  }

  /** Health, armour and shots of who is followed; empty if nobody is, or the game does not show them. */
  function countedOf(snapshot: Snapshot): (readonly [counted: Counted, value: number])[] {
    const { recording, position, followed } = store.state;
    const { game } = recording;
    const { characters } = game.items;
    const client = recording.followedAt(position, followed);
    const i = client === undefined ? -1 : characters.find(snapshot, client);
    const get = (field: string) => characters.get(snapshot, i, field);
    // Servers send them of the recorded or watched player only.
    if (i < 0 || get('health') <= 0) return [];
    const weapon = heldWeapon[get('weapon') as keyof typeof heldWeapon] ?? 'none';
    const hasShots = game.showsAmmo && shooting.has(weapon);
    const counted: (readonly [Counted, number])[] = [];
    if (game.showsHealth) counted.push(['heart', get('health')], ['shield', get('armor')]);
    if (hasShots) counted.push([{ shotsOf: weapon }, get('ammo_count')]);
    return counted;
  }

  store.on(['recording', 'read', 'position', 'followed', 'look'], update);
  return {
    element,
    /** Draws the icons with the pictures of a game. */
    onSprites(sprites: Sprites): void {
      icons.sprites = sprites;
      update();
    },
  };
}

/** What has shots that the games count. */
const shooting: ReadonlySet<string> = new Set(['gun', 'shotgun', 'grenade', 'laser']);

/**
 * The rank and score of the best player and of who is followed, `1. 12`; the second best if that is the same.
 *
 * Source: `CHud::RenderScoreHud` of the games' clients.
 */
function ranksOf({ game, players }: Recording, snapshot: Snapshot, followed: number | undefined): string[] {
  const { playerInfos } = game.items;
  const unit = game.scoreUnit;
  const playing = playerInfos
    .all(snapshot)
    .map((i) => ({ client: snapshot.id(i), points: playerInfos.get(snapshot, i, 'score') }))
    .filter(({ client, points }) => players.teamOf(client) >= 0 && hasScore(points, unit))
    .sort((a, b) => byScore(a.points, b.points, unit));
  const own = playing.findIndex(({ client }) => client === followed);
  const shown = playing.length > 1 ? [0, Math.max(1, own)] : [];
  return shown.map((rank) => `${rank + 1}. ${scoreText(playing[rank]!.points, unit)}`);
}

const hasScore = (points: number, unit: ScoreUnit) =>
  unit === 'points' ? !(points in finishScore) : bestTime(points, unit) !== undefined;
