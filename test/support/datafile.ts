import { deflateSync } from 'node:zlib';

interface Item {
  readonly type: number;
  readonly ints: readonly number[];
}

/** The file of a map, of version 4: items in the order of their types, and blocks of data, which are compressed. */
export function datafile(items: readonly Item[], blocks: readonly Uint8Array[]): Uint8Array {
  const types = [...new Set(items.map(({ type }) => type))];
  const packed = blocks.map((block) => deflateSync(block));
  const places = (sizes: readonly number[]) =>
    sizes.map((_, i) => sizes.slice(0, i).reduce((sum, size) => sum + size, 0));
  const sum = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, 0);
  const itemSizes = items.map(({ ints }) => 8 + 4 * ints.length);
  const blockSizes = packed.map(({ length }) => length);
  const numbers = [
    ...[4, 0, 0, types.length, items.length, blocks.length, sum(itemSizes), sum(blockSizes)],
    ...types.flatMap((type) => [
      type,
      items.findIndex((item) => item.type === type),
      items.filter((item) => item.type === type).length,
    ]),
    ...places(itemSizes),
    ...places(blockSizes),
    ...blocks.map(({ length }) => length),
    ...items.flatMap(({ type, ints }, id) => [(type << 16) | id, 4 * ints.length, ...ints]),
  ];
  return new Uint8Array(
    Buffer.concat([Buffer.from('DATA'), new Uint8Array(Int32Array.from(numbers).buffer), ...packed]),
  );
}

/** Items of a map, as `src/game/mapitems.h` of the games has them. */
export const mapItems = {
  group: (start: number, count: number, parallax = [100, 100], clip?: readonly number[]): Item => ({
    type: 4,
    ints: [clip ? 2 : 1, 0, 0, ...parallax, start, count, ...(clip ? [1, ...clip] : [])],
  }),
  tiles: (
    width: number,
    height: number,
    block: number,
    { image = -1, flags = 0, colour = [255, 255, 255, 255] } = {},
  ): Item => ({
    type: 5,
    ints: [0, 2, 0, 2, width, height, flags, ...colour, -1, 0, image, block],
  }),
  quads: (count: number, block: number, image = -1): Item => ({ type: 5, ints: [0, 3, 0, 1, count, block, image] }),
  image: (width: number, height: number, name: number, block: number, isExternal = false): Item => ({
    type: 2,
    ints: [1, width, height, isExternal ? 1 : 0, name, block],
  }),
};
