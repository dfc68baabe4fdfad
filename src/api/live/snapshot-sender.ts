import { ByteBuffer } from '../../wire/bytes/buffers.ts';
import { expects } from '../../wire/bytes/expects.ts';
import { packInts } from '../../wire/codec/varint.ts';
import { messageBytes } from '../../wire/packet/write.ts';
import { type Protocol, protocolOf, type Version } from '../../wire/protocol/registry.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { copyOf } from '../../wire/snapshot/builder.ts';
import { createDelta } from '../../wire/snapshot/create-delta.ts';
import { isSnapshot, Snapshot } from '../../wire/snapshot/snapshot.ts';

/** `MAX_SNAPSHOT_PACKSIZE` of the games. */
const maxPartBytes = 900;
const keptTicks = 3 * ticksPerSecond;
const empty = new Snapshot();

/**
 * Sends snapshots to one client as the games do: each as the difference to the last one that the client has
 * acknowledged, with its checksum, in parts if it is long.
 *
 * Source: `CServer::DoSnapshot` in `src/engine/server/server.cpp` of the games.
 */
export class SnapshotSender {
  readonly #protocol: Protocol;
  /** The snapshots that may become a base, by tick. */
  readonly #sent = new Map<number, Snapshot>();
  #base = -1;

  constructor(protocol: Version | Protocol) {
    this.#protocol = typeof protocol === 'string' ? protocolOf(protocol) : protocol;
  }

  /** The client has received the snapshot of this tick: `ack_snapshot` of its input; -1 if it needs a whole one. */
  acknowledge(tick: number): void {
    if (!Number.isInteger(tick)) expects('acknowledge', 'a tick', tick);
    if (tick !== -1 && !this.#sent.has(tick)) return;
    this.#base = tick;
    for (const sent of this.#sent.keys()) if (sent < tick) this.#sent.delete(sent);
  }

  /** The messages with a snapshot: none of them is vital. @throws DecodeError if no delta can express it */
  send(tick: number, snapshot: Snapshot): Uint8Array[] {
    if (!Number.isInteger(tick)) expects('send', 'a tick', tick);
    if (!isSnapshot(snapshot)) expects('send', 'a Snapshot', snapshot);
    for (const sent of this.#sent.keys()) if (sent < tick - keptTicks) this.#sent.delete(sent);
    const base = this.#sent.has(this.#base) ? this.#base : -1;
    const delta = createDelta(this.#sent.get(base) ?? empty, snapshot, this.#protocol.sizeOf);
    this.#sent.set(tick, copyOf(snapshot));
    const head = { tick, delta: tick - base };
    if (delta.count === 0 && delta.removedCount === 0) return [messageBytes(this.#protocol, 'snap_empty', head)];
    const packed = new ByteBuffer();
    packInts(delta.ints, 0, delta.length, packed);
    const parts = Math.ceil(packed.length / maxPartBytes);
    const crc = snapshot.checksum();
    return Array.from({ length: parts }, (_, part) => {
      const bytes = packed.bytes.subarray(part * maxPartBytes, Math.min((part + 1) * maxPartBytes, packed.length));
      const content = { ...head, crc, size: bytes.length, bytes };
      if (parts === 1) return messageBytes(this.#protocol, 'snap_single', content);
      return messageBytes(this.#protocol, 'snap', { ...content, num_parts: parts, part });
    });
  }
}
