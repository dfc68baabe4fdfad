import { describe, expect, it } from 'vitest';
import { unpackZlib as inflate } from '../../../../src/input/decompress/decompress.ts';
import { readDemoHeader } from '../../../../src/recording/container/demo/header.ts';
import {
  type MapDesign,
  type QuadLayer,
  readMapDesign,
  type TileLayer,
} from '../../../../src/recording/container/map/map-design.ts';
import { ignore } from '../../../../src/wire/bytes/diagnostic.ts';
import { datafile, mapItems } from '../../../support/datafile.ts';
import { read } from '../../../support/samples.ts';

const { group, tiles, quads, image } = mapItems;
const text = (name: string) => new TextEncoder().encode(`${name}\0`);
const design = (...[items, blocks]: Parameters<typeof datafile>) => readMapDesign(datafile(items, blocks), inflate);
const layersOf = ({ groups }: MapDesign) => groups.flatMap(({ layers }) => layers);
const empty = { images: [], envelopes: [], groups: [] };

/** Tiles of four bytes: number, flags, skip, reserved. */
const tileBytes = (numbers: readonly number[], flags: readonly number[] = []) =>
  Uint8Array.from(numbers.flatMap((number, i) => [number, flags[i] ?? 0, 0, 0]));

describe('the design of a map', () => {
  it('has tiles with their image, colour and flags, in a group with its parallax and clip', async () => {
    const made = await design(
      [
        image(1, 1, 0, 1),
        group(0, 2, [50, 25], [-32, 0, 640, 320]),
        tiles(2, 1, 2, { flags: 1 }),
        tiles(3, 1, 3, { image: 0, colour: [1, 2, 3, 4] }),
      ],
      [text('grass'), Uint8Array.of(9, 8, 7, 255), tileBytes([0, 1]), tileBytes([0, 5, 6], [0, 8, 3])],
    );
    expect(made.images).toEqual([{ name: 'grass', width: 1, height: 1, pixels: Uint8Array.of(9, 8, 7, 255) }]);
    expect(made.groups).toEqual([
      {
        ...{ offset: [0, 0], parallax: [50, 25], clip: [-32, 0, 640, 320], game: 0 },
        layers: [
          {
            ...{ kind: 'tiles', image: 0, colour: [1, 2, 3, 4], colouring: undefined, width: 3, height: 1 },
            ...{ tiles: Uint8Array.of(0, 5, 6), flags: Uint8Array.of(0, 8, 3) },
          },
        ],
      },
    ]);
  });

  it('has quads with their corners in units, of which a point has 1024', async () => {
    const ints = new Int32Array(38);
    // Corners from (-64, 0) to (64, 32), the pivot, four colours, and the whole image as the texture.
    ints.set([-64, 0, 64, 0, -64, 32, 64, 32].map((unit) => unit * 1024));
    ints.set([255, 128, 0, 64], 10);
    ints.set(
      [0, 0, 1, 0, 0, 1, 1, 1].map((share) => share * 1024),
      26,
    );
    // The pivot, and envelopes: the second one half a second ahead moves it, none changes its colours.
    ints.set([32 * 1024, 16 * 1024], 8);
    ints.set([1, 500, -1, 0], 34);
    const made = await design([group(0, 1), quads(1, 0)], [new Uint8Array(ints.buffer)]);
    const [quad] = (layersOf(made)[0] as QuadLayer).quads;
    expect(quad).toMatchObject({ pivot: [32, 16], motion: { envelope: 1, offset: 0.5 }, colouring: undefined });
    expect(quad!.points).toEqual([-64, 0, 64, 0, -64, 32, 64, 32]);
    expect(quad!.colours.slice(0, 8)).toEqual([255, 128, 0, 64, 0, 0, 0, 0]);
    expect(quad!.texture).toEqual([0, 0, 1, 0, 0, 1, 1, 1]);
  });

  it('has an opaque image of three bytes for each pixel, and names those that are not in it', async () => {
    const made = await design(
      [
        image(2, 1, 0, 1),
        image(64, 64, 2, -1, true),
        group(0, 2),
        tiles(1, 1, 3, { image: 0 }),
        tiles(1, 1, 3, { image: 1 }),
      ],
      [text('rgb'), Uint8Array.of(1, 2, 3, 4, 5, 6), text('jungle'), tileBytes([7])],
    );
    expect(made.images).toEqual([
      { name: 'rgb', width: 2, height: 1, pixels: Uint8Array.of(1, 2, 3, 255, 4, 5, 6, 255) },
      { name: 'jungle', width: 64, height: 64 },
    ]);
  });

  it('of dm1 has the game layer between the background and the foreground', async () => {
    const demo = read('vanilla-dm1.demo');
    const { mapStart, mapSize } = readDemoHeader(demo, ignore);
    const dm1 = await readMapDesign(demo.slice(mapStart, mapStart + mapSize), inflate);
    const at = dm1.groups.findIndex(({ game }) => game !== undefined);
    expect(at).toBeGreaterThan(0);
    expect(dm1.groups[at]!.parallax).toEqual([100, 100]);
    // The sky does not move as fast as the game.
    expect(dm1.groups[0]!.parallax[0]).toBeLessThan(100);
    for (const layer of layersOf(dm1))
      if (layer.image !== undefined) expect(dm1.images[layer.image]!.name).not.toBe('');
  });
});

