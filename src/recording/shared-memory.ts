import { ByteBuffer } from '../bytes/buffers.ts';
import { PayloadReader } from '../decode/payload-reader.ts';
import { BaseBudget } from './snapshot-history.ts';

/** The buffers for the current data, and the memory for bases, which the connections of a recording share. */
export class SharedMemory {
  readonly packet = new ByteBuffer();
  /** Each user sets the sizes of its items. */
  readonly payload = new PayloadReader(() => 0);
  readonly bases: BaseBudget;

  /** @param parts of a divided capture, one of which uses this memory */
  constructor(parts?: number) {
    this.bases = new BaseBudget(parts);
  }
}
