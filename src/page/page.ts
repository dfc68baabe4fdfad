import { readMessageContents, readPacketContents } from '../packet/packet-contents.ts';
import { protocolOf } from '../protocol/registry.ts';
import type { ReportData } from '../report/report-data.ts';
import { quote } from '../view/text/escape.ts';
import { beginSession, h, onceAFrame, pause, sessionSignal } from './dom.ts';
import { EventList } from './event-list.ts';
import { footer, heading } from './frame.ts';
import { inspect, inspectContents } from './inspect.ts';
import { Inspector } from './inspector.ts';
import { type ReportLink, readLink, writeLink } from './link.ts';
import { PlaneView } from './plane/plane-view.ts';
import { startPlayback } from './playback.ts';
import { PlayerTable } from './player-table.ts';
import { Recording } from './recording.ts';
import { SearchBox } from './search-box.ts';
import { sizeBreakdownView } from './size-view.ts';
import { type ItemChoice, type State, Store } from './store.ts';
import { Timeline } from './timeline.ts';
import { Transport } from './transport.ts';

/** The milliseconds of work between two pauses. */
const atOnce = 30;
/** The minimum milliseconds between two updates of the slow views while the recording is played. */
const leastPause = 200;

/** What is chosen in the list of items at first. */
const noChoice: ItemChoice = { item: undefined, words: [], onlyChanged: false };

