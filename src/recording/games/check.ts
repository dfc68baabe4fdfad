import type { Code } from '../../wire/bytes/diagnostic.ts';

/**
 * What the games do with data that no game writes, as data: the predicates stay where bytes are read, and report codes.
 * A row says what DDNet and Teeworlds do with one case, and where that is in their source. The tables have no sentences
 * about one input: those are in the view. `docs/formats/tolerated.md` is generated from them.
 */
export interface GameCheck extends Case {
  readonly ddnet: Conduct;
  /** Undefined where Teeworlds does the same as DDNet. */
  readonly teeworlds?: Conduct;
}

/** What is reported, and of what. */
interface Case {
  /** The code that is reported; undefined for a case that is not reported. */
  readonly code?: Code;
  /** An `error` is refused by the games, a `warning` tolerated, or refused only by some versions. */
  readonly severity?: 'error' | 'warning';
  /** The case, for the documentation. */
  readonly when: string;
  /** The function of the games, if it is another one than the subject's. */
  readonly source?: string;
}

/**
 * A case of which the players of the games decide: `playback` runs all versions of them over a specimen of it, which is
 * in `vectors/make/played-demos.ts`, and the documentation says what they did.
 */
export interface PlayedCheck extends Case {
  /** What else happens, in the words of the documentation. */
  readonly note?: string;
  readonly ddnet?: undefined;
}

/** What a game does with a value, an item, a message, a packet, a chunk or a file. */
type Deed =
  /** Read as any other. */
  | 'accepted'
  /** Without effect; what is around it counts. */
  | 'ignored'
  /** An item, message or chunk of a demo that is left out. */
  | 'skipped'
  /** A packet, a message or an item that is thrown away. */
  | 'dropped'
  /** Another value is used. */
  | 'clamped'
  /** Read, but as something else. */
  | 'misread'
  /** Playing or reading ends there. */
  | 'stops'
  /** The whole input is. */
  | 'refused'
  | 'crashes';

export type Conduct = Deed | Detail;

interface Detail {
  readonly does: Deed;
  /** How, in the words of the documentation. */
  readonly how?: string;
  /** The first version that does this; those before do `before`. */
  readonly since?: string;
  readonly before?: Deed;
}

/** The checks of one subject, which have a table of their own in the documentation. */
export interface Subject {
  readonly about: 'int' | 'delta' | 'snapshot' | 'item' | 'message' | 'packet' | 'connection' | 'demo' | 'ghost';
  /** The heading in the documentation. */
  readonly title: string;
  /** Files and functions of the games where most of it is. */
  readonly source: string;
  readonly checks: readonly (GameCheck | PlayedCheck)[];
}

export const detailOf = (conduct: Conduct): Detail => (typeof conduct === 'string' ? { does: conduct } : conduct);

/** Versions are compared number by number, as `19.10` is after `19.9`. */
export function isBefore(version: string, other: string): boolean {
  const [a, b] = [version, other].map((text) => text.split('.').map(Number)) as [number[], number[]];
  const at = b.findIndex((part, i) => part !== (a[i] ?? 0));
  return at >= 0 && (a[at] ?? 0) < b[at]!;
}
