import type { GameLayer, GameMap, LayerName } from '../../recording/container/map/game-map.ts';

/** The kinds of tile that are drawn differently. The number of a kind is its index. */
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

/** Tiles with higher numbers place entities. The first three entities are spawns. */
const entityOffset = 255 - 16 * 4;
const spawns = [1, 2, 3];

/** The kind of each tile number in the game and front layers. Other numbers, up to the entities, are special. */
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

/** The layers in which all tiles except 0 have the same kind. */
const kindOfLayer: Partial<Record<LayerName, TileKind>> = { tele: 'teleporter', speedup: 'speedup', switch: 'switch' };

/** If layers overlap, the first of these with a tile determines the kind. */
const order: readonly LayerName[] = ['game', 'tele', 'speedup', 'switch', 'front'];

export function kindsOf({ width, height, layers }: GameMap): Uint8Array {
  const kinds = new Uint8Array(width * height);
  for (const name of order) {
    const layer = layers.find((layer) => layer.name === name);
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
  // Pickups and flags are not drawn as tiles, because the snapshot has them as items.
  return spawns.includes(type - entityOffset) ? 'spawn' : 'nothing';
}
