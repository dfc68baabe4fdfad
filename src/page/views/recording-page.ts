import { type State, Store } from '../data/store.ts';
import { h, pause, sessionSignal } from '../elements/dom.ts';
import { skipLinks } from '../elements/one-stop.ts';
import { planeView } from '../plane/plane-view.ts';
import type { ReportData } from '../report/report-data.ts';
import { addressBar } from './address.ts';
import { connectionTable } from './connection-table.ts';
import { eventList } from './event-list.ts';
import { findingPanel } from './finding-panel.ts';
import { beginPage, footer, heading } from './frame.ts';
import { keepInspected } from './inspecting.ts';
import { inspector } from './inspector.ts';
import { lanesView } from './lanes.ts';
import { readLink } from './link.ts';
import { Navigation } from './navigation.ts';
import { recordList } from './record-list.ts';
import { scoreboard } from './scoreboard.ts';
import { searchBox } from './search-box.ts';
import { sheets } from './sheets.ts';
import { sizeView } from './size-view.ts';
import { timelineOf } from './timeline.ts';
import { transport } from './transport.ts';
import { viewSwitch } from './view-switch.ts';

/** Shows a recording. All views show the state of one store, and the navigation changes it. */
export async function showRecording(reportData: ReportData): Promise<void> {
  beginPage(reportData);
  const { tracks, connections = [] } = reportData;
  const session = sessionSignal();
  document.body.append(heading(reportData));
  // The heading can be read while the rest is made.
  await pause();
  if (session.aborted) return;

  const store = new Store<State>({ speed: 1, notice: '', jumps: 0 });
  const navigation = new Navigation(store, reportData);
  const chooseTick = (tick: number) => navigation.chooseTick(tick);
  keepInspected(store);

  const search = searchBox(store, ({ tick, item }) =>
    navigation.chooseItem(store.state.recording.positionOf(tick), item),
  );
  const controls = transport(
    store,
    (position, isScrubbing) => (isScrubbing ? navigation.scrub(position) : navigation.choose(position)),
    search,
    viewSwitch(store),
    addressBar(store, reportData),
  );
  const plane = planeView(store, reportData, (item) => navigation.chooseItem(store.state.position, item));
  const players = scoreboard(store, plane.follow);
  const events = eventList(store, (position, change) => navigation.choose(position, change));
  const lanes = lanesView(store, chooseTick);
  const timeline = timelineOf(store, chooseTick, reportData.lost);
  const canPlot = tracks.some(({ snapshots }) => snapshots.length > 2);
  const inspection = inspector(
    store,
    canPlot ? timeline.toggleValue : undefined,
    canPlot ? (asked) => void navigation.why(asked) : undefined,
  );
  const hasConnections = connections.length > 1 || tracks.length > 1;
  const connected =
    hasConnections && connectionTable(connections, tracks, store, (track) => void navigation.openTrack(track));
  const bytesUsed = sizeView(store, reportData);
  const records = recordList(store, (row) => navigation.chooseRecord(row));
  const finding = findingPanel(store, reportData);
  const story = h('div', { class: 'story' }, players, events);
  const stage = h('div', { class: 'stage' }, plane.element, story, lanes, inspection, records);
  // Selectors with `:has` would be looked at for each row of a list.
  const onStory = () => stage.classList.toggle('is-alone', Boolean(players.hidden && events.hidden));
  store.on(['recording', 'inspected'], onStory, 'after');
  const main = h('main', {}, finding, connected, stage, timeline.element, bytesUsed);
  const arrange = () => {
    const isInspect = store.state.view === 'inspect';
    main.classList.toggle('is-inspect', isInspect);
    // What is below on the screen comes later for the Tab key and for screen readers too.
    (isInspect ? records : plane.element).after(story, lanes);
  };
  store.on(['view'], arrange, 'picture');
  // An event that is watched is seen, however far the page is scrolled.
  const showPicture = () => store.state.scene && plane.element.scrollIntoView({ block: 'nearest' });
  store.on(['scene'], showPicture, 'after');
  document.body.prepend(skipLinks(['the items', '.items'], ['the bytes', '.bytes']));
  document.body.append(
    controls,
    noticeOf(store),
    main,
    footer(true),
    sheets(store, plane.element, {
      finding,
      players,
      events,
      lanes,
      items: inspection,
      records,
      plots: timeline.element,
      sizes: bytesUsed,
      find: search,
      ...(connected && { connections: connected }),
    }),
  );
  const onLink = ({ newURL }: HashChangeEvent) => void navigation.follow(readLink(new URL(newURL).hash));
  addEventListener('hashchange', onLink, { signal: session });
  await navigation.start(readLink(location.hash));
}

/** What is said about the last action: that something is copied, or not there. */
function noticeOf(store: Store<State>): HTMLElement {
  const notice = h('p', { class: 'notice warning', role: 'status' });
  store.on(['notice'], () => {
    notice.textContent = store.state.notice;
  });
  return notice;
}
