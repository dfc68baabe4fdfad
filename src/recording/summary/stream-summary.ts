import { type Message, messageName, type VersionCertainty, valueNamed } from '../../wire/packet/message.ts';
import { isSnapshotOrTiming } from '../../wire/protocol/message-registry.ts';
import type { MessageType } from '../../wire/protocol/message-type.ts';
import { defaultTuning, isDefaultTuning } from '../../wire/protocol/tuning.ts';
import { sideOf, timeoutOf } from '../events/connection-notices.ts';
import { GameState } from '../events/game-state.ts';
import { Players } from '../events/players.ts';
import { countedKind, type Outcome, outcomeOf } from '../health/checksums.ts';
import { ItemValues, namesClients } from '../health/odd-values.ts';
import { Oddities } from '../health/oddities.ts';
import { type JudgeInput, TickJudge } from '../judge/tick-judge.ts';
import type { MessageEntry, SnapshotEntry } from '../replay/record.ts';
import type { ConnectionEnd, ConnectionStream, Direction, Stream } from '../replay/stream.ts';
import { InputTiming } from './input-timing.ts';
import { SnapshotRates } from './snapshot-rates.ts';

/** Beyond this number, kinds of messages share a count: some can have any UUID. */
const maxMessageKinds = 1000;

const summarised: ReadonlySet<string> = new Set([
  'map_change',
  'cl_startinfo',
  'cl_changeinfo',
  'sv_chat',
  'sv_clientinfo',
  'sv_ddracetime',
  'sv_gameinfo',
  'sv_racefinish',
  'sv_tuneparams',
]);

/**
 * Whether a message says that a player finishes: 0.7 and DDNet have messages for it, DDNet's servers say it in the
 * chat, too.
 */
function isFinish(name: string, value: (field: string) => unknown): boolean {
  if (name === 'sv_racefinish') return true;
  if (name === 'sv_ddracetime') return value('finish') === 1;
  return name === 'sv_chat' && value('client_id') === -1 && / finished in: /.test(String(value('message')));
}

