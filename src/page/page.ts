import { readMessageContents, readPacketContents } from '../packet/packet-contents.ts';
import { protocolOf } from '../protocol/registry.ts';
import type { ReportData } from '../report/report-data.ts';
import { printable, quote } from '../view/text/escape.ts';
import { beginSession, h, pause, sessionSignal } from './dom.ts';
import { eventList } from './event-list.ts';
import { footer, heading } from './frame.ts';
import { inspect, inspectContents } from './inspect.ts';
import { inspector } from './inspector.ts';
import { type ReportLink, readLink, writeLink } from './link.ts';
import { planeView } from './plane/plane-view.ts';
import { startPlayback } from './playback.ts';
import { playerTable } from './player-table.ts';
import { Recording } from './recording.ts';
import { searchBox } from './search-box.ts';
import { sizeBreakdownView } from './size-view.ts';
import { type State, Store } from './store.ts';
import { timelineOf } from './timeline.ts';
import { transport } from './transport.ts';

/** The milliseconds of work between two pauses. */
const atOnce = 30;
/** The minimum milliseconds between two updates of the inspector and the tables while the recording is played. */
const leastPause = 200;

/** What the inspector shows at first, besides its contents. */
const noChoice = { item: undefined, words: [], onlyChanged: false, isPlaying: false };

/** The state that changes with the track. */
function openedTrack({ tracks, schema, seconds, map }: ReportData, track: number, { tick, item }: ReportLink) {
  const recording = new Recording(tracks[track]!, schema, seconds, map);
  const { from, to } = recording.ticks;
  const position = tick === undefined ? 0 : recording.positionOf(tick);
  return {
    track,
    recording,
    isRead: false,
    position,
    tick: recording.snapshot(position).tick,
    item,
    isPlaying: false,
    repeated: undefined,
    visible: { from, to: Math.max(to, from + 1) },
    found: [],
  };
}

/**
 * Shows a recording. All views show the state of one store.
 * @param payload the address parameters that contain the payload, if the page shows one without a file
 */