/** The report page. All views show the state of one store. */
class Page {
  readonly #reportData: ReportData;
  readonly #payload: string | undefined;
  readonly #session = sessionSignal();
  readonly #store: Store<State>;
  readonly #notice = h('p', { class: 'notice warning', role: 'status' });
  readonly #transport: Transport;
  readonly #timeline: Timeline;
  readonly #inspector: Inspector;
  readonly #plane: PlaneView;
  readonly #players: PlayerTable;
  readonly #events: EventList;
  /** Whether the slow views show the chosen snapshot. */
  #isShown = false;
  #isTablesTurn = false;
  /** When the slow views were last updated, and the milliseconds that it took. */
  #lastUpdate = 0;
  #took = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param payload the address parameters that contain the payload, if the page shows one without a file */
  constructor(reportData: ReportData, payload?: string) {
    this.#payload = payload;
    this.#reportData = reportData;
    const recording = recordingOf(reportData, 0);
    const store = new Store<State>({
      ...noChoice,
      track: -1,
      recording,
      isRead: false,
      position: 0,
      tick: recording.ticks.from,
      isPlaying: false,
      speed: 1,
      repeated: undefined,
      visible: recording.ticks,
      found: [],
      followed: 'all',
    });
    this.#store = store;
    const choose = (position: number) => this.#choose(position);
    const chooseTick = (tick: number) => choose(store.state.recording.positionOf(tick));
    const search = new SearchBox(store, ({ tick, item = store.state.item }) => {
      this.#goTo(store.state.recording.positionOf(tick), item);
      this.#inspector.revealItem();
    });
    this.#transport = new Transport(store, {
      search: search.element,
      names: reportData.tracks.map(({ name, player }) => (player ? `${name} ${quote(player)}` : name)),
      choose,
      chooseTrack: (track) => void this.#openTrack(track, {}),
      link: () => this.#link,
    });
    this.#timeline = new Timeline(store, chooseTick);
    this.#inspector = new Inspector(
      store,
      reportData.tracks.some(({ snapshots }) => snapshots.length > 2)
        ? (item, label) => void this.#timeline.toggleValue(item, label)
        : undefined,
    );
    this.#events = new EventList(store, chooseTick);
    this.#plane = new PlaneView(store, reportData.map, (item) => {
      this.#goTo(store.state.position, item);
      this.#inspector.revealItem();
    });
    this.#players = new PlayerTable(store, (client) => this.#plane.follow(client));
    startPlayback(store);
    const showSlowly = onceAFrame(() => this.#showSlowly());
    store.on(['recording', 'position', 'isPlaying'], () => {
      this.#isShown = false;
      this.#notice.textContent = '';
      showSlowly();
    });
    store.on(['recording', 'position', 'item', 'isPlaying'], () => store.state.isPlaying || this.#remember());
  }

  async open(): Promise<void> {
    document.body.append(
      heading(this.#reportData),
      this.#transport.element,
      this.#notice,
      h(
        'main',
        {},
        h('div', { class: 'stage' }, this.#plane.element, this.#inspector.element),
        this.#timeline.element,
        h('div', { class: 'pair' }, this.#players.element, this.#events.element),
        sizeBreakdownView(this.#reportData.sizes),
      ),
      footer(this.#store.state.recording.ticks.from >= 0),
    );
    // The heading can be read while the rest is loaded.
    await pause();
    // The listener is added after the pause, because an earlier choice may still change the address.
    const follow = ({ newURL }: HashChangeEvent) => void this.#follow(readLink(new URL(newURL).hash));
    addEventListener('hashchange', follow, { signal: this.#session });
    const link = readLink(location.hash);
    await this.#follow(link.tick === undefined && link.item === undefined ? this.#firstFinding(link) : link);
  }

  /** The place of the first finding, at which the page opens if the address names no tick or item. */
  #firstFinding(link: ReportLink): ReportLink {
    const { client } = link;
    const first = this.#reportData.findings.find(
      ({ tick = -1, track }) => tick >= 0 && (client === undefined || client === track),
    );
    return first ? { client: first.track || undefined, tick: first.tick, item: first.item } : link;
  }

  async #follow(place: ReportLink): Promise<void> {
    const found = this.#reportData.tracks.findIndex(({ name }) => name === (place.client ?? ''));
    const { track, recording, position } = this.#store.state;
    if (Math.max(0, found) !== track) {
      await this.#openTrack(Math.max(0, found), place);
      return;
    }
    this.#goTo(place.tick === undefined ? position : recording.positionOf(place.tick), place.item);
    this.#checkLink(place);
    this.#inspector.reveal();
  }

  async #openTrack(track: number, place: ReportLink): Promise<void> {
    const { tick, item } = place;
    const recording = recordingOf(this.#reportData, track);
    const { from, to } = recording.ticks;
    const position = tick === undefined ? 0 : recording.positionOf(tick);
    this.#store.set({
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
    });
    this.#show();
    this.#checkLink(place);
    if (item !== undefined) this.#reveal();
    performance.mark('first view');
    const { scrollY: seen } = window;
    let since = performance.now();
    for (const _ of recording.read()) {
      if (performance.now() - since < atOnce) continue;
      await pause();
      if (this.#store.state.recording !== recording || this.#session.aborted) return;
      since = performance.now();
    }
    this.#store.set({ isRead: true });
    // The page is longer now, so it can scroll until the item is at the top.
    if (item !== undefined && scrollY === seen) this.#reveal();
    document.documentElement.dataset.state = 'complete';
    performance.mark('complete');
  }

  /** Reports a connection, tick or item of a link that does not exist. */
  #checkLink({ client, tick, item }: ReportLink): void {
    const { recording, position } = this.#store.state;
    const { name } = recording.track;
    const shown = recording.snapshot(position).tick;
    if (client !== undefined && client !== name)
      this.#notice.textContent = `There is no connection ${quote(client)} here: this is ${name || 'a demo'}.`;
    else if (tick !== undefined && tick !== shown)
      this.#notice.textContent = `There is no snapshot of tick ${tick}: this is tick ${shown}.`;
    else if (item !== undefined && !this.#inspector.has(item))
      this.#notice.textContent = `There is no ${item.replace('/', ' ')} in this snapshot.`;
  }

  /** Shows the chosen item. The page scrolls there if the address names it, but not for the first finding. */
  #reveal(): void {
    if (location.hash.includes('item=')) this.#inspector.reveal();
    else this.#inspector.revealItem();
  }

  #choose(position: number, change: Partial<State> = {}): void {
    this.#notice.textContent = '';
    this.#store.set({ position, tick: this.#store.state.recording.snapshot(position).tick, ...change });
  }

  /** Chooses a snapshot and an item, and shows them at once, so that the item can be revealed. */
  #goTo(position: number, item: string | undefined): void {
    this.#choose(position, { item });
    this.#show();
  }

  /** Shows the chosen snapshot in the views that are too slow for every frame. */
  #show(): void {
    this.#isShown = true;
    this.#inspect();
    this.#showTables();
  }

  /** The same once per frame; while the recording is played by turns, and so rarely that the picture keeps moving. */
  #showSlowly(): void {
    if (this.#isShown || this.#session.aborted) return;
    if (!this.#store.state.isPlaying) {
      this.#show();
      return;
    }
    const start = performance.now();
    if (start - this.#lastUpdate < Math.max(leastPause, 6 * this.#took)) return;
    if (this.#isTablesTurn) this.#showTables();
    else this.#inspect();
    this.#isTablesTurn = !this.#isTablesTurn;
    this.#lastUpdate = performance.now();
    this.#took = this.#lastUpdate - start;
  }

  #inspect(): void {
    const { recording, position, isPlaying } = this.#store.state;
    this.#inspector.show(recording, position, inspect(recording, position), isPlaying);
  }

  #showTables(): void {
    this.#players.show();
    this.#events.show();
  }

  /** The fragment of a link to the chosen place. */
  get #link(): string {
    const { recording, position, item } = this.#store.state;
    const { tick } = recording.snapshot(position);
    const link = writeLink({ client: recording.track.name || undefined, tick: tick < 0 ? undefined : tick, item });
    return this.#payload === undefined ? link : `#${[this.#payload, link.slice(1)].filter(Boolean).join('&')}`;
  }

  /** Writes the choice into the address, with a delay because browsers limit how often it may change. */
  #remember(): void {
    const hash = this.#link;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#session.aborted || history.replaceState(null, '', hash), 150);
  }
}

const recordingOf = ({ tracks, schema, seconds, map }: ReportData, track: number) =>
  new Recording(tracks[track]!, schema, seconds, map);

/**
 * Replaces the content of the page with a report.
 * @param payload the address parameters that contain the payload, if the page shows one without a file
 */
export async function showReport(reportData: ReportData, payload?: string): Promise<void> {
  beginSession();
  delete document.documentElement.dataset.state;
  document.body.replaceChildren();
  document.title = `${reportData.name} · tw-snap`;
  if (reportData.contents) showContents(reportData, reportData.contents);
  else await new Page(reportData, payload).open();
}

/** Shows a packet or message, which has no timeline. */
function showContents(reportData: ReportData, { kind, version, bytes }: NonNullable<ReportData['contents']>): void {
  const inspector = new Inspector(new Store(noChoice));
  const read = kind === 'packet' ? readPacketContents : readMessageContents;
  document.body.append(heading(reportData), h('main', {}, inspector.element), footer(false));
  inspector.showContents(inspectContents(read(bytes, protocolOf(version, reportData.schema))));
  document.documentElement.dataset.state = 'complete';
}
