import { expect, it } from 'vitest';
import { Players } from '../../../src/recording/events/players.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { intsOfText } from '../../../src/wire/protocol/texts.ts';
import { type Item, snapshotOf } from '../../support/readers.ts';

const protocol = protocolOf('0.7');
const { type, size } = protocol.byName('obj_de_client_info')!;

/** An item in which client 0 has this name. */
const named = (name: ArrayLike<number>): Item => {
  const ints = new Int32Array(size);
  ints.set(name, 2);
  return [type!, 0, ...ints];
};

it('ints that are no text are no name', () => {
  const players = new Players(true);
  players.onSnapshot(snapshotOf(named([1, 2, 3, 4])), protocol);
  expect(players.nameOf(0)).toBeUndefined();
  expect(players.infoOf(0)).toMatchObject({ name: '' });
});

it('the item of the next snapshot counts after a message, also if it has not changed', () => {
  const players = new Players();
  const snapshot = snapshotOf(named(intsOfText('lossy', 4)!));
  players.onSnapshot(snapshot, protocol);
  const values = [
    { name: 'client_id', path: ['client_id'], value: 0 },
    { name: 'name', path: ['name'], value: 'mapper' },
  ];
  players.onMessage({ type: { name: 'sv_clientinfo' }, values } as unknown as Parameters<Players['onMessage']>[0]);
  expect(players.nameOf(0)).toBe('mapper');
  players.onSnapshot(snapshot, protocol);
  expect(players.nameOf(0)).toBe('lossy');
});
