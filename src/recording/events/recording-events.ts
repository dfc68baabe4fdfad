import { getOr } from '../../wire/bytes/get-or.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import { copyOf } from '../../wire/snapshot/builder.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { MessageEntry, RecordingEntry, SnapshotEntry } from '../replay/record.ts';
import type { Stream } from '../replay/stream.ts';
import { ConnectionNotices, type PlacedNotice } from './connection-notices.ts';
import { arrivalSeconds, type GameEvent, isAction, type Notice, type TickEvents } from './event.ts';
import { type EventOptions, EventReader } from './events.ts';

/**
 * Finds the events of a recording in its records, one by one: of a demo, of the connections of a capture, or while a
 * match runs.
 *
 * @example
 * ```ts
 * import { readDemo } from 'tw-snap';
 * import { EventFinder } from 'tw-snap/match';
 *
 * const finder = new EventFinder();
 * for (const entry of readDemo(bytes)) {
 *   for (const { tick, events } of finder.add(entry)) for (const { what } of events) console.log(tick, what);
 * }
 * finder.finish();
 * ```
 */
export class EventFinder {
  #demo: EventReader | undefined;
  #capture: CaptureEvents | undefined;
  #tick = -1;
  readonly #options: EventOptions;

  constructor(options: EventOptions = {}) {
    this.#options = options;
  }

  /** Adds the next record; returns the ticks that are complete, also those without events. */
  add(entry: RecordingEntry): TickEvents[] {
    const { stream } = entry;
    // Records of demos have no frames.
    if (!this.#demo && (stream?.client || entry.frame !== undefined || this.#capture)) {
      this.#capture ??= new CaptureEvents(this.#options);
      return this.#capture.add(entry);
    }
    this.#demo ??= stream && new EventReader(undefined, this.#options);
    return [...this.#missingTick(entry), ...this.#add(entry)];
  }

  /** The last ticks, at the end. */
  finish(): TickEvents[] {
    return this.#demo?.finish() ?? this.#capture?.finish() ?? [];
  }

  #add(entry: RecordingEntry): TickEvents[] {
    if (entry.record === 'tick') this.#tick = entry.tick;
    if (entry.record === 'diagnostic' && !this.#demo) {
      return [{ tick: -1, events: [{ what: 'diagnostic', diagnostic: entry.diagnostic }] }];
    }
    const ended = this.#demo?.add(entry);
    return ended ? [ended] : [];
  }

  /** The records of ticks may be left out. */
  #missingTick(entry: RecordingEntry): TickEvents[] {
    if (entry.record !== 'snapshot' && entry.record !== 'message') return [];
    const { tick = -1, stream } = entry;
    return tick > this.#tick ? this.#add({ record: 'tick', stream, tick, keyframe: false }) : [];
  }
}

interface ConnectionTick extends TickEvents {
  readonly stream: Stream;
}

/**
 * The events of one connection, of a capture or live, tick by tick. It has no records of ticks: a snapshot begins its
 * tick, and messages belong to that of the last snapshot.
 */
class ConnectionEvents {
  readonly #stream: Stream;
  #reader: EventReader;
  #mapChanges: number;
  #protocol: Protocol;
  #tick = -1;
  #before: Snapshot | undefined;
  /** Servers announce all who are there to a client that joins. */
  #hasPlayers = false;

  readonly #options: EventOptions;

  constructor(stream: Stream, options: EventOptions) {
    this.#options = options;
    this.#stream = stream;
    this.#reader = new EventReader(stream.protocol, options);
    this.#mapChanges = stream.mapChanges;
    this.#protocol = stream.protocol;
  }

  add(entry: RecordingEntry): ConnectionTick[] {
    const { mapChanges, protocol } = this.#stream;
    const ended = mapChanges === this.#mapChanges && protocol === this.#protocol ? [] : this.#restart();
    if (entry.record === 'message' && entry.direction === 'to_client') this.#message(entry);
    else if (entry.record === 'diagnostic') this.#reader.add(entry);
    else if (entry.record === 'snapshot') ended.push(...this.#snapshot(entry));
    return ended;
  }

  finish(): ConnectionTick[] {
    return this.#reader.finish().map((events) => this.#placed(events));
  }

  /**
   * What is known of the players and the game does not apply to another map, nor what was read in a version that was a
   * guess.
   */
  #restart(): ConnectionTick[] {
    const ended = this.finish();
    this.#mapChanges = this.#stream.mapChanges;
    this.#protocol = this.#stream.protocol;
    this.#reader = new EventReader(this.#protocol, this.#options);
    this.#tick = -1;
    this.#before = undefined;
    this.#hasPlayers = false;
    return ended;
  }

  #message(entry: MessageEntry): void {
    if (!entry.message.diagnostics.error) this.#reader.add(entry);
  }

  #snapshot({ tick, verdict, snapshot, time = Number.NaN }: SnapshotEntry): ConnectionTick[] {
    // One that came late is of a time whose events have been found.
    if (tick < this.#tick) return [];
    const ended = tick === this.#tick ? undefined : this.#reader.add({ record: 'tick', tick });
    this.#tick = tick;
    if (snapshot && verdict !== 'mismatch') {
      const before = this.#before;
      this.#reader.add({ record: 'snapshot', tick, kind: 'delta', snapshot, before, time });
      this.#before ??= copyOf(snapshot);
      this.#before.copyFrom(snapshot);
    }
    return ended ? [this.#placed(ended)] : [];
  }

  #placed({ tick, events }: TickEvents): ConnectionTick {
    const shown = events.filter((event) => {
      this.#hasPlayers ||= event.what === 'players_present';
      return event.what !== 'join' || this.#hasPlayers;
    });
    return { tick, events: shown, stream: this.#stream };
  }
}

