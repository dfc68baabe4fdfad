import type { Protocol } from '../protocol/registry.ts';
import type { Stream } from './record.ts';

/** The one stream of a demo: the data sent to the recorded player, or by the server. */
export class DemoStream implements Stream {
  readonly number = 1;
  readonly client = '';
  readonly server = '';
  readonly mapChanges = 0;
  protocol: Protocol;
  mixesVersions: boolean | 'maybe' = false;

  constructor(protocol: Protocol) {
    this.protocol = protocol;
  }
}

/** What a replay found out about the versions in a demo, as plain data. */
export interface DemoVersions {
  /** Whether the deltas of 0.7 are read with the sizes of 0.6. */
  readonly hasSizesOf06: boolean;
  /** {@link Stream.mixesVersions}; undefined if messages are not read. */
  readonly mixesVersions: Stream['mixesVersions'];
}
