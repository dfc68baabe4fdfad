import { getOr } from '../bytes/get-or.ts';
import type { GameMap } from '../container/map/game-map.ts';
import type { TickEvents } from '../events/event.ts';
import { EventReader } from '../events/events.ts';
import { GameState } from '../events/game-state.ts';
import { type Message, readMessage, type VersionCertainty } from '../packet/message.ts';
import { mayBeMixed, readMixedMessage, versionCertainty } from '../packet/mixed-message.ts';
import { type Protocol, protocolOf, type Schema } from '../protocol/registry.ts';
import { ticksPerSecond } from '../protocol/ticks.ts';
import { Players } from '../recording/players.ts';
import { type Track, TrackReader, type TrackSnapshot } from '../recording/track.ts';
import type { SecondBytes } from '../report/report-data.ts';
import { clock } from '../text/number.ts';
import { Characters } from './characters.ts';
import { type EventLine, eventLinesOf } from './event-text.ts';
import { Path } from './paths.ts';
import { lookOf, type PlayerLook } from './plane/skin-colours.ts';
import { lastUpTo, type Range } from './ticks.ts';

/** The snapshots in which a first character is searched. */
const openingSnapshots = 500;
/** Names and looks of players are read in every snapshot whose number is a multiple of this. */
const playersEvery = 25;

/** A track with the events, paths and item counts that result from reading all of its snapshots. */
export class Recording {
  readonly track: Track;
  readonly seconds: SecondBytes | undefined;
  readonly protocol: Protocol;
  readonly reader: TrackReader;
  /** The indices in the track of the snapshots that can be chosen. A position is an index into this list. */
  readonly shown: readonly number[];
  /** The item count of each of these snapshots; 0 if it cannot be rebuilt. */
  readonly items: Int32Array;
  readonly characters: Characters;
  /** By client number. */
  readonly paths = new Map<number, Path>();
  readonly players = new Players(true);
  /** The items of players, and whether they are in teams. */
  readonly game: GameState;
  readonly eventLines: EventLine[] = [];
  /** The names of all messages of known types. */
  readonly messageNames: { readonly tick: number; readonly name: string }[] = [];
  /** The place of the first character, and whom the picture follows there: who recorded, or the first player. */
  readonly opening: { readonly position: number; readonly followed: 'all' | 'camera' | number };
  #hasPlayers = false;

  /**
   * @param seconds the bytes of the whole recording by second, if known
   * @param map the map that was played, with which the motion of characters is computed
   */
  constructor(track: Track, schema: Schema, seconds?: SecondBytes, map?: GameMap) {
    this.track = track;
    this.seconds = seconds;
    this.protocol = protocolOf(track.version, schema);
    this.reader = new TrackReader(track, this.protocol);
    this.shown = track.snapshots.flatMap(({ shown }, i) => (shown ? [i] : []));
    this.items = new Int32Array(this.shown.length);
    this.characters = new Characters(this.protocol, map);
    this.game = new GameState(this.protocol);
    this.opening = this.#findOpening();
  }

  snapshot(position: number): TrackSnapshot {
    return this.track.snapshots[this.shown[position]!]!;
  }

  get ticks(): Range {
    return { from: this.snapshot(0).tick, to: this.snapshot(this.shown.length - 1).tick };
  }

  /** The time of a tick since the first snapshot: `0:57.70`. */
  timeOf(tick: number): string {
    return clock((tick - this.ticks.from) / ticksPerSecond);
  }

  /** The elapsed share of the time between a snapshot and the next one at a tick. */
  shareAt(position: number, tick: number): number {
    const now = this.snapshot(position).tick;
    const next = this.snapshot(Math.min(position + 1, this.shown.length - 1)).tick;
    return next > now ? Math.max(0, Math.min(1, (tick - now) / (next - now))) : 0;
  }

  /** The position of the last snapshot at or before a tick; 0 if there is none. */
  positionOf(tick: number): number {
    return Math.max(
      0,
      lastUpTo(this.shown.length, (i) => this.snapshot(i).tick, tick),
    );
  }

  /** How a player is drawn; undefined if it has not announced itself. */
  lookOf(client: number): PlayerLook | undefined {
    const info = this.players.infoOf(client);
    const team = this.game.hasTeams ? (this.players.teamOf(client) === 1 ? 'blue' : 'red') : undefined;
    return info && { ...lookOf(info, this.protocol.version), team };
  }

