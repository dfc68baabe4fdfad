import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { unpackZlib as inflate } from '../../../src/input/decompress/decompress.ts';
import type { Pictures } from '../../../src/page/report/pictures.ts';
import { readPng, writePng } from '../../../src/page/report/png.ts';
import { reportDataOf } from '../../support/report.ts';
import { runWriting } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

const demo = read('vanilla-dm1.demo');
const deflate = async (data: Uint8Array) => new Uint8Array(deflateSync(data));
const square = async (side: number, colour: readonly number[]) =>
  writePng(
    { width: side, height: side, pixels: Uint8Array.from({ length: 4 * side * side }, (_, i) => colour[i % 4]!) },
    deflate,
  );

const files = {
  'data/game.png': await square(32, [255, 0, 0, 255]),
  // The tileset of dm1, and one that it does not have.
  'data/mapres/grass_main.png': await square(32, [0, 255, 0, 255]),
  'data/mapres/desert_main.png': await square(32, [0, 0, 255, 255]),
  'data/skins/body/standard.png': await square(8, [255, 255, 255, 255]),
  'data/skins/body/bear.png': await square(8, [255, 255, 255, 255]),
};

async function picturesOf(there: Record<string, Uint8Array>): Promise<Pictures> {
  const { stdout, status } = await runWriting('report file --data data', { file: demo, ...there });
  expect(status).toBe(0);
  return reportDataOf(stdout).pictures!;
}
const names = (pictures: readonly { readonly name: string }[]) => pictures.map(({ name }) => name);

describe('report --data', () => {
  it('takes what the recording needs, half as wide and high, and nothing else', async () => {
    const { map, game, skins } = await picturesOf(files);
    expect(names(map)).toEqual(['grass_main']);
    expect(names(skins)).toEqual(['body/standard']);
    const image = (await readPng(skins[0]!.png, inflate))!;
    expect([image.width, image.height]).toEqual([4, 4]);
    expect([...image.pixels.subarray(0, 4)]).toEqual([255, 255, 255, 255]);
    const sprites = (await readPng(game!, inflate))!;
    expect([sprites.width, sprites.height]).toEqual([16, 16]);
  });

  it('keeps of a tileset the tiles that the map has, of 16 × 16', async () => {
    const { map } = await picturesOf(files);
    const { pixels } = (await readPng(map[0]!.png, inflate))!;
    const opaque = pixels.filter((alpha, i) => i % 4 === 3 && alpha > 0).length;
    expect(opaque).toBeGreaterThan(0);
    expect(opaque).toBeLessThan(16 * 16);
    // Tile 0 is no tile, but a layer with it has it in its data; the last one, which is not in the map, is empty.
    expect(pixels.at(-1)).toBe(0);
  });

  it('finds the parts of skins where DDNet has them', async () => {
    const { 'data/skins/body/standard.png': body, ...others } = files;
    expect(names((await picturesOf({ ...others, 'data/skins7/body/standard.png': body })).skins)).toEqual([
      'body/standard',
    ]);
  });

  it('leaves out what is missing, is no image, or is too large', async () => {
    const { map, game, skins } = await picturesOf({
      'data/game.png': new Uint8Array(100),
      'data/mapres/grass_main.png': new Uint8Array(1 << 24),
    });
    expect([map, game, skins]).toEqual([[], undefined, []]);
  });

  it('refuses a folder that is not that of a game, without a page', async () => {
    for (const there of [
      {},
      { 'data/game.png': files['data/game.png'] },
      { 'data/mapres/a.png': files['data/game.png'] },
    ]) {
      const { status, stdout, stderr } = await runWriting('report file --data data', { file: demo, ...there });
      expect([status, stdout]).toEqual([3, '']);
      expect(stderr).toBe('tw-snap: data: this is not the data of a game: it has no game.png and mapres\n');
    }
  });
});
