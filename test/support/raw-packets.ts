import { CaptureReader } from '../../src/recording/container/capture/capture-reader.ts';
import { readMessage } from '../../src/wire/packet/message.ts';
import { type PacketVersion, readPacket } from '../../src/wire/packet/packet.ts';

/** A chunk of a captured packet, read without following its connection. */
interface RawChunk {
  /** The number of the packet. */
  readonly number: number;
  readonly source: string;
  readonly destination: string;
  readonly compressed: boolean;
  /** For vital chunks. */
  readonly sequence: number | undefined;
  readonly bytes: Uint8Array;
  readonly name: string | undefined;
  value(name: string): number;
}

/** All chunks of a capture in order. */
export function rawChunks(capture: Uint8Array, version: PacketVersion): RawChunk[] {
  const chunks: RawChunk[] = [];
  for (const frame of new CaptureReader().feed(capture)) {
    if (frame.kind !== 'datagram') continue;
    const { number, sourcePort, destinationPort, bytes, start, end } = frame;
    const packet = readPacket(bytes.slice(start, end), version, () => {});
    for (const chunk of packet.chunks) {
      const data = packet.payload.subarray(chunk.start, chunk.end);
      const message = readMessage(data, 0, data.length, version);
      chunks.push({
        number,
        source: endpoint(frame.source, sourcePort),
        destination: endpoint(frame.destination, destinationPort),
        compressed: packet.compressed,
        sequence: chunk.vital ? chunk.sequence : undefined,
        bytes: data,
        name: message.type?.name,
        value: (name) => message.values.find((value) => value.name === name)!.value as number,
      });
    }
  }
  return chunks;
}

/** A snapshot as a server sent it. */
export interface Sent {
  readonly client: string;
  readonly tick: number;
  readonly base: number;
  readonly isEmpty: boolean;
  /** The number of map changes before it; each restarts the ticks. */
  readonly map: number;
  readonly packets: Set<number>;
}

/** The snapshots of a whole capture in order, with their packets, found without the replay. */
export function sentSnapshots(capture: Uint8Array, version: PacketVersion): Sent[] {
  const sent = new Map<string, Sent>();
  const maps = new Map<string, Set<string>>();
  for (const { number, destination: client, name, bytes, sequence, value } of rawChunks(capture, version)) {
    const known = maps.get(client) ?? new Set();
    maps.set(client, known);
    if (name === 'map_change') known.add(`${sequence} ${bytes.join()}`);
    if (name !== 'snap' && name !== 'snap_single' && name !== 'snap_empty') continue;
    const key = `${client} ${known.size} ${value('tick')}`;
    const base = value('tick') - value('delta');
    const entry = sent.get(key) ?? {
      client,
      tick: value('tick'),
      base,
      isEmpty: name === 'snap_empty',
      map: known.size,
      packets: new Set(),
    };
    entry.packets.add(number);
    sent.set(key, entry);
  }
  return [...sent.values()];
}

const endpoint = (address: string, port: number) =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
