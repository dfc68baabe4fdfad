import type { EventList } from './event-list.ts';
import { inspect } from './inspect.ts';
import type { Inspector } from './inspector.ts';
import type { PlayerTable } from './player-table.ts';
import type { Recording } from './recording.ts';

/** The minimum milliseconds between two updates while the recording is played. */
const leastPause = 200;

/** The snapshot that the views show. */
interface Shown {
  readonly recording: Recording;
  readonly position: number;
  /** The chosen item. */
  readonly item: string | undefined;
}

/** The views that are too slow for every frame: the items and bytes, and the tables of players and events. */
export class SlowViews {
  readonly #inspector: Inspector;
  readonly #players: PlayerTable;
  readonly #events: EventList;
  #lastUpdate = 0;
  /** The milliseconds that the last update took. */
  #took = 0;
  #isTablesTurn = false;

  constructor(inspector: Inspector, players: PlayerTable, events: EventList) {
    this.#inspector = inspector;
    this.#players = players;
    this.#events = events;
  }

  show(shown: Shown): void {
    this.#inspect(shown, false);
    this.showTables(shown);
  }

  /** Updates the views by turns while the recording is played, so rarely that the picture keeps moving. */
  follow(shown: Shown): void {
    const start = performance.now();
    if (start - this.#lastUpdate < Math.max(leastPause, 6 * this.#took)) return;
    if (this.#isTablesTurn) this.showTables(shown);
    else this.#inspect(shown, true);
    this.#isTablesTurn = !this.#isTablesTurn;
    this.#lastUpdate = performance.now();
    this.#took = this.#lastUpdate - start;
  }

  showTables({ recording, position }: Shown): void {
    this.#players.show(position);
    this.#events.show(recording.snapshot(position).tick);
  }

  #inspect({ recording, position, item }: Shown, isPlaying: boolean): void {
    this.#inspector.show(recording, position, inspect(recording, position), item, isPlaying);
  }
}
