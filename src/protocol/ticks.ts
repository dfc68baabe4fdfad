/**
 * The servers count time in ticks.
 *
 * Source: `SERVER_TICK_SPEED` in `src/engine/shared/protocol.h` of the games.
 */
export const ticksPerSecond = 50;

/** A range of ticks. Both ends are included; `to` may be infinite. */
export interface TickRange {
  readonly from: number;
  readonly to: number;
}

export const isInRange = (tick: number, { from, to }: TickRange): boolean => tick >= from && tick <= to;

/** A tick, or one that is counted from the first or the last tick of a recording. */
export interface Moment {
  readonly from: 'zero' | 'first' | 'last';
  readonly ticks: number;
}

/** `0:30`, `1:02.5`, `1:02:03` or `90s`. */
const time = '(?:\\d+:)?\\d+:\\d\\d(?:\\.\\d+)?|\\d+(?:\\.\\d+)?s';
/** How a moment is written: a tick, a time after the first tick, `first` or `last`, each with an offset. */
export const momentPattern = `(?:(?:first|last|${time}|\\d+)(?:[+-](?:${time}|\\d+))?)`;
const momentParts = new RegExp(`^(first|last)?(${time}|\\d+)?(?:([+-])(${time}|\\d+))?$`);

/** The seconds of a time: `83`, `83.5s`, `1:23.5` or `1:02:03`; undefined for any other text. */
export function secondsOf(text: string): number | undefined {
  if (!/^(?:(?:\d+:)?\d+:)?\d+(?:\.\d+)?s?$/.test(text)) return undefined;
  return text
    .replace('s', '')
    .split(':')
    .reduce((sum, part) => 60 * sum + Number(part), 0);
}

/** A number of ticks, from ticks or a time. */
const ticksOf = (text: string): number =>
  /^\d+$/.test(text) ? Number(text) : Math.round(secondsOf(text)! * ticksPerSecond);

/** Reads a moment: `9938`, `0:30`, `90s`, `first`, `last-10s`, `9938+50`; undefined for any other text. */
export function parseMoment(text: string): Moment | undefined {
  const [, end, of = '', sign, by = '0'] = momentParts.exec(text) ?? [];
  if ((end === undefined) === (of === '')) return undefined;
  const offset = sign === '-' ? -ticksOf(by) : ticksOf(by);
  if (end !== undefined) return { from: end as 'first' | 'last', ticks: offset };
  return { from: /\D/.test(of) ? 'first' : 'zero', ticks: ticksOf(of) + offset };
}

/** A range of moments; without a moment, it begins or ends with the recording. */
export interface MomentRange {
  readonly from: Moment | undefined;
  readonly to: Moment | undefined;
}

/** Reads `A..B`, `A..`, `..B`, or one moment; undefined for any other text, and for ticks that end before they begin. */
export function parseMomentRange(text: string): MomentRange | undefined {
  const at = text.indexOf('..');
  const [begin, end] = at < 0 ? [text, text] : [text.slice(0, at), text.slice(at + 2)];
  const [from, to] = [begin, end].map((one) => (one === '' ? undefined : parseMoment(one)));
  if ((begin !== '' && !from) || (end !== '' && !to) || (!from && !to)) return undefined;
  return from && to && from.from === to.from && from.ticks > to.ticks ? undefined : { from, to };
}
