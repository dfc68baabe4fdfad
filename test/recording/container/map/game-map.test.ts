import { deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { unpackZlib as inflate } from '../../../../src/input/decompress/decompress.ts';
import { readDemoHeader } from '../../../../src/recording/container/demo/header.ts';
import { type GameMap, maxTiles, readMap } from '../../../../src/recording/container/map/game-map.ts';
import { DecodeError, ignore } from '../../../../src/wire/bytes/diagnostic.ts';
import { corpusFile, hasCorpus } from '../../../support/corpus.ts';
import { dumped } from '../../../support/report.ts';
import { read } from '../../../support/samples.ts';

function mapIn(demo: Uint8Array): Uint8Array {
  const { mapStart, mapSize } = readDemoHeader(demo, ignore);
  return demo.slice(mapStart, mapStart + mapSize);
}

const dm1 = mapIn(read('vanilla-dm1.demo'));
const layer = ({ layers }: GameMap, name: string) => layers.find((layer) => layer.name === name)!;
const at = (map: GameMap, x: number, y: number) => layer(map, 'game').types[(y >> 5) * map.width + (x >> 5)];

/** Tiles from this number on are entities. The order of the pickups differs from that of the network. */
const entityOffset = 255 - 16 * 4;
const pickupTiles = [7, 6, 9, 8, 11, 10].map((entity) => entity + entityOffset);

describe('the game layers of a map', () => {
  it('have an entity where each recorded pickup is, and no wall where a player is', async () => {
    const map = await readMap(dm1, inflate);
    const records = await dumped(read('vanilla-dm1.demo'), '--no-messages');
    const items = records.flatMap(({ record, items }) => (record === 'snapshot' ? items : []));
    const pickups = items.filter(({ name }) => name === 'obj_pickup');
    expect(pickups.length).toBeGreaterThan(20);
    for (const { fields } of pickups) expect(at(map, fields.x, fields.y)).toBe(pickupTiles[fields.type]);
    const characters = items.filter(({ name }) => name === 'obj_character');
    for (const { fields } of characters) expect([1, 3]).not.toContain(at(map, fields.x, fields.y));
  });

  it('are the same in a datafile of version 3, which is not compressed', async () => {
    const plain = asVersion3(dm1);
    expect(plain.length).toBeGreaterThan(dm1.length);
    expect(await readMap(plain, async () => undefined)).toEqual(await readMap(dm1, inflate));
  });

  it('repeats the tiles of a layer of version 4 as often as their third byte says', async () => {
    // Two runs: 11 empty tiles, one solid tile.
    const map = await readMap(mapOf({ width: 4, height: 3, version: 4, tiles: [0, 0, 10, 0, 1, 0, 0, 0] }), inflate);
    expect([...layer(map, 'game').types]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  });

  it.skipIf(!hasCorpus)('those of DDNet: teleporters, speedups, switches, tune zones (needs ../shared)', async () => {
    const map = await readMap(mapIn(corpusFile('ddnet20/06-ddnet20-coverage-finishes-client.demo')), inflate);
    expect(map.layers.map(({ name }) => name)).toContain('tele');
    for (const { types } of map.layers) expect(types).toHaveLength(map.width * map.height);
  });
});

describe('a damaged map', () => {
  const codeOf = (bytes: Uint8Array) =>
    readMap(bytes, inflate).then(
      () => 'read',
      (error: unknown) => {
        if (error instanceof DecodeError) return error.code;
        throw error;
      },
    );

  it('is refused with a code', async () => {
    expect(await codeOf(Uint8Array.of(1, 2, 3))).toBe('not_a_map');
    expect(await codeOf(dm1.slice(0, 30))).toBe('bad_map');
    expect(await codeOf(changed(dm1, 4, 5))).toBe('map_version');
    expect(await codeOf(mapOf({ width: 4, height: 3, version: 2, tiles: [] }))).toBe('bad_map');
    expect(await codeOf(mapOf({ width: -4, height: 3, version: 2, tiles: [] }))).toBe('bad_map');
    expect(await codeOf(mapOf({ width: 1, height: maxTiles + 1, version: 2, tiles: [] }))).toBe('bad_map');
    expect(await codeOf(mapOf({ width: 2, height: 1, version: 2, tiles: new Array(8).fill(0), kind: 0 }))).toBe(
      'no_game_layer',
    );
  });

  it('never causes any other error, wherever it is cut or changed', async () => {
    const codes = new Set<string>();
    for (let length = 0; length < dm1.length; length += 251) codes.add(await codeOf(dm1.slice(0, length)));
    expect([...codes].sort()).toEqual(['bad_map', 'not_a_map']);
    for (let i = 0; i < 1400; i += 4) codes.add(await codeOf(changed(dm1, i, dm1[i]! ^ 0xff)));
    for (let i = 0; i < 1400; i += 11) codes.add(await codeOf(changed(dm1, i, dm1[i]! ^ (1 << (i % 8)))));
    expect([...codes].sort()).toEqual(['bad_map', 'map_version', 'no_game_layer', 'not_a_map', 'read']);
  });

  it('with a block that unpacks to more than it says is refused', async () => {
    const bomb = mapOf({ width: 2, height: 1, version: 2, tiles: new Array(8).fill(0), data: new Uint8Array(1 << 22) });
    expect(await codeOf(bomb)).toBe('bad_map');
  });
});

const changed = (bytes: Uint8Array, at: number, value: number) => {
  const copy = bytes.slice();
  copy[at] = value;
  return copy;
};

/** A datafile with one tile layer. */
function mapOf(layer: {
  width: number;
  height: number;
  version: number;
  tiles: number[];
  kind?: number;
  data?: Uint8Array;
}) {
  const { width, height, version, tiles, kind = 1, data = Uint8Array.from(tiles) } = layer;
  const ints = [0, 2, 0, version, width, height, kind, 255, 255, 255, 255, -1, 0, -1, 0];
  const block = deflateSync(data);
  const item = [5 << 16, ints.length * 4, ...ints];
  const head = [4, 0, 0, 1, 1, 1, item.length * 4, block.length];
  const all = [...head, 5, 0, 1, 0, 0, tiles.length, ...item];
  return new Uint8Array(Buffer.concat([Buffer.from('DATA'), new Uint8Array(Int32Array.from(all).buffer), block]));
}

/** The same datafile without compression. */
function asVersion3(bytes: Uint8Array): Uint8Array {
  const view = Buffer.from(bytes);
  const [types, items, count, itemBytes] = [16, 20, 24, 28].map((at) => view.readInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ];
  const tables = 36 + types * 12 + items * 4;
  const offsets = Array.from({ length: count }, (_, i) => view.readInt32LE(tables + i * 4));
  const start = tables + count * 8 + itemBytes;
  const blocks = offsets.map((offset, i) =>
    inflateSync(view.subarray(start + offset, start + (offsets[i + 1] ?? view.length))),
  );
  const head = Buffer.from(view.subarray(0, tables));
  head.writeInt32LE(3, 4);
  head.writeInt32LE(
    blocks.reduce((sum, { length }) => sum + length, 0),
    32,
  );
  const newOffsets = Buffer.alloc(count * 4);
  let sum = 0;
  for (const [i, { length }] of blocks.entries()) {
    newOffsets.writeInt32LE(sum, i * 4);
    sum += length;
  }
  return new Uint8Array(Buffer.concat([head, newOffsets, view.subarray(tables + count * 8, start), ...blocks]));
}
