import type { QueryMatcher } from '../../../src/analysis/query/matcher.ts';
import type { Source } from '../../../src/input/source/open.ts';
import { escapeText, nameText, pathText } from '../../../src/output/text/escape.ts';
import { count } from '../../../src/output/text/number.ts';
import type { PlayerChoice } from '../../../src/recording/events/player-choice.ts';
import type { DiagnosticEntry, RecordingEntry } from '../../../src/recording/replay/record.ts';
import type { DatagramCounts, ReadOptions, Replay } from '../../../src/recording/replay/replay.ts';
import {
  type ConnectionStream,
  isConnection,
  matchesClient,
  type Stream,
} from '../../../src/recording/replay/stream.ts';
import type { TickRange } from '../../../src/wire/protocol/ticks.ts';
import { CommandError, exit, usageError, withoutName } from '../options/errors.ts';
import { newFile } from '../platform/growing.ts';
import type { Input, OpenInput } from './inputs.ts';

/**
 * Opens the recording of an input in the stated protocol. With `follow`, another file may replace a growing one:
 * connections continue then, and a demo begins again. What is secret in messages is hidden unless a command says
 * otherwise.
 */
export function replayOf(
  { format }: Pick<OpenInput, 'format'>,
  { version, schema, follow }: Pick<Input, 'version' | 'schema' | 'follow'>,
  options: RecordOptions = {},
): Replay {
  const open = () => format!.open({ hidesSecrets: true, ...options, schema, version });
  let replay = open();
  if (!follow) return replay;
  const earlier: Stream[] = [];
  function* restart() {
    if (replay.restart) yield* replay.restart();
    else {
      yield* replay.finish();
      earlier.push(...replay.streams);
      replay = open();
    }
  }
  return {
    get container() {
      return replay.container;
    },
    get streams() {
      return [...earlier, ...replay.streams];
    },
    get datagrams() {
      return replay.datagrams;
    },
    feed: (piece) => (piece === newFile ? restart() : replay.feed(piece)),
    finish: () => replay.finish(),
  };
}

interface InputEnd {
  readonly bytes: number;
  /** The reason why the rest could not be read: compressed data may end early. */
  readonly failure: CommandError | undefined;
}

/** Passes all records to `add`, as {@link Source.records} does. */
export async function eachRecord(
  { source }: { readonly source: Source },
  ...reading: Parameters<Source['records']>
): Promise<InputEnd> {
  const { bytes, failure } = await source.records(...reading);
  if (failure === undefined || failure instanceof CommandError) return { bytes, failure };
  throw failure;
}

interface RecordReader {
  /** The players that are selected: they are followed, and have to be in the recording. */
  readonly player?: PlayerChoice | undefined;
  /** Whether a recording without the selected players is no error. */
  readonly mayLackPlayer?: boolean;
  /** The query, which follows the records as well. */
  readonly where?: QueryMatcher | undefined;
  /** If it returns a promise, the next record waits for it. */
  add(entry: RecordingEntry): Promise<void> | void;
  afterPiece?(piece: Uint8Array): Promise<void>;
  /** Called after the last record, before options are refused that had no effect. */
  afterAll?(end: InputEnd): Promise<void>;
}

export type RecordOptions = Omit<ReadOptions, 'version' | 'schema'>;

/** The records of an open recording, which are read once, by one of two methods. */
export class Records {
  readonly replay: Replay;
  readonly #opened: OpenInput;
  readonly #input: Pick<Input, 'version'>;

  constructor(opened: OpenInput, input: Pick<Input, 'version' | 'schema' | 'follow'>, options?: RecordOptions) {
    this.#opened = opened;
    this.#input = input;
    this.replay = replayOf(opened, input, options);
  }

