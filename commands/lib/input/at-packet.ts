import { recordsOf } from '../../../src/recording/formats.ts';
import type { ConnectionStream, Direction } from '../../../src/recording/record.ts';
import { copyOf } from '../../../src/snapshot/builder.ts';
import type { Snapshot } from '../../../src/snapshot/snapshot.ts';
import { inputError, usageError } from '../errors.ts';
import type { Input } from './input.ts';
import { type Opened, openReplay } from './open.ts';
import { refuseIneffective } from './refuse.ts';

/** A copy of a packet of a capture, and the snapshot that it completes. */
interface FoundPacket {
  /** Undefined for a connectionless packet and for a datagram that is not game traffic. */
  readonly stream: ConnectionStream | undefined;
  readonly direction: Direction | undefined;
  /** The payload of the datagram. */
  readonly bytes: Uint8Array;
  snapshot?: Snapshot | undefined;
  /** The base of the delta in this packet. */
  base?: Snapshot | undefined;
  /** The announced checksum if the snapshot has another one. */
  mismatch?: number | undefined;
}

/**
 * Finds a packet of a capture by Wireshark's frame number. All packets before it are read too, for the base of a delta.
 * @throws CommandError if the packet with this number is not a UDP datagram
 */
export async function atPacket(opened: Opened, number: number, input: Input) {
  const { name, format, pieces } = opened;
  if (!format!.hasPackets) throw usageError(`${name}: a demo has no packets (#${number}); FILE@TICK names a snapshot`);
  if (input.client !== undefined)
    throw usageError(`${name}#${number} is one packet; --client cannot be combined with it`);
  const replay = openReplay(opened, input, { messages: false, ticks: false, parts: true });
  let found: FoundPacket | undefined;
  const near = { before: 0, after: 0 };
  for await (const entry of recordsOf(pieces, replay)) {
    const { frame = 0 } = entry;
    if (frame > number) {
      near.after = frame;
      break;
    }
    if (entry.record === 'packet') near.before = frame;
    if (frame !== number) continue;
    if (entry.record === 'packet') {
      found = { stream: entry.stream, direction: entry.direction, bytes: entry.bytes.slice() };
    } else if (entry.record === 'snapshot' && found && entry.parts === 1) {
      const { snapshot, before, verdict, announced } = entry;
      found.snapshot = snapshot && copyOf(snapshot);
      found.base = before && copyOf(before);
      if (verdict === 'mismatch') found.mismatch = announced;
    }
  }
  if (found) {
    if (found.stream) refuseIneffective(name, input, { streams: [found.stream] });
    return found;
  }
  const ends = near.before === 0 ? '' : `; the last datagram before it is ${near.before}`;
  if (near.after === 0) throw usageError(`${name}: there is no packet ${number}${ends}`);
  throw inputError(`${name}: packet ${number} is not a readable UDP datagram${ends}, the next one ${near.after}`);
}
