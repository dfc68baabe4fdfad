import { ByteBuffer } from '../bytes/buffers.ts';
import { PayloadReader } from '../decode/payload-reader.ts';
import { BaseBudget } from './snapshot-history.ts';

/** What the connections of one recording share: buffers for what is read at the moment, and the memory for bases. */
export class SharedMemory {
  readonly packet = new ByteBuffer();
  /** Whoever reads sets its sizes. */
  readonly payload = new PayloadReader(() => 0);
  readonly bases = new BaseBudget();
}
