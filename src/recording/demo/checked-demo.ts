import type { DemoHeader } from '../container/demo/header.ts';
import { DemoPlays } from '../playback/plays.ts';
import { MapCheck } from '../replay/map-summary.ts';
import type { RecordingEntry } from '../replay/record.ts';
import type { ReadOptions } from '../replay/replay.ts';
import { DemoReplay } from './demo-replay.ts';

/** Compares the map in a demo with its header, too, and runs the games' players beside. Commands that write do without. */
export class CheckedDemoReplay extends DemoReplay {
  readonly #plays: DemoPlays;
  readonly #map: MapCheck;
  #header: DemoHeader | undefined;
  #hasMap = false;
  #hasEnded = false;
  #hasErrors = false;

  constructor(options: ReadOptions = {}) {
    const plays = new DemoPlays(options.messages === false);
    const map = new MapCheck();
    super({ ...options, map, plays });
    this.#plays = plays;
    this.#map = map;
  }

  override end(): void {
    super.end();
    this.#hasEnded = true;
  }

  override next(): RecordingEntry | undefined {
    const entry = super.next();
    if (entry === undefined) return this.#hasEnded ? this.#end() : undefined;
    if (entry.record === 'header') this.#header = entry.header;
    else if (entry.record === 'map') this.#hasMap = true;
    else if (entry.record === 'diagnostic') {
      this.#plays.add(entry.diagnostic);
      this.#hasErrors ||= entry.diagnostic.severity === 'error';
    }
    return entry;
  }

  /** What the games do with it: of a demo that can be read, a fault if they do not play it. */
  #end(): RecordingEntry | undefined {
    this.#hasEnded = false;
    if (!this.#header) return undefined;
    this.finishPlayers();
    this.#plays.finish(this.#header, this.#hasMap ? this.#map : undefined);
    const { notPlayed } = this.#plays;
    if (!notPlayed || this.#hasErrors) return undefined;
    return { record: 'diagnostic', stream: this.streams[0]!, diagnostic: notPlayed };
  }
}
