import type { DemoHeader } from '../recording/container/demo/header.ts';
import { type GhostRun, ghostCharacter, ghostClientInfo, writeGhost } from '../recording/container/ghost/ghost.ts';
import { raceTime06 } from '../recording/events/game-state.ts';
import { finishInChat, finishOf } from '../recording/events/message-events.ts';
import type { PlayerChoice } from '../recording/events/player-choice.ts';
import { Players } from '../recording/events/players.ts';
import { MapSummary } from '../recording/replay/map-summary.ts';
import type { MessageEntry, RecordingEntry, SnapshotEntry } from '../recording/replay/record.ts';
import { MessageFields } from '../wire/packet/message.ts';
import { ticksPerSecond } from '../wire/protocol/ticks.ts';
import { ItemFields } from '../wire/snapshot/item-fields.ts';

export interface FinishedRun extends GhostRun {
  readonly player: string;
  /** In milliseconds. */
  readonly time: number;
  readonly finishTick: number;
}

const fieldNames = ghostCharacter.fields.map(({ name }) => name);
/** DDNet does not write the vertical speed, and a frozen player holds a ninja. */
const velYAt = fieldNames.indexOf('vel_y');
const weaponAt = fieldNames.indexOf('weapon');
const tickAt = fieldNames.indexOf('tick');
const ninja = 5;
const ghostBugFlag = 1 << 17;
/** Collects the finished runs of a player in a demo, as DDNet's client would record them. */
export class GhostRuns {
  readonly runs: FinishedRun[] = [];
  readonly #player: PlayerChoice | undefined;
  readonly #players = new Players();
  readonly #map = new MapSummary();
  #header: DemoHeader | undefined;
  #characters: Int32Array[] = [];
  #skin = new Int32Array(ghostClientInfo.size - 4);
  /** The start of the run; undefined where no snapshot has shown one since the last finish. */
  #start: number | undefined;
  /** The race tick of the last snapshot, -1 for none. */
  #raceTick = -1;
  #tick = -1;
  #fields: Readonly<Record<'characters' | 'frozen' | 'infos' | 'game' | 'gameEx' | 'races', ItemFields>> | undefined;

  /** @param player by default the one whose client recorded the demo */
  constructor(player?: PlayerChoice) {
    this.#player = player;
  }

  add(entry: RecordingEntry): void {
    this.#player?.follow(entry);
    if (entry.record === 'header') this.#header = entry.header;
    else if (entry.record === 'map') this.#map.add(entry.piece);
    else if (entry.record === 'tick') this.#tick = entry.tick;
    else if (entry.record === 'snapshot') this.#onSnapshot(entry);
    else if (entry.record === 'message') this.#onMessage(entry);
  }

  /** A run as a file. The map's SHA-256 is that of the header, or of the map in the demo; 0 if it has neither. */
  write({ player, time, ...run }: FinishedRun): Uint8Array {
    const mapName = this.#header?.mapName ?? '';
    return writeGhost({ owner: player, mapName, mapSha256: this.mapSha256, time }, run);
  }

  get map(): RunMap {
    return { name: this.#header?.mapName ?? '', crc: this.#header?.mapCrc, sha256: this.mapSha256 };
  }

  get mapSha256(): string | undefined {
    return this.#header?.sha256 ?? (this.#map.bytes > 0 ? this.#map.sha256 : undefined);
  }

  get #client(): number | undefined {
    const { local } = this.#players;
    return !this.#player || (local !== undefined && this.#player.has(local)) ? local : this.#player.client;
  }

