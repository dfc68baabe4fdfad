import type { QueryMatcher } from '../../../src/analysis/query/matcher.ts';
import { escapeText, nameText } from '../../../src/output/text/escape.ts';
import type { PlayerChoice } from '../../../src/recording/events/player-choice.ts';
import type { DiagnosticEntry, RecordingEntry } from '../../../src/recording/replay/record.ts';
import type { ReadOptions, Replay } from '../../../src/recording/replay/replay.ts';
import { matchesClient, type Stream } from '../../../src/recording/replay/stream.ts';
import type { TickRange } from '../../../src/wire/protocol/ticks.ts';
import { CommandError, usageError, withoutName } from '../options/errors.ts';
import { newFile } from '../platform/growing.ts';
import { type Input, maxNamed, type Opened, refuseIneffective } from './inputs.ts';

/**
 * Opens the recording of an input in the stated protocol. With `follow`, another file may replace a growing one:
 * connections continue then, and a demo begins again. What is secret in messages is hidden unless a command says
 * otherwise.
 */
export function openReplay(
  { format }: Pick<Opened, 'format'>,
  { version, schema, follow }: Pick<Input, 'version' | 'schema' | 'follow'>,
  options: Omit<ReadOptions, 'version' | 'schema'> = {},
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

/** What consumes the records of a recording. */
interface RecordReader {
  /** The players that are selected: they are followed, and have to be in the recording. */
  readonly player?: PlayerChoice | undefined;
  /** The query, which follows the records as well. */
  readonly where?: QueryMatcher | undefined;
  /** If it returns a promise, the next record waits for it. */
  add(entry: RecordingEntry): Promise<void> | void;
  afterPiece?(piece: Uint8Array): Promise<void>;
  /** Called after the last record, before options are refused that had no effect. */
  afterAll?(end: InputEnd): Promise<void>;
}

/**
 * Reads a recording to its end, or to a failure: the reader receives the records of the chosen client.
 * @throws CommandError for options that turn out to have no effect
 */
export async function readRecording(
  opened: Opened,
  input: Pick<Input, 'version'>,
  replay: Replay,
  { player, where, add, afterPiece, afterAll }: RecordReader,
): Promise<InputEnd> {
  const { client, ticks: range } = opened;
  let [first, last, isInside] = [Infinity, -1, false];
  const onTick = (tick: number, { from, to }: TickRange) => {
    if (tick < 0) return;
    first = Math.min(first, tick);
    last = Math.max(last, tick);
    isInside ||= tick >= from && tick <= to;
  };
  const addOfClient = (entry: RecordingEntry) => {
    if (
      !matchesClient(entry.stream, client) ||
      (client && (entry.record === 'server_info' || entry.record === 'info_exchange'))
    )
      return undefined;
    player?.follow(entry);
    where?.follow(entry);
    if (range && (entry.record === 'snapshot' || entry.record === 'message')) onTick(entry.tick ?? -1, range);
    return add(entry);
  };
  const end = await readRecords(opened, replay, addOfClient, afterPiece);
  await afterAll?.(end);
  if (end.failure) return end;
  refuseIneffective(opened, input, replay);
  if (player && !player.isFound) throw noPlayer(opened.name, player);
  if (range && last >= 0 && !isInside) {
    throw noSnapshot(opened.name, first, last);
  }
  return end;
}

/** The error for a range without snapshots, which says what the recording has. */
export const noSnapshot = (name: string, first: number, last: number): CommandError =>
  usageError(`${escapeText(name)}: no snapshot in these ticks: it has ${first} to ${last}`);

/** The error for a player that is not in a recording. */
export function noPlayer(name: string, { seen }: PlayerChoice): CommandError {
  const players = [...seen].slice(0, maxNamed).map(nameText).join(', ') + (seen.size > maxNamed ? ', …' : '');
  return usageError(
    `${escapeText(name)}: --player selects nobody; there ${players ? `is ${players}` : 'are no players'}`,
  );
}

/**
 * Passes the records of an input to `add`, including those before a failure. If `add` returns a promise, the next
 * record waits for it; if it returns true, the rest is not read.
 * @param afterPiece called after all records of a piece of the input
 */
export async function readRecords(
  { pieces }: Pick<Opened, 'pieces'>,
  replay: Replay,
  add: (entry: RecordingEntry) => Promise<void> | true | void,
  afterPiece?: (piece: Uint8Array) => Promise<void>,
): Promise<InputEnd> {
  let bytes = 0;
  let failure: CommandError | undefined;
  async function* untilFailure() {
    try {
      yield* pieces;
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      failure = error;
    }
  }
  const addAll = async (entries: Iterable<RecordingEntry>) => {
    for (const entry of entries) {
      const added = add(entry);
      if (added === true) return true;
      if (added) await added;
    }
    return false;
  };
  for await (const piece of untilFailure()) {
    bytes += piece.length;
    if (await addAll(replay.feed(piece))) return { bytes, failure };
    await afterPiece?.(piece);
  }
  await addAll(replay.finish());
  return { bytes, failure };
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
