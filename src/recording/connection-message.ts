import { LazyMessage } from './lazy-message.ts';
import type { ConnectionStream, Direction } from './record.ts';

/** A message of a connection, at the time of the last packet. */
export class ConnectionMessage extends LazyMessage {
  readonly time: number;
  readonly frame: number;
  readonly bytes: Uint8Array;

  constructor(connection: ConnectionStream, direction: Direction, bytes: Uint8Array, frame: number) {
    super(connection, direction, false);
    this.bytes = bytes;
    this.time = connection.lastTime;
    this.frame = frame;
  }
}
