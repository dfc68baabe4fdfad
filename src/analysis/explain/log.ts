import type { LogSentence, LogSentenceCode } from '../../recording/games/log-sentences.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import type { Cause } from './hypothesis.ts';
import { fewTicks, largeBytes, maxGap } from './limits.ts';

export interface CrcError {
  readonly kind: 'crc';
  readonly line: number;
  /** The client's error counter: a correct snapshot decrements it; after eleven errors a full snapshot is requested. */
  readonly number: number;
  readonly tick: number;
  /** -1 for the empty snapshot. */
  readonly base: number;
  readonly announced: number;
  readonly computed: number;
  readonly bytes: number;
}

export type LoggedError =
  | CrcError
  /** `code` is the error code in DDNet's logs, see {@link unpackCauses}. */
  | { readonly kind: 'unpack'; readonly line: number; readonly code: number | undefined }
  | { readonly kind: 'invalid'; readonly line: number }
  | { readonly kind: 'no_base'; readonly line: number }
  | SentenceLine
  | DroppedLine;

/** A sentence of the games' own about what they read or dropped. */
export interface SentenceLine {
  readonly kind: 'sentence';
  readonly line: number;
  readonly code: LogSentenceCode;
  readonly isHarmless: boolean;
  /** The sentence as it stands in the log, from its topic on. */
  readonly said: string;
}

/** A message or item that the client dropped: `dropped weird message 'sv_chat' (3), failed on 'message'`. */
export interface DroppedLine {
  readonly kind: 'dropped';
  readonly line: number;
  readonly what: 'message' | 'item';
  /** As the client names it: `(out of range)` for a number that it does not know. */
  readonly name: string;
  readonly number: number;
  /** The field whose value it refused; undefined if the client does not say it. */
  readonly field: string | undefined;
}

const crcLine =
  /snapshot crc error #(\d+) - tick=(-?\d+) wantedcrc=(-?\d+) gotcrc=(-?\d+) compressed_size=(\d+) delta_tick=(-?\d+)/;
const unpackLine = /delta unpack failed(?:\D*(-\d+))?/;
const invalidLine = /client\]?: (snapshot invalid|snapshot error)/;
const noBaseLine = /couldn't find the delta snapshot/;

/**
 * `OnMessage` in gameclient.cpp of both games, and `OnNewSnapshot` in that of vanilla; `SnapInvalidateItem` in
 * client.cpp.
 */
const droppedLine = /dropped weird (message|object) '([^']*)' \((-?\d+)\), failed on '([^']*)'/;
const invalidatedLine = /invalidated index=\d+ type=(-?\d+) \((.*)\) size=-?\d+ id=-?\d+/;

/** A chat message: `[chat]: 3:-2:name: text`, `I chat/client: name: text`. */
const chatLine = /^(?:[^:]|:\d\d)*?\bchat(?:\/\w+)?\]?: /;

/**
 * A line of a log by its form alone: date or time in hex, then the topic.
 *
 *     [2026-11-20 12:00:01][server]: …      2026-11-20 12:00:01 I client: …      [663fe6e1][client]: …
 *     [2026-11-20T12:00:01Z INFO  mastersrv] …
 */
const logLine =
  /^\W{0,3}(?:\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\S{0,8}|[0-9a-f]{8})\]?[ \t]*(?:\[([\w/ .-]{1,30})\]:|(?:[A-Z]|ERROR|WARN|INFO|DEBUG|TRACE)[ \t]+([\w/.:-]{1,40}?)[\]:])/;

const ofServer = /^(?:server|register|net_?server|econ|sql|teehistorian|rcon|tuning|ban|antibot|game\/?server)/;
const ofClient =
  /^(?:client|gfx|graphics|sound|input|menus|binds|demo_\w+|ghost_\w+|skins|http|chat\/client|discord|updater)/;

/** Whose log a text is. */
export type LogOwner = 'client' | 'server' | 'master server' | 'game';

/** Counts the lines of a log by their form. */
export class LogLines {
  #lines = 0;
  #logged = 0;
  readonly #topics = { client: 0, server: 0, 'master server': 0 };

  add(text: string): void {
    if (text.trim() === '') return;
    this.#lines++;
    const [line, first, second] = logLine.exec(text) ?? [];
    if (line === undefined) return;
    this.#logged++;
    const topic = (first ?? second ?? '').toLowerCase();
    if (topic.startsWith('mastersrv')) this.#topics['master server']++;
    else if (ofServer.test(topic)) this.#topics.server++;
    else if (ofClient.test(topic)) this.#topics.client++;
  }

