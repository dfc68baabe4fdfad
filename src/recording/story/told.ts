import type { Args, Code } from '../../wire/bytes/diagnostic.ts';
import type { Weight } from '../replay/record.ts';
import type { Direction } from '../replay/stream.ts';

/** What was expected and did not happen, or the other way round. Readers make a diagnostic of it. */
export interface Told {
  readonly code: Code;
  readonly weight: Weight;
  /** Where it begins and ends are among them: {@link spanOf}. */
  readonly args: Args;
  /** The way of what is missing, or of the snapshots. */
  readonly direction: Direction;
  /** Of a capture. */
  readonly frame?: number;
  /** Of a demo. */
  readonly tick?: number;
}

/** Where something begins or ends: a packet of a capture, or a tick of a demo. */
export interface Moment {
  readonly frame?: number | undefined;
  readonly tick: number;
}

/** There is more of something than is remembered. */
export const beyond = (of: string, limit: number) =>
  ({ code: 'limit_reached', weight: 'warning', args: { of, limit } }) as const;

/** The first and the last moment as a finding has them: ticks, and in a capture packets. */
export function spanOf(first: Moment, last: Moment): Pick<Told, 'frame' | 'tick' | 'args'> {
  if (first.frame === undefined) return { tick: first.tick, args: { first_tick: first.tick, last_tick: last.tick } };
  const ticks = first.tick < 0 ? {} : { first_tick: first.tick, last_tick: last.tick };
  return { frame: first.frame, args: { first_frame: first.frame, last_frame: last.frame ?? first.frame, ...ticks } };
}
