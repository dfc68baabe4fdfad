import { ValuePath } from '../../wire/annotate/value-path.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import type { RecordRow } from '../data/records.ts';
import type { Recording } from '../data/shown-recording.ts';
import type { State, Store } from '../data/store.ts';
import { whySo } from '../data/why.ts';
import { inPieces, pause, sessionSignal } from '../elements/dom.ts';
import type { ReportData } from '../report/report-data.ts';
import { traceCommand } from './command.ts';
import type { ReportLink } from './link.ts';
import { firstPlace, missingOf, openedTrack, trackOf } from './opening.ts';

/** Scrubbing ends when no other position follows for this time, in milliseconds. */
const scrubbingEnds = 150;

/** A step over more ticks is a jump. */
const longStep = 5 * ticksPerSecond;

/** Goes to the places of a recording: ticks, items, connections and links. */
export class Navigation {
  readonly #store: Store<State>;
  readonly #reportData: ReportData;
  readonly #session = sessionSignal();
  #scrubbing: ReturnType<typeof setTimeout> | undefined;

  constructor(store: Store<State>, reportData: ReportData) {
    this.#store = store;
    this.#reportData = reportData;
  }

  /** Goes to a position, in the history of the browser too if it is far away. */
  choose(position: number, change: Partial<State> = {}): void {
    const { recording, position: before, jumps } = this.#store.state;
    const ticks = recording.snapshot(position).tick - recording.snapshot(before).tick;
    this.#go(position, { jumps: Math.abs(ticks) > longStep ? jumps + 1 : jumps, ...change });
  }

  #go(position: number, change: Partial<State>): void {
    const { tick } = this.#store.state.recording.snapshot(position);
    this.#store.set({ notice: '', isScrubbing: false, position, tick, ...change });
  }

  /** Goes to a position which others follow at once. */
  scrub(position: number): void {
    this.#go(position, { isScrubbing: true });
    clearTimeout(this.#scrubbing);
    this.#scrubbing = setTimeout(() => this.#store.set({ isScrubbing: false }), scrubbingEnds);
  }

  chooseTick(tick: number): void {
    this.choose(this.#store.state.recording.positionOf(tick));
  }

  /** Chooses a snapshot, or shows a message or packet and the snapshot before it. */
  chooseRecord({ kind, number, tick }: RecordRow): void {
    if (kind === 'snapshot') this.choose(number, { record: undefined });
    else this.choose(this.#store.state.recording.positionOf(tick), { record: { kind, number }, item: undefined });
  }

  chooseItem(position: number, item: string | undefined): void {
    this.choose(position, { item, revealed: { inPage: false } });
  }

  /** Goes to what the address of the page names. */
  start(link: ReportLink): Promise<void> {
    return this.follow(firstPlace(this.#reportData, link), link.item !== undefined);
  }

  /** @param inPage whether the page scrolls to the item */
  async follow(place: ReportLink, inPage = true): Promise<void> {
    const track = trackOf(this.#reportData, place);
    if (track !== this.#store.state.track) return this.openTrack(track, place, inPage);
    const { recording, position } = this.#store.state;
    const { client, tick, ...shown } = place;
    const at = tick === undefined ? position : recording.positionOf(tick);
    this.#go(at, { item: undefined, ...shown, revealed: { inPage } });
    this.#store.set({ notice: missingOf(place, this.#store.state) });
  }

  async openTrack(track: number, place: ReportLink = {}, inPage = false): Promise<void> {
    const state = openedTrack(this.#reportData, track, place);
    const { recording, item } = state;
    const revealed = item === undefined ? undefined : { inPage };
    this.#store.set({ ...state, notice: '', revealed });
    this.#store.set({ notice: missingOf(place, this.#store.state) });
    performance.mark('first view');
    const { scrollY: seen } = window;
    await pause();
    if (!this.#isShown(recording)) return;
    // The page is longer now, so it can scroll until the item is at the top.
    if (revealed && scrollY === seen) this.#store.set({ revealed: { ...revealed } });
    document.documentElement.dataset.state = 'complete';
    performance.mark('complete');
    await inPieces(recording.readPaths(), () => this.#isShown(recording));
    if (this.#isShown(recording)) this.#store.set({ read: 1 });
  }

  #isShown(recording: Recording): boolean {
    return this.#store.state.recording === recording && !this.#session.aborted;
  }

  /**
   * Goes to the snapshot that set a value, whose bytes the inspector shows, and names the command that says the same.
   */
  async why(asked: string): Promise<void> {
    const { recording, position } = this.#store.state;
    const path = ValuePath.parse(asked);
    const set = path && (await inPieces(whySo(recording, position, path), () => this.#isShown(recording)));
    if (set === undefined) return;
    this.chooseItem(set, `${path!.item}/${path!.id}`);
    const value = String(path);
    const { tick } = recording.snapshot(set);
    const command = traceCommand(this.#reportData, this.#store.state, value);
    this.#store.set({ notice: `${value} was set at tick ${tick}${command ? `: ${command}` : ''}` });
  }
}
