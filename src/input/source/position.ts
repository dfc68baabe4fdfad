import type { RecordingEntry, SnapshotEntry, TickEntry } from '../../recording/replay/record.ts';
import { matchesClient } from '../../recording/replay/stream.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { SourceError } from '../stated.ts';

/*
 * How a place in a recording is written, on the command line and everywhere else:
 *
 *   match.demo@9938         the snapshot of a moment: a tick,
 *   match.demo@0:30           a time after the first tick,
 *   match.demo@last-10s       or `first` or `last`, each with an offset
 *   match.demo@0:30..0:40   a range of moments; without one it begins or ends with the recording
 *   server.pcap#101         the packet with Wireshark's frame number
 *
 * A text is read as a whole or refused with the reason: half of what is meant would be another part of the recording.
 */

/** A tick, or one that is counted from the first or the last tick of a recording. */
export interface Moment {
  readonly from: 'zero' | 'first' | 'last';
  readonly ticks: number;
}

/** A range of moments; without a moment, it begins or ends with the recording. */
export interface MomentRange {
  readonly from: Moment | undefined;
  readonly to: Moment | undefined;
}

/** A place in a recording, with the text that named it: a moment, a range, or a packet by its frame number. */
export type Position = { readonly text: string } & (
  | { readonly moment: Moment }
  | { readonly range: MomentRange }
  | { readonly packet: number }
);

/** `first` and `last` alone are the first and last tick that have a snapshot. */
export const endOf = ({ from, ticks }: Moment): 'first' | 'last' | undefined =>
  from !== 'zero' && ticks === 0 ? from : undefined;

export const tickOf = ({ from, ticks }: Moment, first: number, last: number): number =>
  Math.max(0, { zero: 0, first, last }[from] + ticks);

/** The ticks of a client among records. A marker of a demo counts, even if its snapshot cannot be read. */
export function* ticksAmong(entries: Iterable<RecordingEntry>, client: string | undefined): Generator<number, void> {
  for (const entry of entries) if (isTick(entry) && matchesClient(entry.stream, client)) yield entry.tick;
}

export const isTick = (entry: RecordingEntry): entry is SnapshotEntry | TickEntry =>
  entry.record === 'snapshot' || entry.record === 'tick';

/** The forms of a moment, for messages. */
const momentForms = 'a tick, a time as 0:30 or 90s, first or last-10s';

/** A word, a tick or time, an offset. Colons are checked by `secondsOf`. */
const momentParts = /^(first|last)?(\d[\d:.]*s?)?(?:([+-])(\d[\d:.]*s?))?$/;

/**
 * The seconds of a time: `83`, `83.5s`, `1:23.5` or `1:02:03`.
 * @returns undefined for any other text, also for `0:99`: minutes and seconds after a colon go up to 59
 */
export function secondsOf(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?s?|(?:\d+:)?\d+:\d\d(?:\.\d+)?)$/.test(text)) return undefined;
  const parts = text.replace('s', '').split(':').map(Number);
  return parts.slice(1).some((part) => part >= 60) ? undefined : parts.reduce((sum, part) => 60 * sum + part, 0);
}

/** A number of ticks, from ticks or a time. */
function ticksOf(text: string, whole: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  const seconds = /^\d+\.\d+$/.test(text) ? undefined : secondsOf(text);
  if (seconds !== undefined) return Math.round(seconds * ticksPerSecond);
  const isTooLarge = /^(?:\d+:)?\d+:\d\d(?:\.\d+)?$/.test(text);
  throw isTooLarge ? new SourceError(`'${whole}': minutes and seconds go up to 59`) : noMoment(whole);
}

const noMoment = (text: string) => new SourceError(`'${text}' is no moment: ${momentForms}`);

/**
 * Reads a moment: `9938`, `0:30`, `90s`, `first`, `last-10s`, `9938+50`.
 * @throws SourceError for any other text
 */
export function parseMoment(text: string): Moment {
  const [, end, of = '', sign, by = '0'] = momentParts.exec(text) ?? [];
  if ((end === undefined) === (of === '')) throw noMoment(text);
  const offset = ticksOf(by, text) * (sign === '-' ? -1 : 1) || 0;
  if (end !== undefined) return { from: end as 'first' | 'last', ticks: offset };
  const ticks = ticksOf(of, text) + offset;
  if (ticks < 0) throw new SourceError(`'${text}' is ${of} minus ${by}; did you mean ${of}..${by}?`);
  return { from: /\D/.test(of) ? 'first' : 'zero', ticks };
}

/**
 * Reads `A..B`, `A..`, `..B`, or one moment.
 * @throws SourceError for any other text, and for a range that ends before it begins
 */
export function parseMomentRange(text: string): MomentRange {
  const at = text.indexOf('..');
  const [begin, end] = at < 0 ? [text, text] : [text.slice(0, at), text.slice(at + 2)];
  if (at >= 0 && begin + end === '') throw new SourceError(`'${text}' is no range: A..B, A.. or ..B`);
  const [from, to] = [begin, end].map((end) => (at >= 0 && end === '' ? undefined : parseMoment(end)));
  if (from && to && from.from === to.from && from.ticks > to.ticks) {
    throw new SourceError(`'${text}' ends before it begins; did you mean ${end}..${begin}?`);
  }
  return { from, to };
}

/**
 * Splits the name of an input and the position in it.
 * @param exists whether there is a file or folder of a name; one with the whole name takes precedence
 * @returns the path before the position, empty for `@0:30`
 * @throws SourceError for what follows the name of an existing file and is no position
 */
export function splitPosition(name: string, exists: (path: string) => boolean): { path: string; position?: Position } {
  const [, path, mark, text] = /^(.*)([@#])([^@#/\\]*)$/s.exec(name) ?? [];
  if (path === undefined || exists(name)) return { path: name };
  try {
    return { path, position: positionOf(mark!, text!) };
  } catch (error) {
    // `me@home.demo` is a name; it is missing as a whole.
    if (path === '' || exists(path)) throw error;
    return { path: name };
  }
}

/**
 * Reads `@MOMENT` or `#N`.
 * @throws SourceError for any other text, a range included
 */
export function parsePosition(position: string): Exclude<Position, { readonly range: MomentRange }> {
  const [, mark, text] = /^([@#])(.*)$/s.exec(position) ?? [];
  const found = mark === undefined ? undefined : positionOf(mark, text!);
  if (!found || 'range' in found) throw new SourceError(`'${position}' is no position: @MOMENT or #N`);
  return found;
}

function positionOf(mark: string, text: string): Position {
  if (mark === '@')
    return text.includes('..') ? { text, range: parseMomentRange(text) } : { text, moment: parseMoment(text) };
  if (!/^\d+$/.test(text))
    throw new SourceError(`'#${text}' is no packet: #101 is the one with Wireshark's number 101`);
  return { text, packet: Number(text) };
}
