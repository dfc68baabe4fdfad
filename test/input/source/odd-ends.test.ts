import { describe, expect, it } from 'vitest';
import { EndWatch } from '../../../src/input/source/odd-ends.ts';
import { join } from '../../../src/wire/bytes/copy.ts';
import { read } from '../../support/samples.ts';

const demo = read('vanilla-dm1.demo');
const other = read('ddnet-race-player.demo');

function watched(bytes: Uint8Array, size: number, isDemo = true) {
  const watch = new EndWatch(isDemo);
  for (let at = 0; at < bytes.length; at += size) watch.add(bytes.subarray(at, at + size));
  const { zerosFrom, secondAt } = watch;
  return { zerosFrom, secondAt };
}

describe.each([1000, 4096, 1 << 20])('in pieces of %i bytes', (size) => {
  it('a whole demo has neither', () => {
    expect(watched(demo, size)).toEqual({ zerosFrom: undefined, secondAt: undefined });
  });

  it('zeros at the end are found where they begin', () => {
    const cut = demo.slice(0, 5000);
    const end = cut.findLastIndex((byte) => byte !== 0) + 1;
    expect(watched(join([cut, new Uint8Array(3000)]), size).zerosFrom).toBe(end);
  });

  it('a second demo is found where it begins', () => {
    expect(watched(join([demo, other]), size).secondAt).toBe(demo.length);
    expect(watched(join([demo, other]), size, false).secondAt).toBeUndefined();
  });
});

it('a beginning in two pieces is found', () => {
  const watch = new EndWatch(true);
  const all = join([demo, other]);
  watch.add(all.subarray(0, demo.length + 3));
  watch.add(all.subarray(demo.length + 3));
  expect(watch.secondAt).toBe(demo.length);
});
