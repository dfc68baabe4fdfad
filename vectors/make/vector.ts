import { digestOf } from '../games/answer.mjs';
import { type Played, readPlayed } from '../games/players.mjs';

/** What a game does with an input: the deeds are those of `docs/formats/tolerated.md`. */
export interface Deed {
  readonly does: string;
  /** What it reads, where that is not the vector's `out`. */
  readonly out?: object;
}

/** What a layer is given, besides what all vectors have; README.md lists it by layer. */
export interface Question {
  /** Bytes as hex. */
  readonly in?: string;
  readonly protocol?: string;
  readonly [input: string]: unknown;
}

/** A line of `data`. */
export interface Vector extends Question {
  readonly id: string;
  readonly layer: string;
  /** As in Project Wycheproof: `acceptable` where the games differ, or where only a game's next step refuses it. */
  readonly result: 'valid' | 'invalid' | 'acceptable' | 'unasked';
  readonly out?: object;
  readonly note?: string;
  readonly row?: string;
  readonly source?: string;
  readonly games?: Readonly<Record<'ddnet' | 'teeworlds', Deed>>;
}

/** What a vector may say besides its question and its answer. */
export interface About {
  readonly note?: string;
  /** Its row in `docs/formats/tolerated.md`: subject and case, `delta: key removed twice`. */
  readonly row?: string;
  /** The function of the games that decides. */
  readonly source?: string;
}

/** Bytes of a file in the place of others: where, how many, and which, as hex. */
export type Splice = readonly [at: number, removed: number, hex: string];

/** A file of the folder `files`, and how it is changed. */
export interface Spliced extends Question {
  readonly file: string;
  readonly splices: readonly Splice[];
}

export type PlayedLayer = 'play' | 'ghost';

const refusing = ['refused', 'dropped'];

/** Collects vectors, and numbers them within their layer. A question that was asked already is left out. */
export class Vectors {
  readonly byLayer = new Map<string, Vector[]>();
  readonly #asked = new Set<string>();
  readonly #players = { play: readPlayed('play'), ghost: readPlayed('ghost') };

  /** All games read this. */
  valid(layer: string, question: Question, out: object, about: About = {}): void {
    this.#add(layer, 'valid', question, { out, ...about });
  }

  /** No game reads this. */
  invalid(layer: string, question: Question, about: About = {}): void {
    this.#add(layer, 'invalid', question, about);
  }

  /**
   * The games differ. `out` is what the first game that reads it reads.
   * @param ddnet the deed, with what is read if that is not `out`
   */
  acceptable(
    layer: string,
    question: Question,
    out: object | undefined,
    [ddnet, teeworlds]: readonly [ddnet: Deed | string, teeworlds: Deed | string],
    about: About = {},
  ): void {
    const games = { ddnet: deedOf(ddnet), teeworlds: deedOf(teeworlds) };
    const isRefused = Object.values(games).every(({ does }) => refusing.includes(does));
    if (out === undefined && isRefused) throw new Error(`${layer}: all games refuse it`);
    this.#add(layer, 'acceptable', question, { ...(out && { out }), games, ...about });
  }

  /** A demo or a ghost: the answer is that of the games' own readers, or `unasked` until they had it. */
  played(layer: PlayedLayer, question: Spliced, about: About): void {
    const played = this.#players[layer].get(digestOf({ layer, ...question }));
    if (!played) {
      this.#add(layer, 'unasked', question, about);
      return;
    }
    // Teeworlds has no ghosts.
    const ddnet = deedOfPlayed(played.at(layer === 'play' ? -2 : -1)!);
    const teeworlds = deedOfPlayed(played.at(-1)!);
    const isSame = JSON.stringify(ddnet) === JSON.stringify(teeworlds);
    if (!isSame || ddnet.does === 'crashes')
      this.#add(layer, 'acceptable', question, { games: { ddnet, teeworlds }, ...about });
    else if (ddnet.out) this.#add(layer, 'valid', question, { out: ddnet.out, ...about });
    else this.#add(layer, 'invalid', question, about);
  }

  /** The lines of a layer's file. */
  lines(layer: string): string {
    return this.byLayer
      .get(layer)!
      .map((vector) => `${JSON.stringify(vector)}\n`)
      .join('');
  }

  #add(layer: string, result: Vector['result'], question: Question, rest: object): void {
    const asked = digestOf({ layer, ...question }) as string;
    if (this.#asked.has(asked)) return;
    this.#asked.add(asked);
    const own = this.byLayer.get(layer) ?? [];
    this.byLayer.set(layer, own);
    const id = `${layer}-${String(own.length + 1).padStart(3, '0')}`;
    own.push({ id, layer, result, ...question, ...rest });
  }
}

const deedOf = (deed: Deed | string): Deed => (typeof deed === 'string' ? { does: deed } : deed);

function deedOfPlayed({ outcome, tick, skipped, characters }: Played): Deed {
  if (characters !== undefined) return { does: 'accepted', out: { outcome, characters } };
  if (tick === undefined) return { does: outcome };
  const does = outcome === 'plays' ? (skipped === 0 ? 'accepted' : 'skipped') : outcome;
  return { does, out: { outcome, tick } };
}
