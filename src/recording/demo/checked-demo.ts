import type { DemoReader } from '../container/demo/demo-reader.ts';
import { MapCheck } from '../replay/map-summary.ts';
import type { ReadOptions } from '../replay/replay.ts';
import { DemoReplay } from './demo-replay.ts';

/** Compares the map in a demo with its header, too. `readDemo` does without: SHA-256 would be a tenth of its code. */
export class CheckedDemoReplay extends DemoReplay {
  constructor(options: ReadOptions = {}, reader?: DemoReader) {
    super({ ...options, map: new MapCheck() }, reader);
  }
}
