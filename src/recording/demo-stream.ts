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
