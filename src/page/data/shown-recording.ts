import { escapeText } from '../../output/text/escape.ts';
import { clock } from '../../output/text/number.ts';
import { GameState } from '../../recording/events/game-state.ts';
import { Players } from '../../recording/events/players.ts';
import type { MessageEntry, SnapshotEntry } from '../../recording/replay/record.ts';
import type { Stream } from '../../recording/replay/stream.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { bytesOfInts } from '../../wire/codec/int32.ts';
import { type Message, readMessage, type VersionCertainty } from '../../wire/packet/message.ts';
import { mayBeMixed, readMixedMessage, versionCertainty } from '../../wire/packet/mixed-message.ts';
import { unwrap } from '../../wire/payload/encoding-layers.ts';
import { isSnapshotOrTiming } from '../../wire/protocol/message-registry.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { defaultTuning } from '../../wire/protocol/tuning.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { EventLine } from '../report/event-lines.ts';
import type { ReportData, SecondBytes } from '../report/report-data.ts';
import { clientOf, type Track, type TrackMessage, TrackReader, type TrackSnapshot } from '../report/track.ts';
import { Characters } from './characters.ts';
import { lastUpTo, type Range } from './marks.ts';
import { type MatchState, matchState } from './match-state.ts';
import { Path } from './paths.ts';
import { lookOf, type PlayerLook } from './skin-colours.ts';

/** The snapshots in which a first character is searched. */
const openingSnapshots = 500;
/** Without one who records, the page opens on who takes part in most events of so many ticks. */
const openingTicks = 60 * ticksPerSecond;
/** What of a report a recording is made of. */
type RecordingData = Pick<ReportData, 'tracks' | 'reads' | 'schema' | 'seconds' | 'map'>;

/** A record of a track. */
export type PageEntry = { readonly stream: Pick<Stream, 'protocol'>; readonly tick: number } & (
  | Pick<MessageEntry, 'record' | 'direction' | 'bytes' | 'message' | 'head' | 'certainty'>
  | (Pick<SnapshotEntry, 'record' | 'kind' | 'snapshot' | 'before'> & { readonly position: number })
);

interface ReadMessage {
  readonly message: Message;
  readonly certainty: VersionCertainty | undefined;
}

/** The bytes of a message of a track: those of a demo are packed as ints and compressed. */
export const messageBytes = ({ bytes, chunk }: TrackMessage): Uint8Array =>
  chunk === undefined ? bytes : bytesOfInts(unwrap(bytes, 'huffman').ints);

interface Place {
  readonly x: number;
  readonly y: number;
}

/** A track, what was read of it, and the paths of its players. */
export class Recording {
  readonly track: Track;
  readonly seconds: SecondBytes | undefined;
  readonly protocol: Protocol;
  readonly reader: TrackReader;
  /** The indices in the track of the snapshots that can be chosen. A position is an index into this list. */
  readonly shown: readonly number[];
  /** The item count of each of these snapshots; 0 if it cannot be rebuilt. */
  readonly items: Int16Array;
  readonly characters: Characters;
  /** By client number, as far as they have been read. */
  readonly paths = new Map<number, Path>();
  readonly players = new Players(true);
  /** The items of players, and whether they are in teams. */
  readonly game: GameState;
  readonly eventLines: readonly EventLine[];
  readonly #tunings: readonly EventLine[];
  /** The players whose characters are in the track. */
  readonly clients: readonly number[];
  /** The place of the first character, and whom the picture follows there: who recorded, or the first player. */
  readonly opening: { readonly position: number; readonly followed: 'all' | 'camera' | number };

  /** @param number that of a track in the report */
  constructor({ tracks, reads, schema, seconds, map }: RecordingData, number = 0) {
    const track = tracks[number]!;
    this.track = track;
    this.seconds = seconds;
    this.reader = new TrackReader(track, schema);
    this.protocol = this.reader.protocol;
    this.shown = track.snapshots.flatMap(({ shown }, i) => (shown ? [i] : []));
    const read = reads?.[number];
    this.items = read?.items ?? new Int16Array(this.shown.length);
    this.eventLines = read?.events ?? [];
    this.#tunings = this.eventLines.filter(({ tuned }) => tuned);
    this.clients = read?.players.flatMap(({ client, isSeen }) => (isSeen ? client : [])) ?? [];
    this.characters = new Characters(this.protocol, map);
    this.game = new GameState(this.protocol);
    for (const { client, info, team } of read?.players ?? []) if (info) this.players.add(client, info, team);
    this.opening = this.#findOpening();
    this.see(this.opening.position);
  }

  /** Reads the players and the kind of game from a snapshot. */
  see(position: number): void {
    const snapshot = this.rebuilt(position);
    if (!snapshot) return;
    this.players.onSnapshot(snapshot, this.protocol);
    this.game.onSnapshot(snapshot);
  }

  /** A snapshot; undefined if it cannot be rebuilt. */
  rebuilt(position: number): Snapshot | undefined {
    return this.reader.snapshot(this.shown[position]!);
  }