async function showRecording(reportData: ReportData, payload: string | undefined): Promise<void> {
  const { tracks, findings, sizes, map } = reportData;
  const session = sessionSignal();
  const first = openedTrack(reportData, 0, {});
  const inspected = inspect(first.recording, 0);
  // No track is open yet, so that opening the first one is a change.
  const store = new Store<State>({ ...noChoice, ...first, track: -1, inspected, speed: 1, followed: 'all' });

  const notice = h('p', { class: 'notice warning', role: 'status' });

  /** The fragment of a link to the chosen place. */
  const link = () => {
    const { recording, position, item } = store.state;
    const { tick } = recording.snapshot(position);
    const place = writeLink({ client: recording.track.name || undefined, tick: tick < 0 ? undefined : tick, item });
    return payload === undefined ? place : `#${[payload, place.slice(1)].filter(Boolean).join('&')}`;
  };
  const choose = (position: number, change: Partial<State> = {}) => {
    notice.textContent = '';
    store.set({ position, tick: store.state.recording.snapshot(position).tick, ...change });
  };
  const chooseTick = (tick: number) => choose(store.state.recording.positionOf(tick));
  const chooseItem = (position: number, item: string | undefined) => {
    choose(position, { item });
    inspection.revealItem();
  };

  // The inspector and the tables are too slow for every frame. They are updated so rarely that the picture keeps moving.
  let [updated, took] = [0, 0];
  store.on(['recording', 'position', 'isPlaying'], () => {
    const { recording, position, isPlaying } = store.state;
    const start = performance.now();
    if (isPlaying && start - updated < Math.max(leastPause, 6 * took)) return;
    store.set({ inspected: inspect(recording, position) });
    updated = performance.now();
    took = updated - start;
  });
  const search = searchBox(store, ({ tick, item }) =>
    chooseItem(store.state.recording.positionOf(tick), item ?? store.state.item),
  );
  const names = tracks.map(({ name, player }) => (player ? `${name} ${quote(player)}` : name));
  const chooseTrack = (track: number) => void openTrack(track, {});
  const controls = transport(store, { search, names, choose, chooseTrack, link });
  const timeline = timelineOf(store, chooseTick);
  const canPlot = tracks.some(({ snapshots }) => snapshots.length > 2);
  const inspection = inspector(store, canPlot ? (item, label) => void timeline.toggleValue(item, label) : undefined);
  const events = eventList(store, chooseTick);
  const plane = planeView(store, map, (item) => chooseItem(store.state.position, item));
  const players = playerTable(store, (client) => plane.follow(client));
  startPlayback(store);
  // The address is written with a delay because browsers limit how often it may change.
  let timer: ReturnType<typeof setTimeout> | undefined;
  store.on(['recording', 'position', 'item', 'isPlaying'], () => {
    notice.textContent = '';
    if (store.state.isPlaying) return;
    const hash = link();
    clearTimeout(timer);
    timer = setTimeout(() => session.aborted || history.replaceState(null, '', hash), 150);
  });

  async function openTrack(track: number, place: ReportLink): Promise<void> {
    const state = openedTrack(reportData, track, place);
    const { recording, item } = state;
    store.set(state);
    checkLink(place);
    if (item !== undefined) reveal();
    performance.mark('first view');
    const { scrollY: seen } = window;
    let since = performance.now();
    for (const _ of recording.read()) {
      if (performance.now() - since < atOnce) continue;
      await pause();
      if (store.state.recording !== recording || session.aborted) return;
      since = performance.now();
    }
    store.set({ isRead: true });
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

  async function follow(place: ReportLink): Promise<void> {
    const track = Math.max(
      0,
      tracks.findIndex(({ name }) => name === (place.client ?? '')),
    );
    if (track !== store.state.track) return openTrack(track, place);
    const { recording, position } = store.state;
    choose(place.tick === undefined ? position : recording.positionOf(place.tick), { item: place.item });
    checkLink(place);
    inspection.reveal();
  }

  /** The place of the first finding, at which the page opens if the address names no tick or item. */
  function firstFinding(place: ReportLink): ReportLink {
    const { client } = place;
    const found = findings.find(({ tick = -1, track }) => tick >= 0 && (client === undefined || client === track));
    return found ? { client: found.track || undefined, tick: found.tick, item: found.item } : place;
  }

  document.body.append(
    heading(reportData),
    controls,
    notice,
    h(
      'main',
      {},
      h('div', { class: 'stage' }, plane.element, inspection.element),
      timeline.element,
      h('div', { class: 'pair' }, players, events),
      sizeBreakdownView(sizes),
    ),
    footer(first.tick >= 0),
  );
  // The heading can be read while the rest is loaded.
  await pause();
  // The listener is added after the pause, because an earlier choice may still change the address.
  const onLink = ({ newURL }: HashChangeEvent) => void follow(readLink(new URL(newURL).hash));
  addEventListener('hashchange', onLink, { signal: session });
  const place = readLink(location.hash);
  await follow(place.tick === undefined && place.item === undefined ? firstFinding(place) : place);
}

/** Shows a packet or message, which has no timeline. */
function showContents(reportData: ReportData, { kind, version, bytes }: NonNullable<ReportData['contents']>): void {
  const read = kind === 'packet' ? readPacketContents : readMessageContents;
  const inspected = inspectContents(read(bytes, protocolOf(version, reportData.schema)));
  const { element } = inspector(new Store({ ...noChoice, inspected }));
  document.body.append(heading(reportData), h('main', {}, element), footer(false));
  document.documentElement.dataset.state = 'complete';
}

/** Shows what is known of a client's log. */
function showLog(reportData: ReportData, text: string): void {
  document.body.append(heading(reportData), h('main', {}, h('section', {}, h('pre', {}, text))), footer(false));
  document.documentElement.dataset.state = 'complete';
}

/** Replaces the content of the page with a report. */
export async function showReport(reportData: ReportData, payload?: string): Promise<void> {
  beginSession();
  delete document.documentElement.dataset.state;
  document.body.replaceChildren();
  document.title = `${printable(reportData.name)} · tw-snap`;
  if (reportData.contents) showContents(reportData, reportData.contents);
  else if (reportData.text !== undefined) showLog(reportData, reportData.text);
  else await showRecording(reportData, payload);
}