  /** Undefined if less than half of the lines have the form: then it is another text. */
  get owner(): LogOwner | undefined {
    if (this.#logged === 0 || 2 * this.#logged < this.#lines) return undefined;
    const [most] = Object.entries(this.#topics).toSorted(([, a], [, b]) => b - a);
    return most && most[1] > 0 ? (most[0] as LogOwner) : 'game';
  }
}

/**
 * Reads a line of a client's log, of DDNet or vanilla, with any prefix; undefined for other lines.
 * @param sentences what else is known: the table of `src/recording/games/log-sentences.ts`, which the page leaves out
 */
export function readLogLine(
  text: string,
  line: number,
  sentences: readonly LogSentence[] = [],
): LoggedError | undefined {
  if (chatLine.test(text)) return undefined;
  const crc = crcLine.exec(text);
  if (crc) {
    const [number = 0, tick = 0, announced = 0, computed = 0, bytes = 0, base = 0] = crc.slice(1).map(Number);
    return { kind: 'crc', line, number, tick, base, announced, computed, bytes };
  }
  const unpack = unpackLine.exec(text);
  if (unpack) return { kind: 'unpack', line, code: unpack[1] === undefined ? undefined : Number(unpack[1]) };
  if (noBaseLine.test(text)) return { kind: 'no_base', line };
  const [, what, name = '', number, field] = droppedLine.exec(text) ?? [];
  if (what)
    return { kind: 'dropped', line, what: what === 'message' ? what : 'item', name, number: Number(number), field };
  const [, type, item = ''] = invalidatedLine.exec(text) ?? [];
  if (type) return { kind: 'dropped', line, what: 'item', name: item, number: Number(type), field: undefined };
  if (invalidLine.test(text)) return { kind: 'invalid', line };
  for (const { code, pattern, isHarmless } of sentences) {
    const found = pattern.exec(text);
    if (found) return { kind: 'sentence', line, code, isHarmless, said: found[0] };
  }
  return undefined;
}

/**
 * The behaviour of the difference, announced minus computed, over consecutive errors. `follows_base` and
 * `follows_tick`: it changes by a constant amount per tick; `drifts`: it changes little, like the position of a moving
 * object.
 */
export const courses = ['single', 'constant', 'follows_base', 'follows_tick', 'drifts', 'varies'] as const;

export type Course = (typeof courses)[number];

export interface LogRun {
  readonly errors: readonly CrcError[];
  readonly course: Course;
  /** The change of the difference per tick, if it follows the ticks. */
  readonly perTick: number;
  /** The possible causes, given the sign, the base and the course of the difference; the most likely first. */
  readonly causes: readonly Cause[];
  /** Whether deltas over few ticks are so large that many items must have been sent in full. */
  readonly isLarge: boolean;
}

export interface LogExplanation {
  readonly runs: readonly LogRun[];
  /** The number of deltas that could not be unpacked, by DDNet's error code; 0 if the log has no code. */
  readonly unpackErrors: ReadonlyMap<number, number>;
  readonly invalid: number;
  readonly missingBases: number;
  /** The messages and items that the client dropped, each kind once. */
  readonly dropped: readonly (Omit<DroppedLine, 'kind'> & { readonly count: number })[];
  /** What else the game says, each kind once, in the order of the log. */
  readonly sentences: readonly (Omit<SentenceLine, 'kind'> & { readonly count: number })[];
}

/**
 * Whether an item that a client dropped is one that it does not know yet: type -1 is `UUID_UNKNOWN`, an extended item of
 * a newer server or a mod. Every client meets them, and loses nothing that it could show.
 */
export const isNewerItem = ({ what, number }: Pick<DroppedLine, 'what' | 'number'>) => what === 'item' && number === -1;

/** Whether nothing of a log is wrong: the game goes on as if it had not met what it says. */
export const isHarmless = (error: LoggedError) =>
  (error.kind === 'sentence' && error.isHarmless) || (error.kind === 'dropped' && isNewerItem(error));

/** The possible causes of DDNet's error codes for deltas that cannot be unpacked. */
export function unpackCauses(code: number): readonly Cause[] {
  if (code === -206 || code === -207) return ['other_size', 'wrong_base', 'damaged'];
  if (code === -301 || code === -302) return ['too_large'];
  return ['other_size', 'damaged', 'mixed_parts'];
}

export const differenceOf = ({ announced, computed }: Pick<CrcError, 'announced' | 'computed'>): number =>
  (announced - computed) | 0;

export function explainLog(errors: Iterable<LoggedError>): LogExplanation {
  const runs: CrcError[][] = [];
  const unpackErrors = new Map<number, number>();
  const dropped = new Map<string, Omit<DroppedLine, 'kind'> & { count: number }>();
  const sentences = new Map<string, Omit<SentenceLine, 'kind'> & { count: number }>();
  let invalid = 0;
  let missingBases = 0;
  for (const error of errors) {
    switch (error.kind) {
      case 'invalid':
        invalid++;
        break;
      case 'no_base':
        missingBases++;
        break;
      case 'dropped': {
        const { kind: _, ...place } = error;
        getOr(dropped, `${place.what} ${place.name} ${place.number} ${place.field}`, () => ({ ...place, count: 0 }))
          .count++;
        break;
      }
      case 'sentence': {
        const { kind: _, ...sentence } = error;
        getOr(sentences, `${sentence.code} ${sentence.said}`, () => ({ ...sentence, count: 0 })).count++;
        break;
      }
      case 'unpack':
        unpackErrors.set(error.code ?? 0, (unpackErrors.get(error.code ?? 0) ?? 0) + 1);
        break;
      case 'crc': {
        const last = runs.at(-1)?.at(-1);
        const isInRow = last && error.tick > last.tick && error.tick - last.tick <= maxGap;
        if (isInRow) runs.at(-1)!.push(error);
        else runs.push([error]);
      }
    }
  }
  return {
    runs: runs.map(explainRun),
    unpackErrors,
    invalid,
    missingBases,
    dropped: [...dropped.values()],
    sentences: [...sentences.values()],
  };
}

function explainRun(errors: readonly CrcError[]): LogRun {
  const { course, perTick } = courseOf(errors.map((error) => ({ ...error, difference: differenceOf(error) })));
  const isLarge = errors.some(({ base, tick, bytes }) => base >= 0 && tick - base <= fewTicks && bytes >= largeBytes);
  return { errors, course, perTick, causes: causesOf(errors, course), isLarge };
}

function courseOf(errors: readonly { readonly tick: number; readonly base: number; readonly difference: number }[]): {
  readonly course: Course;
  readonly perTick: number;
} {
  const differences = errors.map(({ difference }) => difference);
  const [first = 0] = differences;
  if (errors.length === 1) return { course: 'single', perTick: 0 };
  if (differences.every((difference) => difference === first)) return { course: 'constant', perTick: 0 };
  for (const [course, tickOf] of [
    ['follows_base', ({ base }: { readonly base: number }) => base],
    ['follows_tick', ({ tick }: { readonly tick: number }) => tick],
  ] as const) {
    const perTick = slopeOf(errors.map(tickOf), differences);
    if (perTick !== undefined) return { course, perTick };
  }
  const sizes = differences.map(Math.abs);
  const hasOneSign =
    differences.every((difference) => difference > 0) || differences.every((difference) => difference < 0);
  return { course: hasOneSign && Math.max(...sizes) <= 1.5 * Math.min(...sizes) ? 'drifts' : 'varies', perTick: 0 };
}

/** The constant integer by which `values` change per tick; undefined if there is none. */
function slopeOf(ticks: readonly number[], values: readonly number[]): number | undefined {
  const at = ticks.findIndex((tick) => tick !== ticks[0]);
  if (at < 0) return undefined;
  const slope = (values[at]! - values[0]!) / (ticks[at]! - ticks[0]!);
  const isStraight = values.every((value, i) => value === values[0]! + slope * (ticks[i]! - ticks[0]!));
  return Number.isInteger(slope) && slope !== 0 && isStraight ? slope : undefined;
}

/** Sums are mostly positive, as positions and ticks are. On the empty snapshot nothing can be removed or added to. */
function causesOf(errors: readonly CrcError[], course: Course): readonly Cause[] {
  const isOnEmpty = errors.some(({ base }) => base === -1);
  const isPositive = differenceOf(errors[0]!) > 0;
  if (course === 'varies')
    return isOnEmpty ? ['other_size', 'damaged', 'duplicate_key'] : ['other_size', 'wrong_base', 'damaged'];
  const systematic: readonly Cause[] = isOnEmpty
    ? ['duplicate_key']
    : isPositive
      ? ['duplicate_key', 'removed_unchanged']
      : ['sent_in_full'];
  return course === 'single' ? [...systematic, 'other_size', 'wrong_base', 'damaged'] : systematic;
}
