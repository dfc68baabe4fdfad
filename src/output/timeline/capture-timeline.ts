import { Broadcasts, isBroadcast } from '../../recording/events/broadcast.ts';
import { ConnectionNotices, type PlacedNotice } from '../../recording/events/connection-notices.ts';
import { EventDetectors } from '../../recording/events/detectors.ts';
import { type Action, type GameEvent, isAction, type Notice } from '../../recording/events/event.ts';
import {
  type CopyEntry,
  type DiagnosticEntry,
  isNotRebuilt,
  type MessageEntry,
  type NotRebuilt,
  type RecordingEntry,
  type SnapshotEntry,
} from '../../recording/replay/record.ts';
import { type Direction, isConnection, type Stream } from '../../recording/replay/stream.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { messageName } from '../../wire/packet/message.ts';
import { isInRange } from '../../wire/protocol/ticks.ts';
import { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { handshakeStepText, infoStepText, isWrongStep, serverInfoText } from '../phrases/connection-phrases.ts';
import { diagnosticLine } from '../phrases/diagnostic-messages.ts';
import { type Phrase, Phrases } from '../phrases/event-phrases.ts';
import { fateText, messageLine, mismatchText, packetFinding, reasons, whereOf } from '../phrases/recording-phrases.ts';
import type { Segment } from '../text/layout.ts';
import { count, nonZero, thousands } from '../text/number.ts';
import { ConnectionLines } from './connection-lines.ts';
import { type DemoTimelineOptions, eventPhrase } from './demo-timeline.ts';
import { type ClientPlace, PlacedLines } from './lines.ts';
import { type RecentLine, RecentLines } from './recent-lines.ts';

/** The state of a connection up to the current record. */
interface ConnectionState {
  detectors?: EventDetectors;
  /** Of a search, which finds what players do: the snapshot before. */
  before?: Snapshot;
  readonly mapChanges: number;
  hasSnapshot: boolean;
  /** Whether the players who were present at the beginning have been reported. */
  hasPlayers: boolean;
  second: ClientSecond | undefined;
  readonly broadcasts: Broadcasts<ClientPlace>;
}

const stateAfter = ({ mapChanges }: Stream, second?: ClientSecond): ConnectionState => ({
  mapChanges,
  hasSnapshot: false,
  hasPlayers: false,
  second,
  broadcasts: new Broadcasts(),
});

/** `sends cl_say team=0 message="hello"` */
const sentText = ({ direction, message, certainty }: MessageEntry | CopyEntry): string =>
  `${direction === 'to_client' ? 'gets' : 'sends'} ${messageLine(message, certainty)}`;

/** The timeline of a capture. Without `verbose`, snapshots and messages without an event are counted per second. */
export class CaptureTimeline {
  readonly #phrases: Phrases;
  readonly #lines: PlacedLines;
  readonly #recent: RecentLines;
  readonly #connections: ConnectionLines;
  readonly #verbose: boolean;
  readonly #options: DemoTimelineOptions;
  readonly #states = new Map<Stream, ConnectionState>();
  readonly #notices = new ConnectionNotices();
  #place: ClientPlace = { seconds: 0, frames: [0, 0], client: '' };
  /** Seconds from the beginning to the last record. */
  #last = 0;
  #isShown = true;

  constructor(style: DemoTimelineOptions) {
    this.#options = style;
    this.#phrases = new Phrases(style.theme, diagnosticLine);
    this.#lines = new PlacedLines(style, false);
    this.#connections = new ConnectionLines(this.#phrases);
    this.#recent = new RecentLines(this.#lines, style.only !== undefined);
    this.#verbose = style.verbose && !style.only;
  }

  /** @param isShown false for a record that only sets the context of later ones */
  add(record: RecordingEntry, isShown = true): string {
    this.#isShown = isShown;
    this.#place = this.#lines.placeOf(record);
    const before = Math.floor(this.#last);
    this.#last = Math.max(this.#last, this.#place.seconds);
    if (Math.floor(this.#last) !== before) this.#endSeconds(Math.floor(this.#last));
    this.#recent.flush(this.#last, this.#lines.clock.ofTime(this.#notices.oldest));
    this.#addLines(record);
    return this.#lines.flushLines();
  }

  /** The lines that wait for the same event of other clients, or for the end of their second. */
  pause(): string {
    this.#endSeconds(Number.POSITIVE_INFINITY);
    this.#recent.flush(Number.POSITIVE_INFINITY);
    return this.#lines.flushLines();
  }

  finish(): string {
    if (this.#options.only) for (const notice of this.#notices.finish()) this.#tell(notice);
    for (const stream of this.#states.keys()) this.#endBroadcast(stream);
    const text = this.pause();
    const { only, ticks } = this.#options;
    if (only || ticks) return text;
    for (const { client, phrase } of this.#connections.stories(this.#lines.clock.start ?? Number.NaN))
      this.#lines.add({ seconds: Number.NaN, frames: [0, 0], client }, phrase);
    return text + this.#lines.flushLines();
  }

  /** Without a selection, connections have lines of their own, which say more. */
  #tell({ notice, stream, at: time, tick, frame = 0 }: PlacedNotice): void {
    // It stands at another tick than the record that tells it.
    const { only, ticks } = this.#options;
    if ((ticks && !isInRange(Math.max(0, tick), ticks)) || !only?.(notice)) return;
    const seconds = Number.isFinite(time) ? this.#lines.clock.ofTime(time) : this.#place.seconds;
    const place = { seconds, frames: [frame, frame], client: stream?.client ?? '', time } as const;
    this.#recent.add(place, this.#last, this.#phrases.notice(notice)!, [notice]);
  }

  #addLines(record: RecordingEntry): void {
    const phrases = this.#phrases;
    if (this.#options.only) for (const notice of this.#notices.add(record)) this.#tell(notice);
    switch (record.record) {
      case 'connection': {
        if (this.#options.only) break;
        this.#add(this.#connections.begins(record));
        break;
      }
      case 'drop':
        this.#endSecond(record.stream, Number.POSITIVE_INFINITY);
        this.#endBroadcast(record.stream);
        this.#states.delete(record.stream);
        this.#connections.drop(record.stream);
        break;
      case 'close': {
        if (this.#options.only) break;
        const verb = record.direction === 'to_server' ? 'leaves' : 'is closed by the server';
        this.#add(phrases.compose`${phrases.removed(verb)}${phrases.reason(record.reason)}`);
        break;
      }
      case 'message':
        this.#message(record);
        break;
      case 'copy':
        if (this.#verbose) this.#add(this.#copy(record));
        break;
      case 'snapshot':
        this.#snapshot(record);
        break;
      case 'server_info':
        if (this.#options.only) break;
        this.#add([phrases.dim(serverInfoText(record.info))]);
        break;
      case 'info_exchange': {
        const text = infoStepText(record);
        if (!text || this.#options.only) break;
        const { client } = record;
        const phrase = isWrongStep(record) ? phrases.compose`${phrases.mark('warning')} ${text}` : [phrases.dim(text)];
        if (this.#isShown) this.#recent.add({ ...this.#place, client }, this.#last, phrase);
        break;
      }
      case 'handshake': {
        if (this.#options.only || !this.#isShown) break;
        const phrase = [phrases.dim(handshakeStepText(record))];
        this.#recent.add({ ...this.#place, client: record.client }, this.#last, phrase);
        break;
      }
      case 'diagnostic':
        if (this.#options.only) break;
        this.#diagnostic(record);
        break;
      // Only of demos, or the bytes of the file.
      case 'header':
      case 'ghost':
      case 'map':
      case 'tick':
      case 'chunk':
      case 'block':
      case 'packet':
        break;
      default:
        record satisfies never;
    }
  }

  #diagnostic(record: DiagnosticEntry): void {
    const { stream, diagnostic } = record;
    if (stream) this.#add(this.#phrases.compose`${this.#phrases.mark(diagnostic.severity)} ${packetFinding(record)}`);
    else this.#recent.add(this.#place, this.#last, this.#phrases.notice({ what: 'diagnostic', diagnostic })!);
  }

  #message(record: MessageEntry): void {
    const { stream, message, direction } = record;
    const { mapChanges, second } = this.#of(stream);
    this.#connections.message(record);
    // The state of the previous map does not apply to a new map.
    if (mapChanges !== stream.mapChanges) {
      this.#endBroadcast(stream);
      this.#states.set(stream, stateAfter(stream, second));
    }
    if (this.#verbose) {
      this.#add(this.#phrases.compose`${sentText(record)}`);
      return;
    }
    const isReadable = direction === 'to_client' && message.type && !message.diagnostics.error;
    const events = isReadable ? this.#detectorsOf(stream).onMessage(message) : [];
    if (!this.#addEvents(stream, events)) this.#second(stream)?.message(messageName(message), direction);
  }

  /** `✗ early: dropped, asked again in frame 10 · sends cl_startinfo name="a" …` */
  #copy(record: CopyEntry): Phrase {
    const phrases = this.#phrases;
    const mark = phrases.mark(record.fate.fate === 'again' ? 'warning' : 'error');
    return phrases.compose`${mark} ${fateText(record.fate)} · ${phrases.dim(sentText(record))}`;
  }

  #snapshot(record: SnapshotEntry): void {
    const { stream, tick, snapshot, verdict, bytes } = record;
    const phrases = this.#phrases;
    const state = this.#of(stream);
    if (verdict === 'mismatch') {
      if (!this.#options.only) this.#add(phrases.compose`${phrases.mark('error')} ${mismatchText(record)}`);
    } else if (this.#verbose) {
      const what = isNotRebuilt(verdict) ? reasons[verdict] : count(snapshot!.count, 'item');
      this.#add([phrases.dim(`${whereOf(record)}: ${what}, ${count(bytes, 'byte')}`)]);
    } else this.#second(stream)?.snapshot(record);
    if (verdict === 'mismatch' || !snapshot || this.#verbose) return;
    const detectors = this.#detectorsOf(stream);
    detectors.onTick(tick);
    this.#addEvents(stream, detectors.onSnapshot(snapshot, state.before, !state.hasSnapshot));
    state.hasSnapshot = true;
    if (!this.#options.only) return;
    state.before ??= new Snapshot();
    state.before.copyFrom(snapshot);
  }

  /**
   * Adds the lines of notices, if any. Joins before the first list of players are left out: servers announce all who
   * are there.
   */
  #addEvents(stream: Stream, events: Iterable<GameEvent>): boolean {
    const state = this.#of(stream);
    const { only, record, withTold } = this.#options;
    const notices: Notice[] = [];
    const actions: Action[] = [];
    for (const event of events) {
      if (event.what === 'players_present') {
        state.hasPlayers = true;
        notices.push({ ...event, local: undefined });
      } else if (isAction(event)) {
        if (only?.(event)) actions.push(event);
      } else if (event.what !== 'join' || state.hasPlayers) notices.push(event);
    }
    const selected = only ? notices.filter(only) : notices;
    const shown = record ? selected : selected.filter((notice) => !this.#isSaidAgain(stream, notice));
    const alone = (event: GameEvent) => ({ phrase: eventPhrase(event, this.#phrases), group: [event] });
    const groups: readonly { readonly phrase: Phrase; readonly group: readonly GameEvent[] }[] = [
      ...(record ? shown.map(alone) : this.#phrases.groups(shown)),
      ...actions.map(alone),
    ];
    if (this.#isShown) {
      for (const { phrase, group } of groups) {
        this.#recent.addEvents(this.#place, this.#last, stream.server, group, phrase, withTold);
      }
    }
    return groups.length > 0;
  }

  /** Whether the client was shown this text last; then it is counted. */
  #isSaidAgain(stream: Stream, notice: Notice): boolean {
    if (!this.#isShown || this.#options.verbose || !isBroadcast(notice)) return false;
    const { broadcasts } = this.#of(stream);
    if (broadcasts.again(notice, this.#place)) return true;
    this.#endBroadcast(stream);
    broadcasts.begin(notice, this.#place, true);
    return false;
  }

  /** Adds a line for a text that came again after its first line. */
  #endBroadcast(stream: Stream): void {
    const repeated = this.#states.get(stream)?.broadcasts.take();
    if (!repeated) return;
    const { notice, from, to } = repeated;
    const place: ClientPlace = { ...to, frames: [from.frames[0], to.frames[1]] };
    this.#recent.addEvents(place, this.#last, stream.server, [], this.#phrases.notice(notice) ?? []);
  }

  #endSeconds(now: number): void {
    for (const stream of this.#states.keys()) this.#endSecond(stream, now);
  }

  #endSecond(stream: Stream, now: number): void {
    const state = this.#states.get(stream);
    if (!state?.second || state.second.second >= now) return;
    const { second } = state;
    const wrong = isConnection(stream) ? this.#connections.since(stream) : [];
    second.line.lastFrame = second.lastFrame;
    second.line.phrase = second.phrase(this.#phrases, wrong);
    state.second = undefined;
  }

  #second(stream: Stream): ClientSecond | undefined {
    if (!this.#isShown || this.#options.only) return undefined;
    const state = this.#of(stream);
    const [frame] = this.#place.frames;
    // Its line stands where the second begins, and is complete when it ends.
    state.second ??= new ClientSecond(Math.floor(this.#last), this.#recent.add(this.#place, this.#last, undefined));
    // Snapshots that are given up at the end of the recording have no frame.
    if (frame > 0) state.second.lastFrame = frame;
    return state.second;
  }

  #add(phrase: Phrase): void {
    if (this.#isShown) this.#recent.add(this.#place, this.#last, phrase);
  }

  #of(stream: Stream): ConnectionState {
    return getOr(this.#states, stream, () => stateAfter(stream));
  }

  #detectorsOf(stream: Stream): EventDetectors {
    const state = this.#of(stream);
    if (state.detectors?.protocol !== stream.protocol) {
      const { only, withTold } = this.#options;
      state.detectors = new EventDetectors(stream.protocol, only !== undefined, withTold);
    }
    return state.detectors;
  }
}

const routine: ReadonlySet<string> = new Set(['input', 'input_timing']);

/** Counts the snapshots and messages of a client in one second that do not have their own lines. */
class ClientSecond {
  readonly second: number;
  readonly line: RecentLine;
  lastFrame: number;
  #snapshots = 0;
  #full = 0;
  #empty = 0;
  #firstTick = 0;
  #lastTick = 0;
  readonly #lost = new Map<NotRebuilt, number>();
  readonly #messages: Readonly<Record<Direction, Map<string, number>>> = { to_client: new Map(), to_server: new Map() };

  constructor(second: number, line: RecentLine) {
    this.second = second;
    this.line = line;
    this.lastFrame = line.lastFrame;
  }

  snapshot({ tick, kind, verdict }: SnapshotEntry): void {
    if (this.#snapshots === 0) this.#firstTick = tick;
    this.#lastTick = tick;
    this.#snapshots++;
    if (kind === 'snapshot') this.#full++;
    if (kind === 'empty') this.#empty++;
    if (isNotRebuilt(verdict)) this.#lost.set(verdict, (this.#lost.get(verdict) ?? 0) + 1);
  }

  message(name: string, direction: Direction): void {
    const counts = this.#messages[direction];
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }

  /**
   * `25 snapshots, 1 full, tick 9302 to 9350 · 50 input, 25 input_timing · gets sv_motd · 2 chunks sent again`
   * @param wrong what was late or lost
   */
  phrase(phrases: Phrases, wrong: readonly string[]): Phrase {
    const warnings = wrong.map((text) => ({ text, style: phrases.theme.warning }));
    const parts = [...this.#snapshotParts(phrases), ...this.#messageParts(phrases), ...warnings];
    return phrases.joined(parts.map((part) => [part]));
  }

  #snapshotParts(phrases: Phrases): Segment[] {
    if (this.#snapshots === 0) return [];
    const kinds = [
      count(this.#snapshots, 'snapshot'),
      ...nonZero([this.#full, `${thousands(this.#full)} full`], [this.#empty, `${thousands(this.#empty)} empty`]),
      `tick ${this.#firstTick}${this.#snapshots === 1 ? '' : ` to ${this.#lastTick}`}`,
    ];
    const lost = [...this.#lost].map(([reason, times]) => {
      const style = reason === 'damaged' ? phrases.theme.error : phrases.theme.warning;
      return { text: `${thousands(times)} not rebuilt: ${reasons[reason]}`, style };
    });
    return [phrases.dim(kinds.join(', ')), ...lost];
  }

  /** The numbers of messages. Routine messages are first, without their direction. */
  #messageParts(phrases: Phrases): Segment[] {
    const counted = (direction: Direction, isRoutine: boolean) =>
      [...this.#messages[direction]]
        .filter(([name]) => routine.has(name) === isRoutine)
        .map(([name, times]) => (times > 1 || isRoutine ? `${thousands(times)} ${name}` : name));
    const part = (verb: string, names: readonly string[]) =>
      names.length > 0 ? [phrases.dim(verb + names.join(', '))] : [];
    return [
      ...part('', [...counted('to_server', true), ...counted('to_client', true)]),
      ...part('gets ', counted('to_client', false)),
      ...part('sends ', counted('to_server', false)),
    ];
  }
}
