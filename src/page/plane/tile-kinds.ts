import type { GameLayer, GameMap, LayerName } from '../../container/map/game-map.ts';

/** What a tile does to players, as far as it is drawn; the number of a kind is its index, 0 is nothing. */
export const tileKinds = [
  'nothing',
  'hookable',
  'unhookable',
  'death',
  'freeze',
  'unfreeze',
  'teleporter',
  'speedup',
  'switch',
  'stopper',
  'start, finish',
  'spawn',
  'special',
] as const;
export type TileKind = (typeof tileKinds)[number];

/** Tiles from this number on place entities; the first three are spawns. */
const entityOffset = 255 - 16 * 4;
const spawns = [1, 2, 3];

/** The kinds of the numbers of tiles in the game and front layers; others up to the entities are special. */
const kindOfType: Readonly<Record<number, TileKind>> = {
  0: 'nothing',
  1: 'hookable',
  2: 'death',
  3: 'unhookable',
  9: 'freeze',
  11: 'unfreeze',
  12: 'freeze',
  13: 'unfreeze',
  33: 'start, finish',
  34: 'start, finish',
  60: 'stopper',
  61: 'stopper',
  62: 'stopper',
};

/** The layers of which every tile that is not 0 has the same kind. */
const kindOfLayer: Partial<Record<LayerName, TileKind>> = { tele: 'teleporter', speedup: 'speedup', switch: 'switch' };

/** Where layers overlap, the first one with a tile counts. */
const order: readonly LayerName[] = ['game', 'tele', 'speedup', 'switch', 'front'];

/** The kind of each tile, row by row. */
export function kindsOf({ width, height, layers }: GameMap): Uint8Array {
  const kinds = new Uint8Array(width * height);
  for (const name of order) {
    const layer = layers.find((one) => one.name === name);
    if (!layer) continue;
    for (let i = 0; i < kinds.length; i++) if (kinds[i] === 0) kinds[i] = kindNumber(layer, i);
  }
  return kinds;
}

function kindNumber({ name, types }: GameLayer, i: number): number {
  const type = types[i]!;
  if (type === 0) return 0;
  const kind = kindOfLayer[name] ?? kindOfType[type] ?? kindOfOther(type);
  return tileKinds.indexOf(kind);
}

function kindOfOther(type: number): TileKind {
  if (type <= entityOffset) return 'special';
  // Pickups and flags are drawn as the items that they become.
  return spawns.includes(type - entityOffset) ? 'spawn' : 'nothing';
}

/** Whether players cannot pass a tile. */
export const isSolid = (type: number) => type === 1 || type === 3;
