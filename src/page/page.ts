import { readMessageContents, readPacketContents } from '../packet/packet-contents.ts';
import { contentsWithoutSecrets } from '../packet/secrets.ts';
import { protocolOf } from '../protocol/registry.ts';
import { clientOf, type Track } from '../recording/track.ts';
import type { Connection, ReportData } from '../report/report-data.ts';
import { escapeText, printable, quote, shellWord } from '../text/escape.ts';
import { count } from '../text/number.ts';
import { beginSession, button, h, inPieces, pause, sessionSignal } from './dom.ts';
import { eventList } from './event-list.ts';
import { topicColors } from './event-text.ts';
import { footer, heading } from './frame.ts';
import { inspect, inspectContents } from './inspect.ts';
import { inspector } from './inspector.ts';
import { linked, type ReportLink, readLink, writeLink } from './link.ts';
import { planeView } from './plane/plane-view.ts';
import { Recording } from './recording.ts';
import { playerTable, scoreboard } from './scoreboard.ts';
import { searchBox } from './search-box.ts';
import { sizeView } from './size-view.ts';
import { type InspectorState, type Shown, type State, Store } from './store.ts';
import type { Mark } from './ticks.ts';
import { timelineOf } from './timeline.ts';
import { transport } from './transport.ts';
import { whySo } from './why.ts';

/** The milliseconds between two updates of what has been read. */
const progressEvery = 250;
/** The minimum milliseconds between two updates of the inspector and the tables while the recording is played. */
const leastPause = 200;

/** What is shown of a recording before anything is chosen. */
function usualOf({ opening, ticks: { from, to } }: Recording, { map }: ReportData): Shown {
  return {
    ...{ item: undefined, followed: opening.followed, camera: undefined, showsPaths: !map, hidden: [] },
    ...{ filter: '', onlyChanged: false, query: '', plots: [], repeated: undefined, panels: [0, 0] as const },
    visible: { from, to: Math.max(to, from + 1) },
  };
}

function openedTrack(
  reportData: ReportData,
  track: number,
  { client, tick, ...shown }: ReportLink,
): Omit<State, 'inspected' | 'speed'> {
  const { tracks, schema, seconds, map } = reportData;
  const recording = new Recording(tracks[track]!, schema, seconds, map);
  const position = tick === undefined ? recording.opening.position : recording.positionOf(tick);
  return {
    ...{ track, recording, position, isPlaying: false, read: 0, marks: [], found: [], foundAt: -1, scene: undefined },
    tick: recording.snapshot(position).tick,
    ...usualOf(recording, reportData),
    ...shown,
  };
}

function marksOf({ track, eventLines }: Recording, { findings, causes = [] }: ReportData): Mark[] {
  const found = [...causes, ...findings].filter(({ tick, track: name }) => tick !== undefined && name === track.name);
  return [
    ...eventLines.map(({ tick, topic, parts }) => {
      return { tick, text: parts.map(({ text }) => text).join(''), color: topicColors[topic] };
    }),
    ...found.map(({ tick, text }) => ({ tick: tick!, text, color: '--ink' })),
  ].sort((a, b) => a.tick - b.tick);
}

/**
 * Shows a recording. All views show the state of one store.
 * @param payload the address parameters that contain the payload, if the page shows one without a file
 */