export class StreamSummary {
  readonly stream: Stream;
  /** The stream as a connection; undefined in demos. */
  connection: ConnectionStream | undefined;
  readonly kinds: Record<SnapshotEntry['kind'], number> = { snapshot: 0, delta: 0, empty: 0 };
  readonly #outcomes: Record<Outcome, number> = {
    matched: 0,
    mismatched: 0,
    missing_base: 0,
    missing_part: 0,
    damaged: 0,
  };
  /** The maxima of one snapshot: items, bytes in the games' memory, bytes of its payload. */
  readonly peaks = { items: 0, snapshotBytes: 0, payloadBytes: 0 };
  /** The rates at which the server of a connection sent snapshots. */
  readonly rates = new SnapshotRates();
  /** The tick of the last full snapshot, and the longest way from one to the next. */
  readonly #keyframes = { last: -1, apart: 0 };
  readonly #messages: Readonly<Record<Direction, Map<string, number>>> = { to_client: new Map(), to_server: new Map() };
  /** Messages of one kind in a row, which are counted together: a server's demo has one to every client. */
  #run: { readonly type: MessageType; readonly direction: Direction; times: number } | undefined;
  /**
   * Messages that were read in the other version, and those that make sense in both or none, by how sure the version
   * is.
   */
  readonly otherVersion: Record<VersionCertainty, number> = { certain: 0, likely: 0, ambiguous: 0, neither: 0 };
  readonly names = new Players();
  /** How late things came. */
  readonly lag = new InputTiming();
  /** What no game writes, or its receiver drops, and how often. */
  readonly oddities = new Oddities();
  /** What the tables do not have, and what clients do not take. */
  readonly items = new ItemValues();
  readonly maps = new Set<string>();
  #game: GameState | undefined;
  /** The tick of the last message that says that a player finishes: -1 before the first tick, undefined without one. */
  lastFinish: number | undefined;
  /**
   * The tune params that differ from the games' defaults, each with its last value, times 100, and the tick from which
   * it differs.
   */
  readonly tuning = new Map<string, { readonly value: number; readonly tick: number }>();
  hasTuning = false;
  #tuned: Message | undefined;
  /** The first tick marker or snapshot, -1 without any. */
  firstTick = -1;
  /** The last one rather than the highest, since a damaged one may be far off. */
  lastTick = -1;
  readonly #judge = new TickJudge();
  /**
   * The name that the client requested, and those that the server assigned to it: by a message, and first in a
   * snapshot.
   */
  readonly #named: { own?: string; announced?: string; assigned?: string } = {};

  constructor(stream: Stream) {
    this.stream = stream;
  }

  /** Which game it is, as the last whole snapshot says, or the message of 0.7. */
  get game(): GameState {
    const { protocol } = this.stream;
    if (this.#game?.protocol !== protocol) this.#game = new GameState(protocol);
    return this.#game;
  }

  get player(): string | undefined {
    return this.#named.own ?? this.#named.announced ?? this.#named.assigned;
  }

  /** What ends a connection, in a word; undefined where its end is not seen. */
  get end(): 'client' | 'server' | 'timeout' | undefined {
    if (!this.connection) return undefined;
    if (this.connection.end) return sideOf(this.connection.end.direction);
    return timeoutOf(this.connection) && 'timeout';
  }

  /** Adds a record of a demo to what is known of its ticks. */
  follow(entry: JudgeInput): void {
    this.#judge.add(entry);
  }

  /** What is known of the ticks of a demo, up to here. */
  get judge(): TickJudge {
    this.#judge.finish();
    return this.#judge;
  }

  /** The snapshots with an announced checksum, and those that cannot be rebuilt. */
  get outcomes(): Readonly<Record<Outcome, number>> {
    const { matched, mismatched } = this.#judge.sums;
    return this.connection ? this.#outcomes : { ...this.#outcomes, matched, mismatched };
  }

  get close(): ConnectionEnd | undefined {
    return this.connection?.end;
  }

  /** The ticks that a player who jumps to any tick replays at most: from one keyframe to the next, or to the end. */
  get longestReplay(): number {
    const { last, apart } = this.#keyframes;
    return last < 0 ? 0 : Math.max(apart, this.lastTick - last);
  }

  get hasFinish(): boolean {
    return this.lastFinish !== undefined;
  }

  get snapshots(): number {
    return this.kinds.snapshot + this.kinds.delta;
  }

  get messages(): Readonly<Record<Direction, ReadonlyMap<string, number>>> {
    this.#endRun();
    return this.#messages;
  }

  get messageCount(): number {
    const { to_client, to_server } = this.messages;
    return [...to_client.values(), ...to_server.values()].reduce((sum, count) => sum + count, 0);
  }

  onTick(tick: number): void {
    if (this.firstTick < 0) this.firstTick = tick;
    this.lastTick = tick;
  }

  onSnapshot(entry: SnapshotEntry): void {
    const { tick, base, kind, snapshot, delta, verdict, bytes, uncertain } = entry;
    const { kinds, peaks, names, connection } = this;
    this.onTick(tick);
    const counted = countedKind(entry);
    kinds[counted]++;
    if (verdict !== 'unchecked' && counted !== 'empty') this.#outcomes[outcomeOf[verdict]]++;
    peaks.payloadBytes = Math.max(peaks.payloadBytes, bytes);
    // The keyframes of a demo were not sent by a server.
    if (connection) this.rates.add(tick, base === -1, connection.mapChanges);
    else if (kind === 'snapshot') this.#onKeyframe(tick);
    if (!snapshot) return;
    peaks.items = Math.max(peaks.items, snapshot.count);
    peaks.snapshotBytes = Math.max(peaks.snapshotBytes, 4 * snapshot.intCount);
    const { protocol } = this.stream;
    const isNamed = this.player !== undefined;
    if (!delta || !isNamed || Players.areIn(delta, protocol)) names.onSnapshot(snapshot, protocol);
    if (!uncertain && verdict !== 'mismatch') this.items.onSnapshot(snapshot, delta, tick, this.stream);
    // Which game it is stays, and its item is registered with it.
    if (!delta || delta.hasType(0)) this.game.onSnapshot(snapshot);
    if (!isNamed) this.#setName('assigned', names.local !== undefined && names.nameOf(names.local));
  }

  onMessage(entry: MessageEntry): void {
    const { direction } = entry;
    const { type } = entry.head;
    const run = this.#run;
    if (type && type === run?.type && direction === run.direction) run.times++;
    else {
      this.#endRun();
      if (type) this.#run = { type, direction, times: 1 };
      else this.#count(direction, messageName(entry.head));
    }
    this.#onVersion(entry);
    if (this.connection) this.lag.add(entry);
    if (type && direction === 'to_client' && this.stream.protocol.version === '0.6' && namesClients(type))
      this.items.onMessage(entry);
    if (type?.name === 'sv_tuneparams') this.#onTuning(entry);
    else if (type && summarised.has(type.name)) this.#onValues(type.name, entry);
  }

  #onKeyframe(tick: number): void {
    const { last, apart } = this.#keyframes;
    if (last >= 0) this.#keyframes.apart = Math.max(apart, tick - last);
    this.#keyframes.last = tick;
  }

  #endRun(): void {
    const run = this.#run;
    if (run) this.#count(run.direction, run.type.name, run.times);
    this.#run = undefined;
  }

  /** Snapshots and timings are most messages, and are only of the other version if their heads say so. */
  #onVersion(entry: MessageEntry): void {
    const { head, stream, bytes } = entry;
    if (head.version === undefined && (!stream.mixesVersions || isSnapshotOrTiming(bytes, stream.protocol.version)))
      return;
    const { certainty } = entry;
    const isCounted = head.version !== undefined || certainty === 'ambiguous' || certainty === 'neither';
    if (certainty && isCounted) this.otherVersion[certainty]++;
  }

  #onValues(name: string, { message, tick = -1 }: MessageEntry): void {
    this.names.onMessage(message);
    const value = (field: string) => valueNamed(message.values, field);
    if (name === 'map_change') this.maps.add(String(value('name') ?? value('map') ?? ''));
    if (name === 'sv_gameinfo') this.game.onGameFlags(Number(value('game_flags')));
    if (isFinish(name, value)) this.lastFinish = tick;
    if (name === 'cl_startinfo' || name === 'cl_changeinfo') this.#setName('own', value('name'));
    if (name === 'sv_clientinfo' && value('local') === 1) this.#setName('announced', value('name'));
  }

  /** A server's demo has it for every client, mostly with the same bytes: then it is the same object. */
  #onTuning(entry: MessageEntry): void {
    const { message, tick = -1 } = entry;
    if (message === this.#tuned) return;
    this.#tuned = message;
    this.hasTuning = true;
    for (const { name, value } of message.values) {
      if (typeof value !== 'number') continue;
      const known = this.tuning.get(name);
      if (isDefaultTuning(name, value) || defaultTuning(name) === undefined) this.tuning.delete(name);
      else this.tuning.set(name, { value, tick: known?.tick ?? tick });
    }
  }

  #setName(by: 'own' | 'announced' | 'assigned', name: unknown): void {
    if (typeof name === 'string' && name !== '') this.#named[by] = name;
  }

  #count(direction: Direction, name: string, times = 1): void {
    const counts = this.#messages[direction];
    const isShared = counts.size >= maxMessageKinds && !counts.has(name);
    const key = isShared ? 'unknown others' : name;
    counts.set(key, (counts.get(key) ?? 0) + times);
  }
}

export function addCounts<Name extends string>(
  into: Record<Name, number>,
  counts: Readonly<Record<Name, number>>,
): void {
  for (const name of Object.keys(counts) as Name[]) into[name] += counts[name];
}
