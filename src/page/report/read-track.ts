import { Broadcasts, isBroadcast } from '../../recording/events/broadcast.ts';
import type { PlacedNotice } from '../../recording/events/connection-notices.ts';
import type { TickEvents } from '../../recording/events/event.ts';
import { type PlayerInfo, Players } from '../../recording/events/players.ts';
import type { MessageEntry, SnapshotEntry } from '../../recording/replay/record.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import { ItemFields } from '../../wire/snapshot/item-fields.ts';
import { type EventLine, eventLinesOf } from './event-lines.ts';
import { TrackEvents } from './track-events.ts';

/** A player with an event or a character in a track, with what was announced last. */
interface SeenPlayer {
  readonly client: number;
  /** Whether there is a character. */
  readonly isSeen: boolean;
  readonly info: PlayerInfo | undefined;
  readonly team: number;
}

/** What results from reading all of a track. */
export interface ReadTrack {
  readonly events: readonly EventLine[];
  /** The item count of each snapshot that is shown; 0 if it cannot be rebuilt. */
  readonly items: Int16Array;
  readonly players: readonly SeenPlayer[];
}

/** Names of players are read in every snapshot whose number is a multiple of this. */
const playersEvery = 25;

/** Gathers what a page has of a track besides its bytes, while its records are read. */
export class TrackReading {
  readonly #protocol: Protocol;
  readonly #events: TrackEvents;
  readonly #players = new Players(true);
  readonly #characters: ItemFields;
  readonly #seen = new Set<number>();
  readonly #items: number[] = [];
  readonly #lines: (EventLine & { readonly at?: number | undefined })[] = [];
  /** The line that a broadcast has, which says how often it came. */
  readonly #broadcasts = new Broadcasts<{ readonly tick: number; readonly line: number }>();
  #first = -1;
  #firstTime = Number.NaN;
  #hasPlayers = false;

  constructor(protocol: Protocol, markers: readonly number[]) {
    this.#protocol = protocol;
    // Lines have no actions.
    this.#events = new TrackEvents(protocol, markers, { withActions: false });
    this.#characters = new ItemFields(protocol, 'obj_character');
  }

  onMessage(entry: Pick<MessageEntry, 'record' | 'bytes' | 'message' | 'certainty'>, tick: number): void {
    this.#addLines(this.#events.add(entry, tick));
    // Messages of the other version have the player numbers of their receivers.
    if (entry.message.version === undefined) this.#players.onMessage(entry.message);
  }

  onSnapshot({ record, tick, kind, snapshot, before, time = Number.NaN }: SnapshotEntry): void {
    if (this.#first < 0) {
      this.#first = tick;
      this.#firstTime = time;
    }
    this.#addLines(this.#events.add({ record, tick, kind, snapshot, before }, tick));
    const number = this.#items.push(snapshot?.count ?? 0) - 1;
    if (!snapshot) return;
    for (const i of this.#characters.all(snapshot)) this.#seen.add(snapshot.id(i));
    if (number % playersEvery === 0) this.#players.onSnapshot(snapshot, this.#protocol);
  }

  /** What becomes of the connection, also what is known only at its end. */
  onConnection({ notice, tick, at }: PlacedNotice): void {
    this.#lines.push(...eventLinesOf(tick, [{ ...notice, at }]));
  }

  finish(): ReadTrack {
    for (const ended of this.#events.finish()) this.#addLines(ended);
    this.#lines.sort((a, b) => a.tick - b.tick || a.at! - b.at! || 0);
    const actors = this.#lines.flatMap((line) => line.actors ?? []);
    const clients = [...new Set([...this.#seen, ...actors.map(({ client }) => client)])].sort((a, b) => a - b);
    return {
      events: this.#lines.map(({ at = Number.NaN, ...line }) => {
        if (line.tick >= this.#first) return line;
        // There is nothing to show before the first snapshot, but a capture has the time.
        const seconds = at - this.#firstTime;
        return { ...line, tick: this.#first, ...(seconds < 0 && { seconds }) };
      }),
      items: Int16Array.from(this.#items),
      players: clients.map((client) => ({
        client,
        isSeen: this.#seen.has(client),
        info: this.#players.infoOf(client),
        team: this.#players.teamOf(client),
      })),
    };
  }

  /**
   * Joins before the first list of players are left out, because servers announce all present players to a new client.
   */
  #addLines(ended: TickEvents | undefined): void {
    if (!ended) return;
    const { tick, events: all } = ended;
    const shown = all.filter(({ what }) => what !== 'join' || this.#hasPlayers);
    this.#hasPlayers ||= all.some(({ what }) => what === 'players_present');
    const place = { tick, line: this.#lines.length };
    const events = shown.filter((event) => !this.#broadcasts.again(event, place));
    if (events.length < shown.length) this.#retell();
    let begin = 0;
    for (const [i, event] of events.entries()) {
      if (!isBroadcast(event)) continue;
      this.#lines.push(...eventLinesOf(tick, events.slice(begin, i)));
      this.#broadcasts.begin(event, { tick, line: this.#lines.length }, false);
      begin = i;
    }
    this.#lines.push(...eventLinesOf(tick, events.slice(begin)));
  }

  /** Says in the line of a broadcast how often it came so far. */
  #retell(): void {
    const { notice, from } = this.#broadcasts.counted!;
    const [line] = eventLinesOf(from.tick, [notice]);
    if (line) this.#lines[from.line] = line;
  }
}
