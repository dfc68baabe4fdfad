import { EventDetectors } from '../../events/detectors.ts';
import { type GameEvent, isAction, type Notice } from '../../events/event.ts';
import { ticksPerSecond } from '../../protocol/ticks.ts';
import {
  type CloseEntry,
  type ConnectionEntry,
  type DiagnosticEntry,
  isLoss,
  type MessageEntry,
  type RecordingEntry,
  type SnapshotEntry,
  type Stream,
} from '../../recording/record.ts';
import { count } from '../text/number.ts';
import { messageLine, messageName, packetFinding, reasons, whereOf } from '../text/recording-phrases.ts';
import type { ViewStyle } from '../text/theme.ts';
import { ClientLines, type FrameRange } from './client-lines.ts';
import { ClientSecond } from './client-second.ts';
import { type Phrase, Phrases } from './phrases.ts';
import { RecentLines } from './recent-lines.ts';

type OfStream = ConnectionEntry | CloseEntry | MessageEntry | SnapshotEntry | (DiagnosticEntry & { stream: Stream });

const isOfStream = (record: DiagnosticEntry): record is DiagnosticEntry & { stream: Stream } =>
  record.stream !== undefined;

/** The state of a connection up to the current record. */
interface ConnectionState {
  detectors: EventDetectors | undefined;
  mapChanges: number;
  hasSnapshot: boolean;
  /** Whether the players who were present at the beginning have been reported. */
  hasPlayers: boolean;
  second: ClientSecond | undefined;
}

const newState = ({ mapChanges }: Stream): ConnectionState => ({
  detectors: undefined,
  mapChanges,
  hasSnapshot: false,
  hasPlayers: false,
  second: undefined,
});

const framesOf = ({ frame = 0 }: RecordingEntry): FrameRange => [frame, frame];

/**
 * Prints the timeline of a capture in chronological order: connections, events, mismatches and damage. Without `verbose`, snapshots and
 * messages without an event are counted per second.
 */
export class ClientTimeline {
  readonly #phrases: Phrases;
  readonly #lines: ClientLines;
  readonly #recent: RecentLines;
  readonly #verbose: boolean;
  readonly #states = new Map<Stream, ConnectionState>();
  #start: number | undefined;
  #firstTick: number | undefined;
  #ticks = 0;
  /** Seconds from the beginning to the last record, and the same rounded down. */
  #last = 0;
  #now = 0;
  #isShown = true;

  constructor({ theme, width, verbose }: ViewStyle) {
    this.#phrases = new Phrases(theme);
    this.#lines = new ClientLines(theme, width);
    this.#recent = new RecentLines(this.#lines);
    this.#verbose = verbose;
  }

  /** @param isShown false for a record that only sets the context of later ones */
  add(record: RecordingEntry, isShown = true): string {
    this.#isShown = isShown;
    if (Number.isFinite(record.time)) this.#start ??= record.time;
    else if (record.record === 'snapshot') {
      const { tick } = record;
      this.#firstTick ??= tick;
      this.#ticks = Math.max(this.#ticks, tick - this.#firstTick);
    }
    const seconds = this.#secondsOf(record);
    this.#last = Math.max(this.#last, seconds);
    const now = Math.floor(this.#last);
    if (now !== this.#now) this.#endSeconds(now);
    this.#now = now;
    this.#recent.flush(this.#last);
    this.#addLines(record);
    return this.#lines.flushLines();
  }

  /** Ends the capture and returns the remaining lines. */
  finish(): string {
    this.#endSeconds(Number.POSITIVE_INFINITY);
    this.#recent.flush(Number.POSITIVE_INFINITY);
    return this.#lines.flushLines();
  }

  #addLines(record: RecordingEntry): void {
    const phrases = this.#phrases;
    switch (record.record) {
      case 'connection': {
        const { server, version } = record.stream;
        // The version is known only if the beginning of the connection was captured.
        const phrase =
          version === undefined
            ? phrases.compose`is connected to ${server}`
            : phrases.compose`connects to ${server}, ${version}`;
        this.#add(record, phrase);
        break;
      }
      case 'drop':
        this.#states.delete(record.stream);
        break;
      case 'close': {
        const verb = record.direction === 'to_server' ? 'leaves' : 'is closed by the server';
        const reason = record.reason === '' ? '' : phrases.compose` (${phrases.text(record.reason)})`;
        this.#add(record, phrases.compose`${{ text: verb, style: phrases.theme.removed }}${reason}`);
        break;
      }
      case 'message':
        this.#message(record);
        break;
      case 'snapshot':
        this.#snapshot(record);
        break;
      case 'diagnostic':
        if (isOfStream(record)) {
          this.#add(record, phrases.compose`${phrases.mark(record.diagnostic.severity)} ${packetFinding(record)}`);
          break;
        }
        this.#line(record, '', phrases.notice({ what: 'diagnostic', diagnostic: record.diagnostic })!);
        break;
    }
  }

  #message(record: MessageEntry): void {
    const { stream: connection, message, direction } = record;
    const state = this.#of(connection);
    if (state.mapChanges !== connection.mapChanges) {
      // The state of the previous map does not apply to a new map.
      Object.assign(state, newState(connection), { second: state.second });
    }
    if (this.#verbose) {
      const verb = direction === 'to_client' ? 'gets' : 'sends';
      this.#add(record, this.#phrases.compose`${verb} ${messageLine(message, record.certainty)}`);
      return;
    }
    const isReadable = direction === 'to_client' && message.type && !message.diagnostics.error;
    const events = isReadable ? this.#detectorsOf(connection).onMessage(message) : [];
    const hasEvent = this.#addEvents(record, state, events);
    if (!hasEvent) this.#second(record)?.message(messageName(message), direction);
  }

