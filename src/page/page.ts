import { readMessageContents, readPacketContents } from '../packet/packet-contents.ts';
import { protocolOf } from '../protocol/registry.ts';
import type { ReportData } from '../report/report-data.ts';
import { quote } from '../view/text/escape.ts';
import { beginSession, h, onceAFrame, pause, sessionSignal } from './dom.ts';
import { EventList } from './event-list.ts';
import { footer, heading } from './frame.ts';
import { inspectContents } from './inspect.ts';
import { Inspector } from './inspector.ts';
import { type ReportLink, readLink, writeLink } from './link.ts';
import { PlaneView } from './plane/plane-view.ts';
import { Playback } from './playback.ts';
import { PlayerTable } from './player-table.ts';
import { Recording } from './recording.ts';
import { SearchBox } from './search-box.ts';
import { sizeBreakdownView } from './size-view.ts';
import { SlowViews } from './slow-views.ts';
import { Timeline } from './timeline.ts';
import { PlayControls, Transport } from './transport.ts';

/** The milliseconds of work between two pauses. */
const atOnce = 30;

/** The report page. All views show the open recording, its chosen snapshot and, optionally, a chosen item. */
export class Page {
  readonly #reportData: ReportData;
  readonly #payload: string | undefined;
  readonly #session = sessionSignal();
  readonly #transport: Transport;
  readonly #timeline: Timeline;
  readonly #search: SearchBox;
  readonly #inspector: Inspector;
  readonly #plane: PlaneView;
  readonly #players: PlayerTable;
  readonly #events: EventList;
  #recording: Recording;
  #track = -1;
  #position = 0;
  #item: string | undefined;
  /** The elapsed share of the time to the next snapshot, from 0 to 1. */
  #share = 0;
  readonly #notice = new LinkNotice();
  readonly #slowViews: SlowViews;
  readonly #playback = new Playback(
    (tick) => this.#onTick(tick),
    () => this.#onPlayState(),
  );
  readonly #controls = new PlayControls(this.#playback, () => this.#timeline.showRange(this.#playback.clock.range));

  /** @param payload the address parameters that contain the payload, if the page shows one without a file */
  constructor(reportData: ReportData, payload?: string) {
    this.#payload = payload;
    sessionSignal().addEventListener('abort', () => this.#playback.pause());
    this.#reportData = reportData;
    this.#recording = recordingOf(reportData, 0);
    const choose = onceAFrame((place: number) => this.#choose(place, this.#item));
    const chooseTick = (tick: number) => choose(this.#recording.positionOf(tick));
    this.#search = new SearchBox(
      (results) => this.#timeline.showFound(results.map(({ tick }) => tick)),
      ({ tick, item }) => {
        this.#choose(this.#recording.positionOf(tick), item ?? this.#item);
        this.#inspector.revealItem();
      },
    );
    this.#transport = new Transport({
      search: this.#search.element,
      names: reportData.tracks.map(({ name, player }) => (player ? `${name} ${quote(player)}` : name)),
      choose,
      play: this.#controls,
      chooseTrack: (track) => this.#openTrack(track, {}),
    });
    this.#timeline = new Timeline(chooseTick);
    this.#inspector = new Inspector(
      (item) => {
        this.#item = item;
        this.#plane.show(this.#position, this.#share, item);
        this.#remember();
      },
      reportData.tracks.some(({ snapshots }) => snapshots.length > 2)
        ? (item, label) => void this.#timeline.toggleValue(item, label)
        : undefined,
    );
    this.#events = new EventList(chooseTick);
    this.#plane = new PlaneView((item) => this.#chooseItem(item));
    this.#players = new PlayerTable((client) => this.#plane.follow(client));
    this.#slowViews = new SlowViews(this.#inspector, this.#players, this.#events);
  }

  async open(): Promise<void> {
    document.body.append(
      heading(this.#reportData),
      this.#transport.element,
      this.#notice.element,
      h(
        'main',
        {},
        h('div', { class: 'stage' }, this.#plane.element, this.#inspector.element),
        this.#timeline.element,
        h('div', { class: 'pair' }, this.#players.element, this.#events.element),
        sizeBreakdownView(this.#reportData.sizes),
      ),
      footer(this.#recording.firstTick >= 0),
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
    const track = Math.max(0, found);
    if (track !== this.#track) {
      await this.#openTrack(track, place);
      return;
    }
    this.#choose(place.tick === undefined ? this.#position : this.#recording.positionOf(place.tick), place.item);
    this.#checkLink(place);
    this.#inspector.reveal();
  }

  async #openTrack(track: number, place: ReportLink): Promise<void> {
    const { tick, item } = place;
    this.#track = track;
    const recording = recordingOf(this.#reportData, track);
    this.#recording = recording;
    this.#transport.open(recording, track);
    this.#playback.pause();
    this.#playback.clock.open(recording.firstTick, recording.lastTick);
    this.#timeline.open(recording);
    this.#plane.open(recording, this.#reportData.map);
    this.#choose(tick === undefined ? 0 : recording.positionOf(tick), item);
    this.#checkLink(place);
    if (item !== undefined) this.#reveal();
    performance.mark('first view');
    const { scrollY: seen } = window;
    await this.#read(recording);
    if (this.#recording !== recording || this.#session.aborted) return;
    this.#timeline.complete();
    this.#search.open(recording);
    this.#plane.complete();
    this.#players.open(recording);
    this.#events.open(recording);
    this.#slowViews.showTables(this.#shown);
    // The page is longer now, so it can scroll until the item is at the top.
    if (item !== undefined && scrollY === seen) this.#reveal();
    document.documentElement.dataset.state = 'complete';
    performance.mark('complete');
  }

  #checkLink(place: ReportLink): void {
    const { tick } = this.#recording.snapshot(this.#position);
    this.#notice.check(place, this.#recording, tick, (item) => this.#inspector.has(item));
  }

  /** Shows the chosen item. The page scrolls there if the address names it, but not for the first finding. */
  #reveal(): void {
    if (location.hash.includes('item=')) this.#inspector.reveal();
    else this.#inspector.revealItem();
  }

  async #read(recording: Recording): Promise<void> {
    let since = performance.now();
    for (const _ of recording.read()) {
      if (performance.now() - since < atOnce) continue;
      await pause();
      if (this.#recording !== recording || this.#session.aborted) return;
      since = performance.now();
    }
  }

  #choose(place: number, item: string | undefined): void {
    this.#notice.clear();
    this.#position = place;
    this.#share = 0;
    this.#item = item;
    const { tick } = this.#recording.snapshot(place);
    this.#playback.clock.seek(tick);
    this.#showMoment(tick);
    this.#showItems();
  }

  /** Updates the views that follow each frame while the recording is played. */
  #showMoment(tick: number): void {
    this.#transport.show(this.#position, this.#share, this.#link);
    this.#timeline.show(tick);
    this.#search.show(tick);
    this.#plane.show(this.#position, this.#share, this.#item);
  }

  #showItems(): void {
    this.#slowViews.show(this.#shown);
    this.#remember();
  }

  get #shown() {
    return { recording: this.#recording, position: this.#position, item: this.#item };
  }

  #onTick(tick: number): void {
    const position = this.#recording.positionOf(tick);
    const [now, next] = [position, Math.min(position + 1, this.#recording.shown.length - 1)].map(
      (place) => this.#recording.snapshot(place).tick,
    );
    this.#share = next! > now! ? Math.min(1, (tick - now!) / (next! - now!)) : 0;
    const isNew = position !== this.#position;
    this.#position = position;
    this.#showMoment(tick);
    if (isNew) this.#slowViews.follow(this.#shown);
  }

  #onPlayState(): void {
    this.#controls.showState();
    if (!this.#playback.isPlaying) this.#showItems();
  }

  /** Handles a click on an item in the picture of the match. */
  #chooseItem(item: string): void {
    this.#item = item;
    this.#plane.show(this.#position, this.#share, item);
    this.#showItems();
    this.#inspector.revealItem();
  }

  /** The fragment of a link to the chosen place. */
  get #link(): string {
    const link = writeLink(this.#here);
    return this.#payload === undefined ? link : `#${[this.#payload, link.slice(1)].filter(Boolean).join('&')}`;
  }

  get #here(): ReportLink {
    const { name } = this.#recording.track;
    const { tick } = this.#recording.snapshot(this.#position);
    return { client: name || undefined, tick: tick < 0 ? undefined : tick, item: this.#item };
  }

  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Writes the choice into the address, with a delay because browsers limit how often it may change. */
  #remember(): void {
    const hash = this.#link;
    this.#transport.link(hash);
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
  const inspector = new Inspector(() => {});
  const read = kind === 'packet' ? readPacketContents : readMessageContents;
  document.body.append(heading(reportData), h('main', {}, inspector.element), footer(false));
  inspector.showContents(inspectContents(read(bytes, protocolOf(version, reportData.schema))));
  document.documentElement.dataset.state = 'complete';
}

/** The notice for a link that names a connection, tick or item that does not exist. */
class LinkNotice {
  readonly element = h('p', { class: 'notice warning', role: 'status' });

  clear(): void {
    this.element.textContent = '';
  }

  /**
   * Checks a link after it was followed.
   * @param has whether the shown snapshot has an item
   */
  check({ client, tick, item }: ReportLink, { track }: Recording, shown: number, has: (item: string) => boolean): void {
    const { name } = track;
    if (client !== undefined && client !== name)
      this.#show(`There is no connection ${quote(client)} here: this is ${name || 'a demo'}.`);
    else if (tick !== undefined && tick !== shown)
      this.#show(`There is no snapshot of tick ${tick}: this is tick ${shown}.`);
    else if (item !== undefined && !has(item)) this.#show(`There is no ${item.replace('/', ' ')} in this snapshot.`);
  }

  #show(text: string): void {
    this.element.textContent = text;
  }
}
