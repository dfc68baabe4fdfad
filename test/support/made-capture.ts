import { protocolOf } from '../../src/wire/protocol/registry.ts';
import type { Snapshot } from '../../src/wire/snapshot/snapshot.ts';
import { type Bytes, file } from './bytes.ts';
import { ethernet, ipv4, pcapHeader, pcapRecord, udp, v4 } from './capture-builder.ts';
import { chunk06, ints, packet06 } from './packet-builder.ts';
import { type MadeItem, messageOf, Recording } from './recording.ts';

/** A message of a server of 0.6, and the port of the client to which it is sent. */
export type ServerMessage = readonly [port: number, message: Bytes];

/** A capture of these messages, one a millisecond. */
export function serverCapture(messages: readonly ServerMessage[]): Uint8Array {
  const sequences = new Map<number, number>();
  const frames = messages.map(([port, message]) => {
    const isSnapshot = message[0]! >> 1 === 7;
    const sequence = (sequences.get(port) ?? 0) + (isSnapshot ? 0 : 1);
    sequences.set(port, sequence);
    const chunk = chunk06(message, isSnapshot ? {} : { vital: true, sequence });
    return ethernet(v4, ipv4(udp([...packet06([chunk])], 8303, port)));
  });
  return file(pcapHeader(), ...frames.map((frame, i) => pcapRecord(frame, { fraction: 1000 * i })));
}

export const serverMessage = (name: string, ...values: readonly (number | string)[]): Bytes =>
  messageOf('0.6', name, values);

export const mapChange = (name: string): Bytes => serverMessage('map_change', name, 1, 2);

/** `snap_single` with these items on the empty snapshot. */
export function snapshotMessage(tick: number, ...items: readonly MadeItem[]): Bytes {
  const last = new Recording('0.6')
    .tick(tick)
    .snapshot(...items)
    .records.at(-1)!;
  const { snapshot } = last as { snapshot: Snapshot };
  const all = [...snapshot].flatMap(({ type, id, data }) => [
    ...[type, id, ...(protocolOf('0.6').sizeOf(type) === 0 ? [data.length] : [])],
    ...data,
  ]);
  const crc = [...snapshot].reduce((sum, { data }) => data.reduce((sum, int) => (sum + int) | 0, sum), 0);
  const delta = ints(0, snapshot.count, 0, ...all);
  return [...ints((7 << 1) | 1, tick, tick + 1, crc, delta.length), ...delta];
}

/** The items of a player: name and place. */
export const playerItems = (id: number, name: string, x = 0): readonly MadeItem[] => [
  ['obj_client_info', id, { name }],
  ['obj_player_info', id, { client_id: id }],
  ['obj_character', id, { x, y: 32 }],
];
