import type { Diagnostic } from '../../wire/bytes/diagnostic.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import type { DiagnosticEntry, Weight } from '../replay/record.ts';
import type { Direction } from '../replay/stream.ts';

/** Something that a stream has, although no game writes it or its receiver drops it, and how often. */
export interface Oddity {
  readonly diagnostic: Diagnostic;
  readonly direction: Direction;
  readonly tick: number | undefined;
  readonly weight: Weight;
  count: number;
}

/** Of each kind so many have lines of their own; the others are counted. */
export const maxOddityLines = 3;
/** The kinds that are told apart by their message. */
const maxKinds = 64;

/** Those of one stream, counted by what they are: a fault that comes with every message is one line, not thousands. */
export class Oddities {
  readonly #byKind = new Map<string, Oddity>();

  get all(): Iterable<Oddity> {
    return this.#byKind.values();
  }

  /** Adds what is wrong with a packet, a chunk or a message; whether it is among the first of its kind. */
  add({ diagnostic, direction = 'to_client', tick, frame, weight = 'warning' }: DiagnosticEntry): boolean {
    const { code, args } = diagnostic;
    const own = `${direction} ${code} ${args.message ?? args.who ?? ''}`;
    const kind = this.#byKind.size < maxKinds || this.#byKind.has(own) ? own : `${direction} ${code}`;
    const placed = frame === undefined ? diagnostic : { ...diagnostic, frame };
    const oddity = getOr(this.#byKind, kind, () => ({ diagnostic: placed, direction, tick, weight, count: 0 }));
    oddity.count++;
    return oddity.count <= maxOddityLines;
  }
}
