import { getOr } from '../../wire/bytes/get-or.ts';
import type { Recording } from '../data/shown-recording.ts';
import type { State, Store } from '../data/store.ts';
import { h, styled } from '../elements/dom.ts';
import type { EventLine } from '../report/event-lines.ts';

interface LaneMark {
  readonly tick: number;
  readonly kind: 'finding' | 'kill' | 'death' | 'chat' | 'finish' | 'flag';
}

interface Lane {
  readonly name: string;
  /** Whose it is; undefined for all. */
  readonly client?: number;
  readonly marks: readonly LaneMark[];
}

const colours: Readonly<Record<LaneMark['kind'], string>> = {
  finding: '--ink',
  kill: '--state',
  death: '--error',
  chat: '--text',
  finish: '--accent',
  flag: '--position',
};

/** Marks that are nearer than this share of the width are one. */
const least = 0.002;
/** Players with fewer events than these many others have no lane. */
const maxPlayers = 40;

/** The lanes of a recording: one for each kind of event that it has, and one for each player. */
function lanesOf(recording: Recording, findings: readonly number[]): Lane[] {
  const { eventLines } = recording;
  const of = (kind: LaneMark['kind'], isIn: (line: EventLine) => boolean) =>
    eventLines.filter(isIn).map(({ tick }): LaneMark => ({ tick, kind }));
  const lanes: Lane[] = [
    { name: 'findings', marks: findings.map((tick) => ({ tick, kind: 'finding' })) },
    { name: 'kills', marks: of('death', ({ topic }) => topic === 'deaths') },
    { name: 'chat', marks: of('chat', ({ topic }) => topic === 'chat') },
    { name: 'finishes', marks: of('finish', ({ what }) => what === 'finish') },
    { name: 'flags', marks: of('flag', ({ what }) => what.startsWith('flag_')) },
  ];
  return [...lanes.filter(({ marks }) => marks.length > 0), ...lanesOfPlayers(recording)];
}

/** What each player does and suffers: who takes part in most comes first. */
function lanesOfPlayers(recording: Recording): Lane[] {
  const byClient = new Map<number, LaneMark[]>();
  for (const { tick, what, topic, actors = [] } of recording.eventLines)
    for (const { client, dies } of actors) {
      const kind = dies ? 'death' : topic === 'deaths' ? 'kill' : what === 'finish' ? 'finish' : 'flag';
      getOr(byClient, client, () => []).push({ tick, kind });
    }
  return [...byClient]
    .sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || a - b)
    .slice(0, maxPlayers)
    .map(([client, marks]) => ({
      name: recording.playerText(client),
      client,
      marks,
    }));
}

/**
 * Where findings, kills, chat, finishes and flags are, and what each player does. A click chooses the tick. The slider
 * and the list of events have the same for keys and screen readers.
 */
export function lanesView(store: Store<State>, choose: (tick: number) => void): HTMLElement {
  const rows = h('div', {});
  const now = h('div', { class: 'now' });
  const over = h('div', { class: 'over' }, now);
  const element = h(
    'section',
    { class: 'lanes mono', 'aria-hidden': 'true' },
    h('div', { class: 'lane-rows', tabindex: -1 }, rows, over),
  );

  function show(): void {
    const { recording, visible, marks } = store.state;
    const findings = marks.filter(({ color }) => color === colours.finding).map(({ tick }) => tick);
    const lanes = lanesOf(recording, findings);
    rows.replaceChildren(...lanes.map((lane) => rowOf(lane, visible)));
    element.hidden = lanes.length === 0;
    showTick();
  }

  function showTick(): void {
    const { tick, visible } = store.state;
    now.style.transform = `translateX(${((tick - visible.from) / (visible.to - visible.from)) * 100}%)`;
  }

  function rowOf({ name, client, marks }: Lane, { from, to }: State['visible']): HTMLElement {
    const strip = h('div', {
      class: 'strip',
      onclick: ({ clientX }: MouseEvent) => {
        const { left, width } = strip.getBoundingClientRect();
        const tick = from + ((clientX - left) / width) * (to - from);
        const nearer = (a: number, b: number) => (Math.abs(b - tick) < Math.abs(a - tick) ? b : a);
        choose(marks.map((mark) => mark.tick).reduce(nearer));
      },
    });
    let last = Number.NEGATIVE_INFINITY;
    for (const { tick, kind } of marks) {
      const share = (tick - from) / (to - from);
      if (share < 0 || share > 1 || share - last < least) continue;
      last = share;
      const mark = h('i', { class: `is-${kind}` });
      mark.style.left = `${100 * share}%`;
      mark.style.background = styled(colours[kind]);
      strip.append(mark);
    }
    const label = h('span', { class: 'dim' }, name);
    const isPlayer = client !== undefined;
    if (isPlayer) label.style.setProperty('--of', store.state.recording.lookOf(client)?.colour ?? 'var(--dim)');
    return h('div', { class: isPlayer ? 'lane of-player' : 'lane' }, label, strip);
  }

  store.on(['recording', 'visible', 'marks'], show);
  store.on(['tick'], showTick);
  return element;
}
