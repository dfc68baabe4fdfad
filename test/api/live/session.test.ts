import { expect, it } from 'vitest';
import { ClientSession } from '../../../src/api/live/session.ts';
import { Channel, readMessage, writeMessage } from '../../../src/api/live.ts';
import { ints, snapSingle } from '../../support/packet-builder.ts';

// CClient::OnEnterGame forgets all snapshots; before the map is loaded none is processed.
it('a snapshot is read when the client has entered the game, not before', () => {
  const session = new ClientSession('0.6', { name: 'walker' });
  const server = new Channel('0.6', 'server');
  let seconds = 0;
  /** What the client acknowledges in its inputs, after the messages of the server. */
  const acknowledged = (...messages: readonly (readonly number[] | Uint8Array)[]) => {
    for (const message of messages) server.send(Uint8Array.from(message), { vital: true });
    const acks: unknown[] = [];
    for (let i = 0; i < 6; i++) {
      seconds += 0.1;
      for (const packet of server.packets(seconds)) session.receive(packet, seconds);
      for (const packet of session.packets(seconds)) {
        for (const bytes of server.receive(packet)) {
          const { name, fields } = readMessage(bytes, '0.6');
          if (name === 'input') acks.push((fields as { ack_snapshot?: number }).ack_snapshot);
        }
      }
    }
    return acks.at(-1);
  };
  const map = (size: number) => writeMessage('0.6', 'map_change', { name: 'here', crc: 1, size });
  const snapshot = (tick: number) => snapSingle(7, tick, tick + 1, 0, ints(0, 0, 0));
  const enter = writeMessage('0.6', 'sv_readytoenter');
  acknowledged();
  expect(acknowledged(snapshot(98), enter)).toBe(-1);
  expect(acknowledged(snapshot(2))).toBe(2);
  expect(acknowledged(map(0), snapshot(100), enter)).toBe(-1);
  expect(acknowledged(snapshot(4))).toBe(4);
});
