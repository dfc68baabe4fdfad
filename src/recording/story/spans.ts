import type { Args } from '../../wire/bytes/diagnostic.ts';
import { type ItemCode, itemRows } from '../games/expectations.ts';
import { maxJoined } from '../replay/limits.ts';
import { beyond, type Moment, type Told, tell } from './told.ts';

/*
 * A row that is broken in one snapshot may be a matter of one tick, so a span of them is one finding, told when it ends:
 *
 *   tick        1000  1002  …  1050  1052  …  1118  1120
 *   bob         here  here     gone  gone     gone  here          one span: ticks 1050 to 1118
 *   cat         here  here     gone  gone     gone  here          the same ends: one finding of both
 *
 * Rows that `join` come and go with single snapshots, as events do: all of one kind are told at the end.
 */

/** A row that a snapshot breaks, and of whom: a client's number, a local type, or a UUID. */
export interface Broken {
  readonly code: ItemCode;
  readonly of: number | string;
}

/** What nearly all snapshots break: the same list, so that it is known at a look. */
export const noneBroken: readonly Broken[] = [];

/** Snapshots of one thing, from the first to the last. */
export interface Span extends Broken {
  readonly first: Moment;
  last: Moment;
  snapshots: number;
  readonly args: Args;
}

const maxNames = 4;

/** Follows what the snapshots of a stream break. */
export class Spans {
  readonly #spans = new Map<string, Span>();
  /** What the last snapshot broke, and its spans. */
  broken = noneBroken;
  #going: Span[] = [];
  /** Those of rows that join, and the first for which there was no room. */
  #joined = 0;
  #beyond: Moment | undefined;
  readonly #isExcused: (span: Span) => boolean;

  /** @param isExcused whether a span that has ended is normal all the same */
  constructor(isExcused: (span: Span) => boolean) {
    this.#isExcused = isExcused;
  }

  /**
   * Adds what the next snapshot breaks; `argsOf` says what is told of a span that begins.
   * @returns what has ended with it
   */
  add(broken: readonly Broken[], now: Moment, argsOf: (broken: Broken) => Args): readonly Told[] {
    if (broken !== this.broken) this.#going = broken.flatMap((one) => this.#spanOf(one, now, argsOf));
    for (const span of this.#going) {
      span.last = now;
      span.snapshots++;
    }
    if (broken === this.broken) return [];
    this.broken = broken;
    const ended = [...this.#spans].filter(([, { code, last }]) => last !== now && !itemRows[code].joins);
    for (const [key] of ended) this.#spans.delete(key);
    return this.#toldOf(ended.map(([, span]) => span));
  }

  /** The span of what is broken; a new one if there is room. */
  #spanOf(one: Broken, now: Moment, argsOf: (broken: Broken) => Args): Span[] {
    const key = `${one.code} ${one.of}`;
    const known = this.#spans.get(key);
    if (known) return [known];
    if (itemRows[one.code].joins && ++this.#joined > maxJoined) {
      this.#beyond ??= now;
      return [];
    }
    const span = { ...one, first: now, last: now, snapshots: 0, args: argsOf(one) };
    this.#spans.set(key, span);
    return [span];
  }

  finish(): Told[] {
    const told = this.#toldOf([...this.#spans.values()]);
    if (!this.#beyond) return told;
    return [...told, { ...this.#beyond, ...beyond('odd_items', maxJoined), direction: 'to_client' }];
  }

  /** Those of one row with the same ends are one finding. */
  #toldOf(ended: readonly Span[]): Told[] {
    const groups = new Map<string, Span[]>();
    for (const span of ended) {
      const { code, of, first, last, snapshots } = span;
      if (snapshots < itemRows[code].least || this.#isExcused(span)) continue;
      const key = `${code} ${first.tick} ${last.tick} ${itemRows[code].joins ? of : ''}`;
      groups.set(key, [...(groups.get(key) ?? []), span]);
    }
    return [...groups.values()].map((spans) => {
      const [{ code, first, last, snapshots, args }] = spans as [Span];
      const who = args.who === undefined ? {} : { who: listed(spans.map((span) => String(span.args.who))) };
      return tell(itemRows[code], first, last, { ...args, ...who, snapshots });
    });
  }
}

export function listed(names: readonly string[]): string {
  const more = names.length - maxNames;
  return [...names.slice(0, maxNames), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
