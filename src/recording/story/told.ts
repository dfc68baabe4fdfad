import type { Args, Code } from '../../wire/bytes/diagnostic.ts';
import type { Expectation } from '../games/expectations.ts';
import type { Weight } from '../replay/record.ts';
import type { Direction } from '../replay/stream.ts';

/** What was expected and did not happen, or the other way round. Readers make a diagnostic of it. */
export interface Told {
  readonly code: Code;
  readonly weight: Weight;
  readonly args: Args;
  /** The way of what is missing, or of the snapshots. */
  readonly direction: Direction;
  /** Of a capture. */
  readonly frame?: number | undefined;
  readonly tick?: number | undefined;
  /** Of what is told while a capture is read, and stands where it began. */
  readonly time?: number;
}

/** Where something begins or ends: a packet of a capture, a tick, or both. */
export interface Moment {
  readonly frame?: number | undefined;
  readonly tick?: number | undefined;
}

/** There is more of something than is remembered. */
export const beyond = (of: string, limit: number) =>
  ({ code: 'limit_reached', weight: 'warning', args: { of, limit } }) as const;

/** What is said of a row that is broken from one moment to another. */
export function tell(
  { code, weight }: Pick<Expectation, 'code' | 'weight'>,
  first: Moment,
  last: Moment,
  args: Args = {},
  direction: Direction = 'to_client',
): Told {
  const frames = first.frame !== undefined && { first_frame: first.frame, last_frame: last.frame ?? first.frame };
  const ticks = first.tick !== undefined && { first_tick: first.tick, last_tick: last.tick ?? first.tick };
  return {
    code,
    weight,
    direction,
    ...(frames ? { frame: first.frame } : { tick: first.tick! }),
    args: { ...args, ...frames, ...ticks },
  };
}
