import type { CaptureFormat } from '../../../src/container/capture/reader.ts';
import { type CaptureRecord, CaptureReplay } from '../../../src/recording/capture.ts';
import type { Connection, ConnectionOptions } from '../../../src/recording/connection.ts';
import { NetlogReplay } from '../../../src/recording/netlog.ts';
import type { Container } from './open.ts';

/** What follows the connections of recorded packets, whatever file they are in. */
export interface PacketReplay {
  readonly format: CaptureFormat | 'netlog' | undefined;
  readonly connections: readonly Connection[];
  readonly datagrams: number;
  readonly connless: number;
  readonly other: number;
  feed(piece: Uint8Array): Iterable<CaptureRecord>;
  finish(): Iterable<CaptureRecord>;
}

export function packetReplay(container: Container, options: ConnectionOptions): PacketReplay {
  return container === 'netlog' ? new NetlogReplay(options) : new CaptureReplay(options);
}