async function showRecording(reportData: ReportData, payload: string | undefined): Promise<void> {
  const { tracks, findings, causes = [], sizes, map, connections = [], name } = reportData;
  const session = sessionSignal();
  document.body.append(heading(reportData));
  // The heading can be read while the rest is made.
  await pause();
  if (session.aborted) return;
  const store = new Store<State>({ speed: 1 });

  const notice = h('p', { class: 'notice warning', role: 'status' });

  const link = () => {
    const { recording, position, ...shown } = store.state;
    const { tick } = recording.snapshot(position);
    const there = { ...shown, client: recording.track.name || undefined, tick: tick < 0 ? undefined : tick };
    const place = writeLink(there, usualOf(recording, reportData));
    return payload === undefined ? place : `#${[payload, place.slice(1)].filter(Boolean).join('&')}`;
  };
  const copy = async () => {
    const { recording, position } = store.state;
    const { tick } = recording.snapshot(position);
    const client = tracks.length > 1 ? ` --client ${shellWord(clientOf(recording.track))}` : '';
    const command = `tw-snap decode ${shellWord(tick < 0 ? name : `${name}@${tick}`)}${client}`;
    const text = `${location.href.replace(/#.*/s, '')}${link()}\n${command}`;
    // Browsers refuse it on pages from servers without TLS.
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    notice.textContent = isCopied ? 'The link and the command are copied.' : text;
  };
  const anchor = h('a', { class: 'link dim mono', title: 'a link to what is shown' });
  const address = h(
    'span',
    { class: 'address' },
    anchor,
    button('copy', 'copy the link and the command', () => void copy()),
  );
  const choose = (position: number, change: Partial<State> = {}) => {
    notice.textContent = '';
    store.set({ position, tick: store.state.recording.snapshot(position).tick, ...change });
  };
  const chooseTick = (tick: number) => choose(store.state.recording.positionOf(tick));
  const chooseItem = (position: number, item: string | undefined) => {
    choose(position, { item });
    inspection.revealItem();
  };

  // Text on a canvas needs the layout of the page, so that the picture is drawn before anything else is changed in a frame.
  const plane = planeView(store, map, (item) => chooseItem(store.state.position, item));
  // The inspector and the tables are too slow for every frame. They are updated so rarely that the picture keeps moving.
  let [updated, took] = [0, 0];
  // When playing begins, they are up to date.
  store.on(['isPlaying'], () => {
    updated = performance.now();
  });
  store.on(['recording', 'position', 'isPlaying'], () => {
    const { recording, position, isPlaying } = store.state;
    const start = performance.now();
    if (isPlaying && start - updated < Math.max(leastPause, 6 * took)) return;
    store.set({ inspected: inspect(recording, position) });
    updated = performance.now();
    took = updated - start;
  });
  const search = searchBox(store, ({ tick, item }) => chooseItem(store.state.recording.positionOf(tick), item));
  const chooseTrack = (track: number) => void openTrack(track, {});
  const controls = transport(store, choose, search, address);
  const timeline = timelineOf(store, chooseTick, reportData.lost);
  const canPlot = tracks.some(({ snapshots }) => snapshots.length > 2);
  /** Goes to the snapshot that set a value, whose bytes the inspector shows, and names the command that says the same. */
  const why = async (asked: string) => {
    const { recording, position } = store.state;
    const isSame = () => store.state.recording === recording && !session.aborted;
    const set = await inPieces(whySo(recording, position, asked), isSame);
    if (set === undefined) return;
    const item = asked.slice(0, asked.lastIndexOf('/'));
    chooseItem(set, item);
    const { tick } = recording.snapshot(set);
    const client = tracks.length > 1 ? ` --client ${shellWord(clientOf(recording.track))}` : '';
    const value = `${item}.${asked.slice(item.length + 1)}`;
    notice.textContent = `${value} was set at tick ${tick}: tw-snap trace ${shellWord(`${name}@${tick}`)} ${shellWord(value)}${client}`;
  };
  const inspection = inspector(
    store,
    canPlot ? timeline.toggleValue : undefined,
    canPlot ? (asked) => void why(asked) : undefined,
  );
  const events = eventList(store, choose);
  const players = scoreboard(store, plane.follow);
  // The address is written with a delay because browsers limit how often it may change.
  let timer: ReturnType<typeof setTimeout> | undefined;
  store.on(['recording', 'position', 'isPlaying', ...linked.filter((name) => name !== 'client')], () => {
    if (store.state.isPlaying) return;
    const hash = link();
    anchor.href = hash;
    anchor.textContent = decodeURIComponent(hash);
    clearTimeout(timer);
    timer = setTimeout(() => session.aborted || history.replaceState(null, '', hash), 150);
  });

  async function openTrack(track: number, place: ReportLink): Promise<void> {
    const state = openedTrack(reportData, track, place);
    const { recording, item } = state;
    notice.textContent = '';
    store.set(state);
    checkLink(place);
    if (item !== undefined) reveal();
    performance.mark('first view');
    const { scrollY: seen } = window;
    let shown = performance.now();
    const goesOn = (read: number) => {
      if (store.state.recording !== recording || session.aborted) return false;
      if (performance.now() - shown > progressEvery) {
        store.set({ read });
        shown = performance.now();
      }
      return true;
    };
    if (!(await inPieces(recording.read(), goesOn))) return;
    store.set({ read: 1, marks: marksOf(recording, reportData) });
    // The page is longer now, so it can scroll until the item is at the top.
    if (item !== undefined && scrollY === seen) reveal();
    document.documentElement.dataset.state = 'complete';
    performance.mark('complete');
  }

  /** Shows the chosen item. The page scrolls there if the address names it, but not for the first finding. */
  const reveal = () => (location.hash.includes('item=') ? inspection.reveal() : inspection.revealItem());

  /** Reports a connection, tick or item of a link that does not exist. */
  function checkLink({ client, tick, item }: ReportLink): void {
    const { recording, position, inspected } = store.state;
    const { name } = recording.track;
    const shown = recording.snapshot(position).tick;
    if (client !== undefined && client !== name)
      notice.textContent = `There is no connection ${quote(client)} here: this is ${name || 'a demo'}.`;
    else if (tick !== undefined && tick !== shown)
      notice.textContent = `There is no snapshot of tick ${tick}: this is tick ${shown}.`;
    else if (item !== undefined && !inspected.items.some((one) => one.link === item))
      notice.textContent = `There is no ${item.replace('/', ' ')} in this snapshot.`;
  }

  /** The track of the connection of which most snapshots could be rebuilt. */
  function mainTrack(): number {
    const rebuilt = (track: Track) => connections.find(({ client }) => clientOf(track) === client)?.rebuilt ?? 0;
    const order = [...tracks.keys()].sort(
      (a, b) =>
        rebuilt(tracks[b]!) - rebuilt(tracks[a]!) || tracks[b]!.snapshots.length - tracks[a]!.snapshots.length || a - b,
    );
    return order[0]!;
  }

  async function follow(place: ReportLink): Promise<void> {
    const named = tracks.findIndex((one) => one.name === (place.client ?? ''));
    const track = named < 0 ? mainTrack() : named;
    if (track !== store.state.track) return openTrack(track, place);
    const { recording, position } = store.state;
    const { client, tick, ...shown } = place;
    choose(tick === undefined ? position : recording.positionOf(tick), { item: undefined, ...shown });
    checkLink(place);
    inspection.reveal();
  }

  /** The place of the first finding, at which the page opens if the address names no tick or item. */
  function firstPlace(place: ReportLink): ReportLink {
    if (reportData.query !== undefined && place.query === undefined)
      return firstPlaceOf({ ...place, query: reportData.query });
    return firstPlaceOf(place);
  }

  function firstPlaceOf(place: ReportLink): ReportLink {
    if (reportData.opening && place.client === undefined) return { ...place, ...reportData.opening };
    const client = place.client ?? tracks[mainTrack()]!.name;
    const found = [...causes, ...findings].find(({ tick = -1, track }) => tick >= 0 && client === track);
    return found ? { ...place, client: found.track || undefined, tick: found.tick, item: found.item } : place;
  }

  document.body.append(
    controls,
    notice,
    h(
      'main',
      {},
      (connections.length > 1 || tracks.length > 1) && connectionTable(connections, tracks, store, chooseTrack),
      h('div', { class: 'stage' }, plane.element, h('div', { class: 'story' }, players, events), inspection.element),
      timeline.element,
      sizeView(store, sizes, name),
    ),
    footer(tracks[0]!.snapshots.at(-1)!.tick >= 0),
  );
  for (const [i, panel] of document.querySelectorAll<HTMLElement>('.plane, .columns').entries()) {
    const resized = () => {
      const height = Number.parseInt(panel.style.height, 10) || 0;
      if (height !== store.state.panels[i])
        store.set({ panels: store.state.panels.with(i, height) as [number, number] });
    };
    new ResizeObserver(resized).observe(panel);
    store.on(['panels'], () => {
      panel.style.height = store.state.panels[i] ? `${store.state.panels[i]}px` : '';
    });
  }
  const onLink = ({ newURL }: HashChangeEvent) => void follow(readLink(new URL(newURL).hash));
  addEventListener('hashchange', onLink, { signal: session });
  const place = readLink(location.hash);
  await follow(place.tick === undefined && place.item === undefined ? firstPlace(place) : place);
}

