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
import { copyOf } from '../../snapshot/select.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { messageLine, messageName, reasons, undecodable, whereOf } from '../text/capture-words.ts';
import { shortened } from '../text/line-wrapping.ts';
import { count } from '../text/number.ts';
import type { Theme } from '../text/theme.ts';
import { ClientLines } from './client-lines.ts';
import { ClientSecond } from './client-second.ts';
import { type GroupedNotice, grouped, type Phrase, Phrases } from './phrases.ts';

export interface ClientTimelineOptions {
  readonly theme: Theme;
  readonly width: number;
  /** Every snapshot and message on a line; else those that tell nothing are counted by the second. */
  readonly verbose?: boolean;
  /** The messages that are to be shown, and nothing else. */
  readonly only?: ((name: string | undefined) => boolean) | undefined;
}

/** Columns of a message. */
const maxText = 1000;

type OfStream = ConnectionEntry | CloseEntry | MessageEntry | SnapshotEntry | (DiagnosticEntry & { stream: Stream });

const isOfStream = (record: DiagnosticEntry): record is DiagnosticEntry & { stream: Stream } =>
  record.stream !== undefined;

/** What is known of a connection while it is told. */
interface Told {
  tellers: EventDetectors | undefined;
  mapChanges: number;
  before: Snapshot | undefined;
  /** Whether it was told who is there. */
  isCast: boolean;
  second: ClientSecond | undefined;
}

/** A capture as lines, in the order of time: who connects and leaves, what messages tell, what doesn't fit. */
export class ClientTimeline {
  readonly #words: Phrases;
  readonly #lines: ClientLines;
  readonly #verbose: boolean;
  readonly #only: ClientTimelineOptions['only'];
  readonly #told = new Map<Stream, Told>();
  #start: number | undefined;
  #firstTick: number | undefined;
  #ticks = 0;
  /** Seconds from the beginning to the last record, and the whole ones of them. */
  #last = 0;
  #now = 0;
  #isShown = true;

  constructor({ theme, width, verbose = false, only }: ClientTimelineOptions) {
    this.#words = new Phrases(theme);
    this.#lines = new ClientLines(theme, width);
    this.#verbose = verbose;
    this.#only = only;
  }

