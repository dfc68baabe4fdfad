import { describe, expect, it } from 'vitest';
import { kindsOf, tileKinds } from '../../../src/page/plane/tile-kinds.ts';
import type { GameLayer } from '../../../src/recording/container/map/game-map.ts';

const layer = (name: GameLayer['name'], ...types: number[]): GameLayer => ({ name, types: Uint8Array.from(types) });
const kinds = (...layers: GameLayer[]) =>
  [...kindsOf({ width: layers[0]!.types.length, height: 1, layers })].map((number) => tileKinds[number]);

describe('what tiles do', () => {
  it('in the game layer: numbers as in src/game/mapitems.h', () => {
    expect(kinds(layer('game', 0, 1, 2, 3, 9, 11, 12, 33, 34, 60, 17))).toEqual([
      'nothing',
      'hookable',
      'death',
      'unhookable',
      'freeze',
      'unfreeze',
      'freeze',
      'start, finish',
      'start, finish',
      'stopper',
      'special',
    ]);
  });

  it('spawns are drawn, pickups are not: they become items', () => {
    expect(kinds(layer('game', 192, 197, 200))).toEqual(['spawn', 'nothing', 'nothing']);
  });

  it('a wall hides what the other layers have there', () => {
    expect(kinds(layer('game', 1, 0, 0), layer('tele', 26, 26, 0), layer('front', 9, 9, 9))).toEqual([
      'hookable',
      'teleporter',
      'freeze',
    ]);
  });
});