  /** What the game shows above the match. */
  matchAt(position: number, tick = this.snapshot(position).tick): MatchState | undefined {
    const snapshot = this.rebuilt(position);
    return snapshot && matchState(this.game, snapshot, tick);
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

  /** The name that a player has announced; undefined for none. All lists of the page name players by it. */
  nameOf(client: number): string | undefined {
    return this.players.infoOf(client)?.name || undefined;
  }

  /** A player in a list: the name, or `player 3`. */
  playerText(client: number): string {
    const name = this.nameOf(client);
    return name === undefined ? `player ${client}` : escapeText(name);
  }

  /** How a player is drawn; undefined if it has not announced itself. */
  lookOf(client: number): PlayerLook | undefined {
    const info = this.players.infoOf(client);
    const team = this.game.hasTeams ? (this.players.teamOf(client) === 1 ? 'blue' : 'red') : undefined;
    return info && lookOf(info, this.protocol.version, team);
  }

  /** The client number of the player who recorded a snapshot; undefined if the snapshot does not contain it. */
  localAt(position: number): number | undefined {
    const snapshot = this.rebuilt(position);
    if (!snapshot) return undefined;
    const { playerInfos, clientInfos } = this.game.items;
    for (const fields of [playerInfos, clientInfos]) {
      const local = fields.all(snapshot).find((i) => fields.get(snapshot, i, 'local') === 1);
      if (local !== undefined) return snapshot.id(local);
    }
    return undefined;
  }

  /** The client number of who is followed: who recorded (`camera`), or a player. */
  followedAt(position: number, followed: number | string): number | undefined {
    const client = followed === 'camera' ? this.localAt(position) : followed;
    return typeof client === 'number' ? client : undefined;
  }

  /** What a server set a tune param to, up to a tick, or its default; 0 if no game has it. */
  tuned(name: string, tick: number): number {
    const changes = this.#tunings.flatMap((line) => (line.tick <= tick ? line.tuned! : []));
    return changes.findLast((change) => change.name === name)?.new ?? (defaultTuning(name) ?? 0) / 100;
  }

  /** Where the client of a spectator looks, in units. */
  watchedAt(position: number): Place | undefined {
    const snapshot = this.rebuilt(position);
    const { spectators } = this.game.items;
    const [i] = snapshot ? spectators.all(snapshot) : [];
    return i === undefined ? undefined : { x: spectators.get(snapshot!, i, 'x'), y: spectators.get(snapshot!, i, 'y') };
  }

  /** Where a player is in a snapshot, in units; undefined if it does not contain the character. */
  placeOf(position: number, client: number): Place | undefined {
    const snapshot = this.rebuilt(position);
    const i = snapshot ? this.characters.find(snapshot, client) : -1;
    return i < 0 ? undefined : this.characters.at(snapshot!, i, this.snapshot(position).tick).core;
  }

  #findOpening(): Recording['opening'] {
    for (let position = 0; position < Math.min(openingSnapshots, this.shown.length); position++) {
      const snapshot = this.rebuilt(position);
      const clients = snapshot ? this.characters.all(snapshot).map((i) => snapshot.id(i)) : [];
      const local = this.localAt(position);
      const isSeen = local !== undefined && clients.includes(local);
      if (clients.length > 0) return { position, followed: isSeen ? 'camera' : this.#busiest(clients, position) };
    }
    return { position: 0, followed: 'all' };
  }

  /** Who of some players takes part in most events after a position. */
  #busiest(clients: readonly number[], position: number): number {
    const { tick } = this.snapshot(position);
    const near = this.eventLines.filter((line) => line.tick >= tick && line.tick <= tick + openingTicks);
    const eventsOf = (client: number) =>
      near.filter(({ actors = [] }) => actors.some((actor) => actor.client === client)).length;
    const events = clients.map(eventsOf);
    return clients[events.indexOf(Math.max(...events))]!;
  }

  /** The messages and snapshots of the track in their order. */
  *entries(): Generator<PageEntry> {
    const { messages } = this.track;
    const stream = { protocol: this.protocol };
    let read = 0;
    const upTo = (index: number) => {
      const start = read;
      while (read < messages.length && messages[read]!.after <= index) read++;
      return messages.slice(start, read).flatMap((sent): PageEntry | [] => {
        const bytes = messageBytes(sent);
        // The network's snapshots, which demos of a server have, are those of other connections.
        if (isSnapshotOrTiming(bytes, this.protocol.version)) return [];
        const { message, certainty } = this.readMessage(sent, bytes);
        const { tick } = sent;
        return { record: 'message', direction: 'to_client', stream, tick, bytes, message, head: message, certainty };
      });
    };
    for (const [position, index] of this.shown.entries()) {
      yield* upTo(index);
      const { kind, tick } = this.track.snapshots[index]!;
      const snapshot = this.reader.snapshot(index);
      const before = snapshot && position > 0 ? this.reader.before(index) : undefined;
      yield { record: 'snapshot', stream, tick, kind, snapshot, before, position };
    }
    yield* upTo(Number.POSITIVE_INFINITY);
  }

  /** Reads the paths of players. It often yields the share that it has read, so that the page can respond. */
  *readPaths(): Generator<number, true> {
    const { characters, shown, reader } = this;
    for (const [position, index] of shown.entries()) {
      const snapshot = reader.snapshot(index);
      const { tick } = this.snapshot(position);
      for (const i of snapshot ? characters.all(snapshot) : []) {
        const client = snapshot!.id(i);
        const { x, y } = characters.at(snapshot!, i, tick).core;
        getOr(this.paths, client, () => new Path(client)).add(x, y, tick, position);
      }
      yield position / shown.length;
    }
    return true;
  }

  /** Reads a message of the track; one of a demo, which has no client, is padded with zeros. */
  readMessage(sent: TrackMessage, bytes = messageBytes(sent)): ReadMessage {
    const options = { padded: clientOf(this.track) === '' };
    if (!this.track.mixesVersions && !mayBeMixed(this.protocol.version, true, bytes[0])) {
      return { message: readMessage(bytes, 0, bytes.length, this.protocol, options), certainty: undefined };
    }
    const message = readMixedMessage(bytes, this.protocol, options);
    return { message, certainty: versionCertainty(message, bytes, this.protocol, options) };
  }
}