describe('of a hostile map, what is damaged or too large is left out', () => {
  it('a layer whose data is too short, or does not exist, while the next one is read', async () => {
    const made = await design(
      [group(0, 4), tiles(4, 4, 0), tiles(2, 1, 9), tiles(2, 1, -1), tiles(1, 1, 1)],
      [tileBytes([1, 2]), tileBytes([5])],
    );
    expect(layersOf(made).map(({ kind }) => kind)).toEqual(['tiles']);
    expect((layersOf(made)[0] as TileLayer).tiles).toEqual(Uint8Array.of(5));
  });

  it.each([
    [4000, 4000],
    [-1, -1],
    [0, 5],
    [0x7fffffff, 0x7fffffff],
    [1 << 16, 1 << 16],
  ])('a layer of %i × %i tiles', async (width, height) => {
    const made = await design([group(0, 2), tiles(width, height, 0), tiles(1, 1, 0)], [tileBytes([3])]);
    expect(layersOf(made)).toHaveLength(1);
  });

  it('layers whose tiles are more than 4 million together, even empty ones', async () => {
    const half = new Uint8Array(4 * 1024 * 2000);
    let unpacked = 0;
    const bytes = datafile([group(0, 100), ...Array.from({ length: 100 }, () => tiles(1024, 2000, 0))], [half]);
    await readMapDesign(bytes, (data, size) => {
      unpacked += size;
      return inflate(data, size);
    });
    expect(unpacked).toBe(2 * half.length);
  });

  it('quads beyond the twenty thousandth, and those that the data lacks', async () => {
    const made = await design([group(0, 2), quads(25_000, 0), quads(1, 0)], [new Uint8Array(152 * 20_000)]);
    expect(layersOf(made).map((layer) => (layer as QuadLayer).quads.length)).toEqual([20_000]);
    const few = await design([group(0, 1), quads(10, 0)], [new Uint8Array(152 * 3 + 100)]);
    expect((layersOf(few)[0] as QuadLayer).quads).toHaveLength(3);
    expect(layersOf(await design([group(0, 1), quads(-5, 0)], [new Uint8Array(152)]))).toEqual([]);
  });

  it.each([
    [5000, 10],
    [-2, -2],
    [0x7fffffff, 0x7fffffff],
    [4096, 4097],
  ])('the pixels of an image of %i × %i', async (width, height) => {
    const made = await design(
      [image(width, height, 0, 1), group(0, 1), tiles(1, 1, 2, { image: 0 })],
      [text('huge'), new Uint8Array(16), tileBytes([1])],
    );
    expect(made.images).toEqual([{ name: 'huge', width, height }]);
  });

  it('the pixels of images beyond 16 million, even if those before are damaged', async () => {
    let unpacked = 0;
    const bytes = datafile(
      [
        ...Array.from({ length: 50 }, () => image(4096, 2048, 0, 1)),
        group(0, 50),
        ...Array.from({ length: 50 }, (_, i) => tiles(1, 1, 2, { image: i })),
      ],
      [text('same'), new Uint8Array(1000), tileBytes([1])],
    );
    await readMapDesign(bytes, (data, size) => {
      if (size === 1000) unpacked++;
      return inflate(data, size);
    });
    expect(unpacked).toBe(2);
  });

  it('all of it, if an item is in the file many times', async () => {
    const bytes = datafile([group(0, 1), ...Array.from({ length: 50 }, () => tiles(1, 1, 0))], [tileBytes([1])]);
    const view = new DataView(bytes.buffer);
    // The offsets of the items are after the header and two types: now all layers are one.
    for (let i = 1; i <= 50; i++) view.setInt32(36 + 2 * 12 + 4 * i, view.getInt32(36 + 2 * 12 + 4, true), true);
    // It is as large as all of them together: this is allowed.
    expect(layersOf(await readMapDesign(bytes, inflate))).toHaveLength(1);
    const items = view.getInt32(28, true);
    const layer = 36 + 2 * 12 + 51 * 4 + 2 * 4 + view.getInt32(36 + 2 * 12 + 4, true);
    view.setInt32(layer + 4, items - 200, true);
    expect(await readMapDesign(bytes, inflate)).toEqual(empty);
  });

  it('groups that claim all layers', async () => {
    const made = await design(
      [...Array.from({ length: 3000 }, () => group(0, 0x7fffffff)), tiles(1, 1, 0)],
      [tileBytes([1])],
    );
    expect(layersOf(made).length).toBeLessThanOrEqual(1024);
    expect(layersOf(await design([group(-5, 0x7fffffff), tiles(1, 1, 0)], [tileBytes([1])]))).toHaveLength(1);
  });

  it('wherever it is cut or changed: no error, and nothing else', async () => {
    const whole = datafile(
      [image(2, 2, 0, 1), group(0, 2), tiles(2, 2, 2, { image: 0 }), quads(1, 3)],
      [text('i'), new Uint8Array(16), tileBytes([1, 2, 3, 4]), new Uint8Array(152)],
    );
    for (let length = 0; length < whole.length; length++) {
      expect(await readMapDesign(whole.slice(0, length), inflate)).toEqual(empty);
    }
    for (let at = 0; at < whole.length; at++)
      for (const value of [0, 0x7f, 0xff]) {
        const changed = whole.slice();
        changed[at] = value;
        expect(layersOf(await readMapDesign(changed, inflate)).length).toBeLessThanOrEqual(2);
      }
  });
});