  #snapshot(record: SnapshotEntry): void {
    const { stream: connection, tick, snapshot, verdict, announced, bytes } = record;
    const phrases = this.#phrases;
    const state = this.#of(connection);
    if (verdict === 'mismatch') {
      const sums = `the checksum is ${snapshot!.checksum()}; announced ${announced}`;
      this.#add(record, phrases.compose`${phrases.mark('error')} ${whereOf(record)}: ${sums}`);
    } else if (this.#verbose) {
      const what = isLoss(verdict) ? reasons[verdict] : count(snapshot!.count, 'item');
      this.#add(record, phrases.compose`${phrases.dim(`${whereOf(record)}: ${what}, ${count(bytes, 'byte')}`)}`);
    } else this.#second(record)?.snapshot(record);
    if (verdict === 'mismatch' || !snapshot || this.#verbose) return;
    const detectors = this.#detectorsOf(connection);
    detectors.onTick(tick);
    this.#addEvents(record, state, detectors.onSnapshot(snapshot, undefined, !state.hasSnapshot));
    state.hasSnapshot = true;
  }

  /**
   * Adds the lines of notices, and returns whether there are any. Joins before the first list of players are left out, because
   * servers announce all present players to a new client.
   */
  #addEvents(record: MessageEntry | SnapshotEntry, state: ConnectionState, events: Iterable<GameEvent>): boolean {
    const notices: Notice[] = [];
    for (const one of events) {
      if (one.what === 'players_present') {
        state.hasPlayers = true;
        notices.push({ ...one, local: undefined });
      } else if (!isAction(one) && (one.what !== 'joined' || state.hasPlayers)) notices.push(one);
    }
    let hasLine = false;
    for (const { phrase, group } of this.#phrases.groups(notices)) {
      hasLine = true;
      const { client, server } = record.stream;
      const place = { seconds: this.#secondsOf(record), frames: framesOf(record), client };
      if (this.#isShown) this.#recent.addNotices(place, this.#last, server, group, phrase);
    }
    return hasLine;
  }

  /** Adds the lines of the seconds before `now`. */
  #endSeconds(now: number): void {
    for (const [{ client }, state] of this.#states) {
      const { second } = state;
      if (!second || second.second >= now) continue;
      const place = { seconds: Math.min(second.second + 1, this.#last), frames: second.frames, client };
      this.#recent.add(place, this.#last, second.phrase(this.#phrases));
      state.second = undefined;
    }
  }

  #second(record: OfStream): ClientSecond | undefined {
    if (!this.#isShown) return undefined;
    const state = this.#of(record.stream);
    state.second ??= new ClientSecond(this.#now, record.frame ?? 0);
    state.second.reach(record.frame ?? 0);
    return state.second;
  }

  #add(record: OfStream, phrase: Phrase): void {
    if (this.#isShown) this.#line(record, record.stream.client, phrase);
  }

  #line(record: RecordingEntry, client: string, phrase: Phrase): void {
    this.#recent.add({ seconds: this.#secondsOf(record), frames: framesOf(record), client }, this.#last, phrase);
  }

  /** Seconds from the beginning. They are computed from the ticks if the file has no times. */
  #secondsOf({ time = Number.NaN }: RecordingEntry): number {
    return Number.isFinite(time) ? time - (this.#start ?? time) : this.#ticks / ticksPerSecond;
  }

  #of(connection: Stream): ConnectionState {
    let state = this.#states.get(connection);
    if (!state) {
      state = newState(connection);
      this.#states.set(connection, state);
    }
    return state;
  }

  #detectorsOf(connection: Stream): EventDetectors {
    const state = this.#of(connection);
    if (state.detectors?.protocol !== connection.protocol) {
      state.detectors = new EventDetectors(connection.protocol, false);
    }
    return state.detectors;
  }
}