/** Events wait this long for the same ones of other clients: until then, their ticks have ended, too. */
const heldTicks = 50;
const maxHeld = 4096;
/** What a server sends to all clients arrives with snapshots that are at most this many ticks apart. */
const arrivalTicks = Math.ceil(50 * arrivalSeconds);

interface Held {
  readonly of: ConnectionTick;
  readonly events: GameEvent[];
}

interface Shared {
  readonly tick: number;
  readonly time: number | undefined;
  readonly held: Held;
  readonly at: number;
  readonly clients: Set<Stream>;
}

interface Server {
  newest: number;
  /** The last event of each kind, by what it says. */
  readonly last: Map<string, Shared>;
  readonly streams: Set<Stream>;
}

/**
 * The events of a capture. What a server reports to several clients is one event, of the first of them, with
 * `receivers`.
 */
class CaptureEvents {
  readonly #connections = new Map<Stream, ConnectionEvents>();
  readonly #notices = new ConnectionNotices();
  readonly #servers = new Map<string, Server>();
  #held: Held[] = [];
  readonly #options: EventOptions;

  constructor(options: EventOptions) {
    this.#options = options;
  }

  add(entry: RecordingEntry): TickEvents[] {
    const { stream } = entry;
    // They are of this client alone, and wait for no other one.
    const own = this.#notices.add(entry).map(tickOf);
    if (!stream) {
      if (entry.record !== 'diagnostic') return own;
      return [{ tick: -1, events: [{ what: 'diagnostic', diagnostic: entry.diagnostic }] }, ...own];
    }
    if (entry.record === 'drop') {
      this.#add(this.#connections.get(stream)?.finish() ?? []);
      this.#connections.delete(stream);
      return [...this.#take(false), ...own];
    }
    const connection = getOr(this.#connections, stream, () => this.#begin(stream));
    const ended = connection.add(entry);
    this.#add(ended);
    return ended.length > 0 ? [...this.#take(false), ...own] : own;
  }

  finish(): TickEvents[] {
    for (const connection of this.#connections.values()) this.#add(connection.finish());
    return [...this.#take(true), ...this.#notices.finish().map(tickOf)];
  }

  #begin(stream: Stream): ConnectionEvents {
    const none = (): Server => ({ newest: -1, last: new Map(), streams: new Set() });
    getOr(this.#servers, stream.server, none).streams.add(stream);
    return new ConnectionEvents(stream, this.#options);
  }

  #add(ended: readonly ConnectionTick[]): void {
    for (const of of ended) {
      const { tick, events, stream } = of;
      const server = this.#servers.get(stream.server)!;
      // Ticks begin again with another map.
      server.newest = tick < server.newest - 10 * heldTicks ? tick : Math.max(server.newest, tick);
      const held: Held = { of, events: [] };
      for (const event of events) {
        const key = textOf(event);
        const last = server.last.get(key);
        if (last && !last.clients.has(stream) && isTogether(last, tick, event.at)) {
          last.clients.add(stream);
          const { events: shared } = last.held;
          const first = shared[last.at]!;
          if (!isAction(first)) shared[last.at] = { ...first, receivers: last.clients.size } as Notice;
          continue;
        }
        server.last.set(key, { tick, time: event.at, held, at: held.events.length, clients: new Set([stream]) });
        held.events.push(event);
      }
      if (held.events.length > 0) this.#held.push(held);
      if (server.last.size > maxHeld) {
        for (const [key, { held: last }] of server.last) {
          if (last.of.tick < server.newest - heldTicks) server.last.delete(key);
        }
      }
    }
  }

  /** Those that no other client can have any more: a live client has no others. */
  #take(all: boolean): TickEvents[] {
    const isOver = ({ of: { tick, stream } }: Held) => {
      const { newest, streams } = this.#servers.get(stream.server)!;
      return all || streams.size === 1 || tick < newest - heldTicks || tick > newest;
    };
    let count = 0;
    while (count < this.#held.length && (isOver(this.#held[count]!) || this.#held.length - count > maxHeld)) count++;
    return this.#held.splice(0, count).map(({ of, events }) => ({ ...of, events: [...events] }));
  }
}

const tickOf = ({ notice, at, tick, stream }: PlacedNotice): TickEvents => ({
  tick,
  events: [{ ...notice, at }],
  ...(stream && { stream }),
});

/**
 * Whether two clients can have been told the same: in the same tick or, while one of them has no snapshots, at the same
 * time.
 */
function isTogether(first: Shared, tick: number, time = Number.NaN): boolean {
  if (Math.abs((first.time ?? Number.NaN) - time) <= arrivalSeconds) return true;
  return first.tick >= 0 && tick >= 0 && Math.abs(first.tick - tick) <= arrivalTicks;
}

/**
 * An event without its time and the numbers of named players: servers translate them for clients of another version.
 */
const textOf = ({ at: _, ...event }: GameEvent): string =>
  JSON.stringify(event, (_key, value: unknown) =>
    typeof value === 'object' && value && 'client' in value && 'name' in value && value.name !== undefined
      ? { name: value.name }
      : value,
  );