  /**
   * Reads to the end, or to a failure: the reader receives the records of the chosen client.
   * @throws CommandError for options that turn out to have no effect
   */
  async read({ player, where, mayLackPlayer = false, add, afterPiece, afterAll }: RecordReader): Promise<InputEnd> {
    const { name, client, ticks: range } = this.#opened;
    let first = Infinity;
    let last = -1;
    let isInside = false;
    const onTick = (tick: number, { from, to }: TickRange) => {
      if (tick < 0) return;
      first = Math.min(first, tick);
      last = Math.max(last, tick);
      isInside ||= tick >= from && tick <= to;
    };
    const addOfClient = (entry: RecordingEntry) => {
      const isAsked = entry.record === 'handshake' && entry.client === client;
      if (!matchesClient(entry.stream, client) || (client && !isAsked && isUnconnected(entry))) return undefined;
      player?.follow(entry);
      where?.follow(entry);
      if (range && (entry.record === 'snapshot' || entry.record === 'message')) onTick(entry.tick ?? -1, range);
      return add(entry);
    };
    // Nearly always all records are asked for: then none of them passes through another function.
    const isChosen = client !== undefined || range || player || where;
    const end = await this.each(isChosen ? addOfClient : add, afterPiece);
    await afterAll?.(end);
    if (end.failure) return end;
    const isAsking = client !== undefined && this.replay.datagrams?.asking.has(client);
    refuseIneffective(isAsking ? { name } : this.#opened, this.#input, this.replay);
    if (player && !player.isFound && !mayLackPlayer) throw noPlayer(name, player);
    if (range && last >= 0 && !isInside) {
      throw noSnapshot(name, first, last);
    }
    return end;
  }

  /** Passes all records to `add`, those of all clients, as {@link Source.records} does. */
  each(add: Add, afterPiece?: (piece: Uint8Array) => Promise<void>): Promise<InputEnd> {
    return eachRecord(this.#opened, this.replay, add, afterPiece);
  }
}

type Add = Parameters<Source['records']>[1];

/** The error for a range without snapshots, which says what the recording has. */
export const noSnapshot = (name: string, first: number, last: number): CommandError =>
  usageError(`${pathText(name)}: no snapshot in these ticks: it has ${first} to ${last}`);

export function noPlayer(name: string, { seen }: PlayerChoice): CommandError {
  const players = [...seen].slice(0, maxNamed).map(nameText).join(', ') + (seen.size > maxNamed ? ', …' : '');
  return new CommandError(
    exit.finding,
    `${pathText(name)}: --player selects nobody; there ${players ? `is ${players}` : 'are no players'}`,
  );
}

/**
 * The failure that ended an input, as a record after all others.
 * @throws CommandError the failure, if nothing was read before it
 */
export function failureEntry({ bytes, failure }: InputEnd, name: string): DiagnosticEntry | undefined {
  if (!failure) return undefined;
  if (bytes === 0) throw failure;
  const what = withoutName(name, failure.message);
  const diagnostic = { severity: 'error', code: 'input_failed', offset: bytes, args: { what } } as const;
  return { record: 'diagnostic', stream: undefined, diagnostic };
}

/**
 * Refuses options that had no effect on the streams of a recording, which is known only after it was read, a client
 * who has no connection, and a version with which no packet belongs to one.
 * @throws CommandError
 */
export function refuseIneffective(
  { name, client }: Pick<OpenInput, 'name' | 'client'>,
  { version }: Pick<Input, 'version'>,
  { streams, datagrams }: Pick<Replay, 'streams'> & Partial<Pick<Replay, 'datagrams'>>,
): void {
  if (client !== undefined && !streams.some((stream) => matchesClient(stream, client)))
    throw noClient(name, client, streams, datagrams);
  if (version === undefined) return;

  const shown = pathText(name);
  if (streams.length === 0 && datagrams && isMostlyOther(datagrams)) {
    const unread = count(datagrams.other, 'datagram');
    throw usageError(
      `${shown}: with -p ${version} no packet belongs to a connection, and ${unread} can't be read; ` +
        'without -p the version is recognised',
    );
  }

  const selected = streams.filter((stream) => matchesClient(stream, client)).filter(isConnection);
  const stated = new Set<string | undefined>(selected.map((stream) => stream.version));
  // Without a handshake the version is only a guess.
  if (selected.length === 0 || stated.has(version) || selected.some(isGuessed)) return;
  throw usageError(`${shown}: -p ${version} has no effect: the handshakes state ${[...stated].join(', ')}`);
}

const isMostlyOther = ({ other, connless, dropped }: DatagramCounts) => other > connless && dropped.connections === 0;
const isGuessed = ({ hasHandshake }: ConnectionStream) => !hasHandshake;

export const maxNamed = 5;

function noClient(name: string, client: string, streams: readonly Stream[], datagrams: DatagramCounts | undefined) {
  const file = pathText(name);
  const asking = datagrams?.asking.get(client);
  if (asking) {
    const packets = `${count(asking.packets, 'packet')} of handshakes with ${asking.server}`;
    const text = `${file}: ${client} has no connection: ${packets} came to nothing; dump --client ${client} prints them`;
    return new CommandError(exit.finding, text);
  }
  const clients = [...new Set(streams.map((stream) => stream.client))];
  const named = clients.slice(0, maxNamed).join(', ') + (clients.length > maxNamed ? ', …' : '');
  return usageError(`${file}: there is no client ${escapeText(client)}${named && `; there is ${named}`}`);
}

/** Whether a record is about packets between two ends that are no connection. */
const isUnconnected = ({ record }: RecordingEntry): boolean =>
  record === 'server_info' || record === 'info_exchange' || record === 'handshake';
