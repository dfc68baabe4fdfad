import type { GameLayer, GameMap } from '../container/map/game-map.ts';

/** A map with the lengths of its columns instead of their bytes. */
export interface MapColumns extends Omit<GameMap, 'layers'> {
  readonly layers: readonly (Pick<GameLayer, 'name'> & {
    readonly types: number;
    readonly numbers: number | undefined;
    readonly angles: number | undefined;
  })[];
}

/** @param add keeps the bytes of a column and returns their number */
export const writeMapColumns = ({ layers, ...size }: GameMap, add: (bytes: Uint8Array) => number): MapColumns => ({
  ...size,
  layers: layers.map(({ name, types, numbers, angles }) => ({
    name,
    types: add(types),
    numbers: numbers && add(numbers),
    angles: angles && add(Uint8Array.from({ length: angles.length * 2 }, (_, i) => angles[i >> 1]! >> (8 * (i & 1)))),
  })),
});

/** @param take returns the bytes that were added next */
export const readMapColumns = ({ layers, ...size }: MapColumns, take: (length: number) => Uint8Array): GameMap => ({
  ...size,
  layers: layers.map(({ name, types, numbers, angles }) => ({
    name,
    types: take(types),
    numbers: numbers === undefined ? undefined : take(numbers),
    angles: angles === undefined ? undefined : anglesOf(take(angles)),
  })),
});

const anglesOf = (bytes: Uint8Array) =>
  Int16Array.from({ length: bytes.length >> 1 }, (_, i) => bytes[2 * i]! | (bytes[2 * i + 1]! << 8));
