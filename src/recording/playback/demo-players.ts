import { Window } from '../../wire/bytes/window.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { DemoFrame } from '../container/demo/chunk.ts';
import { type DemoHeader, maxHeaderBytes, netVersionOf } from '../container/demo/header.ts';
import { type DemoGame, demoGames } from '../games/demo-rules.ts';
import { DemoPlayer, Fork, type Played, type PlayOptions } from './demo-player.ts';

/*
 * What every version of the games does with a demo, while another reader reads it, which does more than they do: it goes
 * on after damage.
 *
 *   our reader      frame frame frame  ✗ frame frame …
 *   in step         ───── ───── ─────┐                      ┌── ─────   nothing to do: the games read it so
 *   alone, by 16.4                   └──────────────────────┤
 *   alone, by 19.2                       └──────────────────┘            divided where the two differ
 *
 * Up to the first complaint this costs nothing but a note of where each frame ends. There the players begin with the
 * snapshot before it, and read on as strictly as the games. If they come to a whole snapshot of which the other reader
 * has no complaint, at the same place and tick, all have read the same again.
 */

/** Bytes that may wait for the other reader: more than what it skips at once. */
const maxWaiting = 1 << 22;

export interface GamePlayed {
  readonly game: DemoGame;
  readonly played: Played;
}

export class DemoPlayers {
  readonly #window = new Window();
  readonly #options: PlayOptions;
  /** Whether the items are of 0.6, whatever the header says: then versions that know no 0.7 play them. */
  hasContentOf06 = false;
  #players: DemoPlayer[];
  #isLoaded = false;
  #isAlone = false;
  /** Where the other reader has read to, and where chunks begin for it. */
  #at = 0;
  #chunksStart = 0;
  #ticks = { firstTick: -1, tick: -1, hasMore: false, hasKeyframe: false };

  /** @param games those that play demos of the net version in the header, if no others are stated */
  constructor(games?: readonly DemoGame[], options: PlayOptions = {}) {
    this.#options = options;
    this.#players = games ? [new DemoPlayer(games, options)] : [];
  }

  /** The file so far is needed no more, or {@link leave} has to be called before the next piece. */
  get isBehind(): boolean {
    return !this.#isAlone && this.#window.end - this.#window.start > maxWaiting;
  }

  add(piece: Uint8Array): void {
    this.#window.add(piece);
    this.#load();
    if (this.#isAlone && this.#window.end - this.#window.start > maxWaiting) this.#play();
  }

  /** Ends the file. @param base the snapshot that the other reader has read last */
  finish(base: Snapshot | undefined): void {
    this.#window.ended = true;
    this.#load();
    this.leave(base);
    this.#play();
  }

  /** Notes that the other reader has read the header as the games do. */
  followHeader({ chunksStart }: DemoHeader): void {
    this.#chunksStart = chunksStart;
    if (this.#players.some(({ played, at }) => !played && at !== chunksStart)) this.leave(undefined);
  }

  /**
   * Notes that the other reader has read a frame without a complaint.
   * @param isWhole whether it is a snapshot that needs nothing before it
   */
  follow(frame: DemoFrame, isWhole: boolean): void {
    if (this.#isAlone && isWhole) this.#rejoin(frame);
    if (this.#isAlone) return;
    const { kind, tick, keyframe, dataOffset, start, end } = frame;
    this.#at = dataOffset + end - start;
    // A file that is shorter than the longest header is loaded at its end.
    if (this.#isLoaded) this.#window.start = Math.min(this.#window.index(this.#at), this.#window.end);
    if (tick < 0) return;
    const ticks = this.#ticks;
    if (ticks.firstTick < 0) ticks.firstTick = tick;
    else if (kind === 'tick' || tick !== ticks.tick) ticks.hasMore = true;
    ticks.tick = tick;
    if (kind === 'tick' && keyframe) ticks.hasKeyframe = true;
  }

  /** Ends going alone if all players are before this snapshot. */
  #rejoin({ offset, tick }: DemoFrame): void {
    this.#play(offset);
    if (this.#players.some((player) => !player.played && !player.isAt(offset, tick))) return;
    this.#isAlone = false;
    for (const player of this.#players) player.rest();
  }

  /** Goes on alone, before what the other reader complains about. @param base the last snapshot; undefined before it */
  leave(base: Snapshot | undefined): void {
    if (this.#isAlone) return;
    this.#isAlone = true;
    if (this.#at > this.#chunksStart) {
      const [offsets, items] = base ? itemsOf(base) : [[], new Int32Array()];
      this.#each((player) => {
        if (!player.played) player.goOn(this.#at, this.#ticks, (all) => base && all.begin(offsets, items));
      });
    }
  }

  /** What each version does, in the order of the list; empty before the end of the file. */
  get results(): GamePlayed[] {
    const byGame = new Map<DemoGame, Played>();
    for (const { games, played } of this.#players) if (played) for (const game of games) byGame.set(game, played);
    const games = this.#players
      .flatMap((player) => player.games)
      .sort((a, b) => demoGames.indexOf(a) - demoGames.indexOf(b));
    return games.flatMap((game) => (byGame.has(game) ? { game, played: byGame.get(game)! } : []));
  }

  #load(): void {
    if (this.#isLoaded) return;
    const { bytes, start, end, ended } = this.#window;
    if (end - start < maxHeaderBytes && !ended) return;
    const games = gamesOf(netVersionOf(bytes.subarray(start, end)), this.hasContentOf06);
    if (this.#players.length === 0) this.#players = [new DemoPlayer(games, this.#options)];
    this.#each((player) => {
      this.#isLoaded = player.load(this.#window);
    });
  }

  #play(until?: number): void {
    if (!this.#isLoaded) return;
    const window = this.#window;
    this.#each((player) => player.play(window, until));
    const first = this.#players.reduce((least, { played, at }) => (played ? least : Math.min(least, at)), Infinity);
    window.start = Math.max(window.start, Math.min(window.index(first), window.end));
  }

  /** Does the same with each player; one that finds its versions to differ is divided, and begins again. */
  #each(step: (player: DemoPlayer) => void): void {
    for (let i = 0; i < this.#players.length; ) {
      try {
        step(this.#players[i]!);
        i++;
      } catch (error) {
        if (!(error instanceof Fork)) throw error;
        this.#players.splice(i, 1, ...this.#players[i]!.fork(error.rule));
      }
    }
  }
}

/** The games that play demos of a net version: DDNet those of 0.7 since 18.5, Teeworlds 0.7.5 no others. */
const gamesOf = (netVersion: string, hasContentOf06: boolean) =>
  demoGames.filter(({ game, rules }) =>
    netVersion.startsWith('0.7') ? rules.knows07 || hasContentOf06 : game === 'DDNet',
  );

/** The items of a snapshot as a game has them in memory: where each begins, and keys and values one after the other. */
function itemsOf({ count, keys, offsets, data }: Snapshot): readonly [readonly number[], Int32Array] {
  const items = new Int32Array(count + offsets[count]!);
  const starts: number[] = [];
  for (let i = 0; i < count; i++) {
    const at = i + offsets[i]!;
    starts.push(at);
    items[at] = keys[i]!;
    items.set(data.subarray(offsets[i]!, offsets[i + 1]!), at + 1);
  }
  return [starts, items];
}
