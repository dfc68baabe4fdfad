import { EventReader } from '../events/events.ts';
import { readMessage } from '../packet/message.ts';
import type { ItemType } from '../protocol/item.ts';
import { type Protocol, protocolOf } from '../protocol/registry.ts';
import type { Track, TrackSnapshot } from '../recording/track.ts';
import { TrackReader } from '../recording/track-reader.ts';
import { type Told, tell } from './event-text.ts';
import { Paths } from './paths.ts';

/** Snapshots between two looks at the clock. */
const stepSnapshots = 50;

/** A track that was read from its first snapshot to its last: what can be shown of it as a whole. */
export class Recording {
  readonly track: Track;
  readonly protocol: Protocol;
  readonly reader: TrackReader;
  /** Numbers of the snapshots that can be chosen. */
  readonly shown: readonly number[];
  /** Items of each; 0 of those that can't be rebuilt. */
  readonly items: Int32Array;
  readonly paths: Paths;
  readonly told: Told[] = [];
  #hasCast = false;

  constructor(track: Track, added: readonly ItemType[]) {
    this.track = track;
    this.protocol = protocolOf(track.version, added);
    this.reader = new TrackReader(track, this.protocol);
    this.shown = track.snapshots.flatMap(({ shown }, i) => (shown ? [i] : []));
    this.items = new Int32Array(this.shown.length);
    this.paths = new Paths(this.protocol);
  }

  snapshot(place: number): TrackSnapshot {
    return this.track.snapshots[this.shown[place]!]!;
  }

  get firstTick(): number {
    return this.snapshot(0).tick;
  }

  get lastTick(): number {
    return this.snapshot(this.shown.length - 1).tick;
  }

  /** The place of the last snapshot at or before a tick, else of the first. */
  placeOf(tick: number): number {
    let [low, high] = [0, this.shown.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.snapshot(middle).tick <= tick) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /** Reads all, and pauses often. */
  *read(): Generator<void> {
    const { markers, messages } = this.track;
    const story = new EventReader();
    story.add({ record: 'header', header: { markers, length: 0 }, stream: { protocol: this.protocol } });
    let tick = -1;
    let heard = 0;
    const turn = (now: number) => {
      if (now < 0 || now === tick) return;
      tick = now;
      const moment = story.add({ record: 'tick', tick });
      if (moment) this.#tell(moment);
    };
    const hear = (upTo: number) => {
      for (; heard < messages.length && messages[heard]!.after <= upTo; heard++) {
        const { tick: now, bytes } = messages[heard]!;
        turn(now);
        const message = readMessage(bytes, 0, bytes.length, this.protocol.version, { padded: true });
        story.add({ record: 'message', bytes, message });
        this.paths.hear(message);
      }
    };
    for (const [place, index] of this.shown.entries()) {
      hear(index);
      const { kind, tick: now } = this.track.snapshots[index]!;
      turn(now);
      const snapshot = this.reader.snapshot(index);
      if (snapshot) {
        const before = this.reader.before(index);
        this.items[place] = snapshot.count;
        story.add({ record: 'snapshot', tick, kind, snapshot, before: place > 0 ? before : undefined });
        this.paths.see(tick, snapshot);
      }
      if (place % stepSnapshots === 0) yield;
    }
    hear(Number.POSITIVE_INFINITY);
    const moment = story.finish();
    if (moment) this.#tell(moment);
  }

  /** Servers introduce those who are there one by one to who comes. */
  #tell({ tick, events }: NonNullable<ReturnType<EventReader['finish']>>): void {
    const news = events.filter(({ what }) => what !== 'joined' || this.#hasCast);
    this.#hasCast ||= events.some(({ what }) => what === 'players_present');
    this.told.push(...tell(Math.max(tick, this.firstTick), news));
  }
}