  /** @param isShown else it is taken for what it tells of those that are */
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
    this.#tell(record);
    return this.#lines.takeLines();
  }

  /** The capture has ended. */
  finish(): string {
    this.#endSeconds(Number.POSITIVE_INFINITY);
    return this.#lines.takeLines();
  }

  #tell(record: RecordingEntry): void {
    const words = this.#words;
    switch (record.record) {
      case 'connection': {
        const { server, version } = record.stream;
        // Where its beginning was captured the version is known.
        const phrase =
          version === undefined ? words.say`is connected to ${server}` : words.say`connects to ${server}, ${version}`;
        this.#put(record, phrase);
        break;
      }
      case 'close': {
        const verb = record.direction === 'to_server' ? 'leaves' : 'is closed by the server';
        const reason = record.reason === '' ? '' : words.say` (${words.text(record.reason)})`;
        this.#put(record, words.say`${{ text: verb, style: words.theme.removed }}${reason}`);
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
          this.#put(record, words.say`${{ text: '✗', style: words.theme.error }} ${undecodable(record)}`);
          break;
        }
        for (const phrase of this.#phrases([{ what: 'diagnostic', diagnostic: record.diagnostic }])) {
          this.#lines.put(this.#secondsOf(record), '', phrase);
        }
        break;
    }
  }

  #message(record: MessageEntry): void {
    const { stream: connection, message, direction } = record;
    const told = this.#of(connection);
    if (told.mapChanges !== connection.mapChanges) {
      // Nobody is there until the new map is.
      Object.assign(told, { mapChanges: connection.mapChanges, tellers: undefined, before: undefined, isCast: false });
    }
    if (this.#only && !this.#only(message.type?.name)) return;
    if (this.#verbose || this.#only) {
      const verb = direction === 'to_client' ? 'gets' : 'sends';
      this.#put(record, this.#words.say`${verb} ${shortened(messageLine(message), maxText)}`);
      return;
    }
    const isReadable = direction === 'to_client' && message.type && !message.diagnostics.error;
    const phrases = isReadable ? this.#news(told, this.#tellersOf(connection).onMessage(message)) : [];
    for (const phrase of phrases) this.#put(record, phrase);
    if (phrases.length === 0) this.#second(record)?.message(messageName(message), direction);
  }

  #snapshot(record: SnapshotEntry): void {
    const { stream: connection, tick, snapshot, verdict, announced, bytes } = record;
    const words = this.#words;
    const told = this.#of(connection);
    if (verdict === 'mismatch') {
      const sums = `the sum is ${snapshot!.checksum()}; announced ${announced}`;
      this.#put(record, words.say`${{ text: '✗', style: words.theme.error }} ${whereOf(record)}: ${sums}`);
    } else if (this.#only) return;
    else if (this.#verbose) {
      const what = isLoss(verdict) ? reasons[verdict] : count(snapshot!.count, 'item');
      this.#put(record, words.say`${words.dim(`${whereOf(record)}: ${what}, ${count(bytes, 'byte')}`)}`);
    } else this.#second(record)?.snapshot(record);
    if (verdict === 'mismatch' || !snapshot || this.#verbose || this.#only) return;
    const tellers = this.#tellersOf(connection);
    tellers.onTick(tick);
    for (const phrase of this.#news(told, tellers.onSnapshot(snapshot, told.before))) this.#put(record, phrase);
    told.before = copyOf(snapshot);
  }

  /** Servers introduce those who are there one by one to who comes. */
  #news(told: Told, events: Iterable<GameEvent>): Phrase[] {
    const news: Notice[] = [];
    for (const one of events) {
      if (one.what === 'players_present') {
        told.isCast = true;
        news.push({ ...one, local: undefined });
      } else if (!isAction(one) && (one.what !== 'joined' || told.isCast)) news.push(one);
    }
    return this.#phrases(news);
  }

  #phrases(news: readonly Notice[]): Phrase[] {
    return [...grouped(news)].flatMap(([one, ...others]) => {
      const phrase =
        others.length > 0 ? this.#words.together([one, ...others] as GroupedNotice[]) : this.#words.news(one!);
      return phrase ? [phrase] : [];
    });
  }

  /** Tells what is counted of seconds before this one. */
  #endSeconds(now: number): void {
    for (const [{ client }, told] of this.#told) {
      const { second } = told;
      if (!second || second.second >= now) continue;
      this.#lines.put(Math.min(second.second + 1, this.#last), client, second.phrase(this.#words));
      told.second = undefined;
    }
  }

  #second(record: OfStream): ClientSecond | undefined {
    if (!this.#isShown) return undefined;
    const told = this.#of(record.stream);
    told.second ??= new ClientSecond(this.#now);
    return told.second;
  }

  #put(record: OfStream, phrase: Phrase): void {
    if (this.#isShown) this.#lines.put(this.#secondsOf(record), record.stream.client, phrase);
  }

  /** By the ticks where the file tells no time. */
  #secondsOf({ time = Number.NaN }: RecordingEntry): number {
    return Number.isFinite(time) ? time - (this.#start ?? time) : this.#ticks / ticksPerSecond;
  }

  #of(connection: Stream): Told {
    let told = this.#told.get(connection);
    if (!told) {
      told = {
        tellers: undefined,
        mapChanges: connection.mapChanges,
        before: undefined,
        isCast: false,
        second: undefined,
      };
      this.#told.set(connection, told);
    }
    return told;
  }

  #tellersOf(connection: Stream): EventDetectors {
    const told = this.#of(connection);
    if (told.tellers?.protocol !== connection.protocol) told.tellers = new EventDetectors(connection.protocol);
    return told.tellers;
  }
}