  #onSnapshot({ snapshot, stream: { protocol }, tick }: SnapshotEntry): void {
    // Ghosts have the items of 0.6.
    if (!snapshot || protocol.version === '0.7') return;
    this.#tick = tick;
    this.#players.onSnapshot(snapshot, protocol);
    const client = this.#client;
    if (client === undefined) return;
    this.#fields ??= {
      characters: new ItemFields(protocol, 'obj_character'),
      frozen: new ItemFields(protocol, 'ddnet_character'),
      infos: new ItemFields(protocol, 'obj_client_info'),
      game: new ItemFields(protocol, 'obj_game_info'),
      gameEx: new ItemFields(protocol, 'game_info_ex'),
      races: new ItemFields(protocol, 'obj_player_info_race'),
    };
    const { characters, frozen, infos, game, gameEx, races } = this.#fields;
    frozen.register(snapshot);
    gameEx.register(snapshot);
    const info = infos.find(snapshot, client);
    const size = snapshot.size(Math.max(0, info));
    // The skin, and the colours after it, are the last fields.
    if (info >= 0) this.#skin = snapshot.item(info).slice(size - this.#skin.length, size);
    const race = races.find(snapshot, client);
    const [gameInfo] = game.all(snapshot);
    const hasTime = gameInfo !== undefined && (game.get(snapshot, gameInfo, 'game_state_flags') & raceTime06) !== 0;
    const [ex] = gameEx.all(snapshot);
    const isLate = ex !== undefined && (gameEx.get(snapshot, ex, 'flags') & ghostBugFlag) !== 0;
    if (race >= 0) this.#onRaceTick(races.get(snapshot, race, 'race_start_tick'), isLate);
    else if (!hasTime) this.#raceTick = -1;
    else if (client === this.#players.local) this.#onRaceTick(-game.get(snapshot, gameInfo, 'warmup_timer'), isLate);
    const at = characters.find(snapshot, client);
    if (at < 0) return;
    // A character that moves as expected is not sent again.
    if (characters.get(snapshot, at, 'tick') === this.#characters.at(-1)?.[tickAt]) return;
    const values = Int32Array.from(fieldNames, (name) => characters.get(snapshot, at, name));
    values[velYAt] = 0;
    const ofDDNet = frozen.find(snapshot, client);
    if (ofDDNet >= 0 && frozen.get(snapshot, ofDDNet, 'freeze_end') !== 0) values[weaponAt] = ninja;
    this.#characters.push(values);
  }

  /**
   * As for the client, a run begins where the race tick becomes one of the last second: servers also shift it, as
   * penalties do.
   */
  #onRaceTick(raceTick: number, isLate: boolean): void {
    const isStart = raceTick !== this.#raceTick && this.#tick - raceTick < ticksPerSecond;
    this.#raceTick = raceTick;
    if (!isStart) return;
    this.#start = isLate ? raceTick - 1 : raceTick;
    this.#characters = [];
  }

  #onMessage({ head, message, direction }: MessageEntry): void {
    const name = direction === 'to_client' && head.version === undefined ? (head.type?.name ?? '') : '';
    if (!/^sv_(clientinfo|racefinish|ddracetime|chat)/.test(name)) return;
    if (name === 'sv_clientinfo') {
      this.#players.onMessage(message);
      return;
    }
    const fields = new MessageFields(message);
    const { local } = this.#players;
    if (name === 'sv_racefinish') this.#onFinish(fields.int('client_id'), finishOf(name, fields).time);
    else if (name !== 'sv_chat') {
      if (fields.int('finish') === 1 && local !== undefined) this.#onFinish(local, finishOf(name, fields).time);
    } else if (fields.int('client_id') === -1) {
      const finish = finishInChat(fields.text('message'));
      const client = finish && this.#players.clientOf(finish.name);
      if (client !== undefined) this.#onFinish(client, finish!.time);
    }
  }

  #onFinish(client: number, time: number): void {
    const last = this.runs.at(-1);
    const isAnnounced = this.#start === undefined && last && this.#tick - last.finishTick <= ticksPerSecond;
    if (client !== this.#client || isAnnounced) return;
    const startTick = this.#start ?? this.#tick - Math.ceil((time * ticksPerSecond) / 1000);
    const characters = this.#characters.filter((values) => values[tickAt]! > startTick);
    this.#characters = [];
    this.#start = undefined;
    if (characters.length === 0 || time <= 0) return;
    const player = this.#players.nameOf(client) ?? '';
    this.runs.push({ player, time, startTick, finishTick: this.#tick, skin: this.#skin, characters });
  }
}

/** The map of a run, as far as its file names it: ghosts have a CRC-32 up to version 5, and a SHA-256 since. */
export interface RunMap {
  readonly name: string;
  readonly crc: number | undefined;
  readonly sha256: string | undefined;
}

/** Whether two runs are on one map; undefined where the names are the same and the files have no sum in common. */
export function areOnOneMap(first: RunMap, second: RunMap): boolean | undefined {
  if (first.name !== second.name) return false;
  if (first.sha256 !== undefined && second.sha256 !== undefined) return first.sha256 === second.sha256;
  return first.crc === undefined || second.crc === undefined ? undefined : first.crc === second.crc;
}