  /** The client number of the player who recorded a snapshot; undefined if the snapshot does not contain it. */
  localAt(position: number): number | undefined {
    const snapshot = this.reader.snapshot(this.shown[position]!);
    if (!snapshot) return undefined;
    const { playerInfos, clientInfos } = this.game.items;
    for (const fields of [playerInfos, clientInfos]) {
      const local = fields.all(snapshot).find((i) => fields.get(snapshot, i, 'local') === 1);
      if (local !== undefined) return snapshot.id(local);
    }
    return undefined;
  }

  #findOpening(): Recording['opening'] {
    for (let position = 0; position < Math.min(openingSnapshots, this.shown.length); position++) {
      const snapshot = this.reader.snapshot(this.shown[position]!);
      const clients = snapshot ? this.characters.all(snapshot).map((i) => snapshot.id(i)) : [];
      const local = this.localAt(position);
      const isSeen = local !== undefined && clients.includes(local);
      if (clients.length > 0) return { position, followed: isSeen ? 'camera' : clients[0]! };
    }
    return { position: 0, followed: 'all' };
  }

  /** Reads the whole track. It often yields the share that it has read, so that the page can respond. */
  *read(): Generator<number, true> {
    const { markers, messages } = this.track;
    const reader = new EventReader();
    reader.add({ record: 'header', header: { markers, length: 0 }, stream: { protocol: this.protocol } });
    let tick = -1;
    let read = 0;
    const beginTick = (now: number) => {
      if (now < 0 || now === tick) return;
      tick = now;
      const ended = reader.add({ record: 'tick', tick });
      if (ended) this.#addLines(ended);
    };
    const readMessages = (upTo: number) => {
      for (; read < messages.length && messages[read]!.after <= upTo; read++) {
        const { tick: now, bytes } = messages[read]!;
        beginTick(now);
        const { message, certainty } = this.#readMessage(bytes);
        reader.add({ record: 'message', bytes, message, certainty });
        // Messages of the other version have the player numbers of their receivers.
        if (message.version === undefined) this.players.onMessage(message);
        if (message.type) this.messageNames.push({ tick: Math.max(now, this.ticks.from), name: message.type.name });
      }
    };
    for (const [position, index] of this.shown.entries()) {
      readMessages(index);
      const { kind, tick: now } = this.track.snapshots[index]!;
      beginTick(now);
      const snapshot = this.reader.snapshot(index);
      if (snapshot) {
        const before = this.reader.before(index);
        this.items[position] = snapshot.count;
        reader.add({ record: 'snapshot', tick, kind, snapshot, before: position > 0 ? before : undefined });
        for (const i of this.characters.all(snapshot)) {
          const client = snapshot.id(i);
          const { x, y } = this.characters.at(snapshot, i, tick).core;
          getOr(this.paths, client, () => new Path(client)).add(x, y, tick, position);
        }
        if (position % playersEvery === 0) {
          this.players.onSnapshot(snapshot, this.protocol);
          this.game.onSnapshot(snapshot);
        }
      }
      yield position / this.shown.length;
    }
    readMessages(Number.POSITIVE_INFINITY);
    for (const ended of reader.finish()) this.#addLines(ended);
    return true;
  }

  #readMessage(bytes: Uint8Array): { message: Message; certainty: VersionCertainty | undefined } {
    const options = { padded: true };
    if (!this.track.mixesVersions && !mayBeMixed(this.protocol.version, true, bytes[0])) {
      return { message: readMessage(bytes, 0, bytes.length, this.protocol, options), certainty: undefined };
    }
    const message = readMixedMessage(bytes, this.protocol, options);
    return { message, certainty: versionCertainty(message, bytes, this.protocol, options) };
  }

  /**
   * Adds the events of a tick. Joins before the first list of players are left out, because servers announce all present players to
   * a new client.
   */
  #addLines({ tick, events }: TickEvents): void {
    const shown = events.filter(({ what }) => what !== 'joined' || this.#hasPlayers);
    this.#hasPlayers ||= events.some(({ what }) => what === 'players_present');
    this.eventLines.push(...eventLinesOf(Math.max(tick, this.ticks.from), shown));
  }
}