/** What is shown of an input without a timeline: a packet, a message, or a client's log. */
function onlyView({ contents, text = '', schema }: ReportData): HTMLElement {
  if (!contents) return h('section', {}, h('pre', {}, text));
  const { kind, version, bytes } = contents;
  const read = kind === 'packet' ? readPacketContents : readMessageContents;
  const inspected = inspectContents(contentsWithoutSecrets(read(bytes, protocolOf(version, schema))));
  const store = new Store<InspectorState>();
  const { element } = inspector(store);
  store.set({ inspected, item: undefined, filter: '', onlyChanged: false, isPlaying: false });
  return element;
}

export async function showReport(reportData: ReportData, payload?: string): Promise<void> {
  beginSession();
  delete document.documentElement.dataset.state;
  document.body.replaceChildren();
  document.title = `${printable(reportData.name)} · tw-snap`;
  if (!reportData.contents && reportData.text === undefined) return showRecording(reportData, payload);
  document.body.append(heading(reportData), h('main', {}, onlyView(reportData)), footer(false));
  document.documentElement.dataset.state = 'complete';
}

/**
 * The connections of a capture. A click shows one; those without a snapshot have nothing to show, and those whose ticks restart have
 * several tracks.
 */
function connectionTable(
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
  return playerTable('connections', 'Connections', number, heads, h('tbody', {}, ...rows));
}
