import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCapture, readDemo } from '../../../src/api/index.ts';
import { bestReading } from '../../../src/input/source/recognise-payload.ts';
import { layersOfInts } from '../../../src/wire/payload/encoding-layers.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { firstInts } from '../../support/first.ts';

const isWhole = (ints: readonly number[], removed: readonly number[] = [], updates = 1) =>
  bestReading(
    [layersOfInts(Int32Array.of(removed.length, updates, 0, ...removed, ...ints))],
    { kind: 'delta', protocol: '0.7' },
    protocolOf,
  ).payload.assumesEmptyBase === true;

const character = firstInts.slice(8, 32);
const changed = (ints: ArrayLike<number>, ...changes: [index: number, value: number][]) => {
  const copy = Array.from(ints);
  for (const [i, value] of changes) copy[2 + i] = value;
  return copy;
};

describe('a delta is taken for whole items', () => {
  it.each([
    ['a character', changed(character)],
    ['one that hooks a wall, later', changed(character, [8, -1], [9, 5], [0, 200])],
    ['one that hooks in the first ticks', changed(character, [9, 5], [0, 10], [13, 154], [14, -204])],
    ['a pickup', [4, 3, 784, 304, 2]],
    ['a projectile', [2, 3, 784, 304, 100, 0, 1, 5000]],
    ['a projectile of the first ticks', [2, 3, 784, 304, 60, -80, 1, 5]],
    ['a laser', [3, 3, 784, 304, 700, 304, 5000]],
  ])('%s', (_, ints) => {
    expect(isWhole(ints)).toBe(true);
  });

  it.each([
    ['nobody is hooked, but the number is 0', changed(character, [8, 0])],
    ['it hardly moved', changed(character, [1, 15])],
    ['a direction is out of range', changed(character, [6, 2])],
    ['a hook without a direction, in the first ticks', changed(character, [9, 5], [0, 10], [13, 3], [14, 4])],
    ['a projectile without a speed, in the first ticks', [2, 3, 784, 304, 3, 4, 1, 5]],
    ['a laser of the first ticks', [3, 3, 784, 304, 700, 304, 5]],
    ['a sound alone', [22, 0, 784, 304, 5]],
    ['the score of a player alone', [11, 0, 8, 0, 0]],
  ])('not if %s', (_, ints) => {
    expect(isWhole(ints)).toBe(false);
  });

  it('not if it removes an item, uses a type of its base, or a spectator hardly moves', () => {
    const pickup = [4, 3, 784, 304, 2];
    expect(isWhole(pickup, [0x00040005])).toBe(false);
    expect(isWhole([...pickup, 0x7fff, 0, 1, 7], [], 2)).toBe(false);
    expect(isWhole([...pickup, 9, 0, 1, 2, 3, 2], [], 2)).toBe(false);
  });
});

// A server sends the first snapshot as a delta to the empty one.
it.each([
  ['vanilla-dm1.demo', readDemo],
  ['ddnet-race-player.demo', readDemo],
  ['ddnet-ipv6.pcap', readCapture],
  ['vanilla-ctf-timeout.pcap', readCapture],
] as const)('no update of an item in %s is taken for whole, and every first snapshot is', (name, read) => {
  let updates = 0;
  for (const entry of read(readFileSync(`samples/${name}`))) {
    if (entry.record !== 'snapshot' || !entry.delta || entry.delta.count === 0 || !entry.snapshot) continue;
    const { delta, before, stream } = entry;
    const ints = layersOfInts(delta.ints.slice(0, delta.length));
    const { protocol } = stream;
    const stated = { kind: 'delta', protocol: protocol.version } as const;
    const { assumesEmptyBase = false } = bestReading([ints], stated, () => protocol).payload;
    const isUpdated = [...delta.keys.slice(0, delta.count)].some((key) => (before?.findKey(key) ?? -1) >= 0);
    updates += Number(isUpdated);
    if (isUpdated || entry.base === -1) expect([entry.tick, assumesEmptyBase]).toEqual([entry.tick, !isUpdated]);
  }
  expect(updates).toBeGreaterThan(10);
});
