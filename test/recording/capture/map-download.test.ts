import { expect, it } from 'vitest';
import { MapDownload, maxKeptMapBytes } from '../../../src/recording/capture/map-download.ts';
import { readMessage } from '../../../src/wire/packet/message.ts';
import { type Bytes, text } from '../../support/bytes.ts';
import { ints } from '../../support/packet-builder.ts';

const message = (...bytes: Bytes[]) => readMessage(Uint8Array.from(bytes.flat()), 0, bytes.flat().length, '0.6');
const change = (size: number) => message(ints((2 << 1) | 1), [...text('dm1')], [0], ints(1, size));
const piece = (chunk: number, data: number[]) => message(ints((3 << 1) | 1, 1, 0, chunk, data.length), data);

it('a map is whole when all its pieces came in turn', () => {
  const map = new MapDownload();
  expect(map.add(change(3))).toBe(true);
  for (const each of [piece(0, [1, 2]), piece(0, [1, 2]), piece(2, [9]), piece(1, [3])]) map.add(each);
  expect([map.pieces, map.isWhole]).toEqual([2, true]);
});

it('one above maxKeptMapBytes is as one that was not sent', () => {
  const map = new MapDownload();
  map.add(change(maxKeptMapBytes + 1));
  map.add(piece(0, [1, 2]));
  expect([map.pieces, map.isWhole, map.finish().pieces]).toEqual([0, false, []]);
});
