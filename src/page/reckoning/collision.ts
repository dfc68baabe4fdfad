import type { GameMap } from '../../container/map/game-map.ts';

const unitsPerTile = 32;
/** The tile numbers of solid tiles. Hooks do not hold on the second one. */
const [solid, unhookable] = [1, 3];

/** Where a hook hits the map: the last point before the tile, and whether the tile holds hooks. */
export interface Hit {
  readonly x: number;
  readonly y: number;
  readonly holdsHooks: boolean;
}

/** The solid tiles of a map. The tiles at the border continue outside. */
export class Collision {
  readonly #map: GameMap;
  readonly #types: Uint8Array;

  constructor(map: GameMap) {
    this.#map = map;
    this.#types = map.layers[0]!.types;
  }

  isSolid(x: number, y: number): boolean {
    const type = this.#typeAt(x, y);
    return type === solid || type === unhookable;
  }

  /** Whether a corner of a square around a point is in a solid tile. */
  isBoxSolid(x: number, y: number, half: number): boolean {
    return (
      this.isSolid(x - half, y - half) ||
      this.isSolid(x + half, y - half) ||
      this.isSolid(x - half, y + half) ||
      this.isSolid(x + half, y + half)
    );
  }

  /** The first solid tile on the way between two points, which is tested about once per unit. */
  hit(fromX: number, fromY: number, toX: number, toY: number): Hit | undefined {
    const steps = Math.trunc(Math.hypot(toX - fromX, toY - fromY) + 1);
    let [lastX, lastY] = [fromX, fromY];
    for (let i = 0; i <= steps; i++) {
      const [x, y] = [fromX + ((toX - fromX) * i) / steps, fromY + ((toY - fromY) * i) / steps];
      if (this.isSolid(x, y)) return { x: lastX, y: lastY, holdsHooks: this.#typeAt(x, y) === solid };
      [lastX, lastY] = [x, y];
    }
    return undefined;
  }

  #typeAt(x: number, y: number): number {
    const { width, height } = this.#map;
    const column = Math.max(0, Math.min(width - 1, Math.trunc(roundToInt(x) / unitsPerTile)));
    const row = Math.max(0, Math.min(height - 1, Math.trunc(roundToInt(y) / unitsPerTile)));
    return this.#types[row * width + column]!;
  }
}

/** Rounds halves away from 0, as the games do. */
export const roundToInt = (value: number) => Math.trunc(value > 0 ? value + 0.5 : value - 0.5);
