import type { GameMap } from '../../recording/container/map/game-map.ts';

/** The values of `hook_state` that the motion distinguishes. Those from 1 to 3 retract the hook. */
const retracted = -1;
const idle = 0;
const retractStart = 1;
const retractEnd = 3;
const flying = 4;
const grabbed = 5;

/** Velocities and the hook's direction are sent as multiples of this fraction. */
const fraction = 256;
const { fround } = Math;
const halfSize = 14;
/** The maximum speed in units per tick. Explosions make characters much slower than that. */
const maxSpeed = 1000;
/** The distance below the feet at which a character is still on the floor. */
const floorReach = 5;
/** A hook that is shorter than this does not pull. */
const shortHook = 46;

const tuning = {
  gravity: 0.5,
  floor: { speed: 10, acceleration: 2, friction: 0.5 },
  air: { speed: 5, acceleration: 1.5, friction: 0.95 },
  hook: { length: 380, fireSpeed: 80, dragAcceleration: 3, dragSpeed: 15 },
  ramp: { start: 550, range: 2000, curvature: 1.4 },
} as const;

/**
 * The motion of a character that nothing disturbs: no input, no other players. Its values are rounded after each tick
 * to those of an item, because servers and clients do the same to stay equal. For the same reason the numbers are
 * floats of 32 bits: the sum of the steps of a movement may be half a unit, which is then rounded down or up.
 *
 * Source: `CCharacterCore` in `src/game/gamecore.cpp` of the games.
 */
export class CharacterCore {
  x: number;
  y: number;
  #velX: number;
  #velY: number;
  readonly #direction: number;
  hookedPlayer: number;
  hookState: number;
  hookX: number;
  hookY: number;
  readonly #hookDx: number;
  readonly #hookDy: number;

  /** @param get returns a field of the item */
  constructor(get: (field: string) => number) {
    this.x = get('x');
    this.y = get('y');
    this.#velX = get('vel_x') / fraction;
    this.#velY = get('vel_y') / fraction;
    this.#direction = get('direction');
    this.hookedPlayer = get('hooked_player');
    this.hookState = get('hook_state');
    this.hookX = get('hook_x');
    this.hookY = get('hook_y');
    this.#hookDx = get('hook_dx') / fraction;
    this.#hookDy = get('hook_dy') / fraction;
  }

  /** Whether the velocity and the hook's direction are possible, so that a step is a short way. */
  get isPlausible(): boolean {
    return Math.hypot(this.#velX, this.#velY) <= maxSpeed && Math.hypot(this.#hookDx, this.#hookDy) <= 2;
  }

  step(collision: Collision): void {
    const feet = this.y + halfSize + floorReach;
    const isOnFloor = collision.isSolid(this.x + halfSize, feet) || collision.isSolid(this.x - halfSize, feet);
    this.#velY += tuning.gravity;
    this.#run(isOnFloor ? tuning.floor : tuning.air);
    this.#hook(collision);
    this.#move(collision);
    for (const field of ['x', 'y', 'hookX', 'hookY'] as const) this[field] = roundToInt(this[field]);
    this.#velX = roundToInt(this.#velX * fraction) / fraction;
    this.#velY = roundToInt(this.#velY * fraction) / fraction;
  }

  #run({ speed, acceleration, friction }: typeof tuning.floor | typeof tuning.air): void {
    const direction = Math.sign(this.#direction);
    if (direction === 0) this.#velX = fround(this.#velX * fround(friction));
    // A character that is faster than it can run keeps its speed.
    else if (this.#velX * direction < speed)
      this.#velX = direction * Math.min(speed, this.#velX * direction + acceleration);
  }

  #hook(collision: Collision): void {
    if (this.hookState === idle) {
      this.hookedPlayer = -1;
      this.hookX = this.x;
      this.hookY = this.y;
    } else if (this.hookState >= retractStart && this.hookState < retractEnd) this.hookState++;
    else if (this.hookState === retractEnd) this.hookState = retracted;
    else if (this.hookState === flying) this.#flyHook(collision);
    if (this.hookState !== grabbed) return;
    if (this.hookedPlayer >= 0) {
      // The other player's motion is not known, so the hook is released.
      this.hookedPlayer = -1;
      this.hookState = retracted;
      this.hookX = this.x;
      this.hookY = this.y;
    } else this.#pull();
  }

  #flyHook(collision: Collision): void {
    const { length, fireSpeed } = tuning.hook;
    const toX = this.hookX + this.#hookDx * fireSpeed;
    const toY = this.hookY + this.#hookDy * fireSpeed;
    if (Math.hypot(toX - this.x, toY - this.y) > length) {
      this.hookState = retractStart;
      return;
    }
    const hit = collision.hit(this.hookX, this.hookY, toX, toY);
    if (hit) this.hookState = hit.holdsHooks ? grabbed : retractStart;
    [this.hookX, this.hookY] = hit ? [hit.x, hit.y] : [toX, toY];
  }

  /** Pulls the character towards its hook, more strongly upwards than downwards. */
  #pull(): void {
    const { dragAcceleration, dragSpeed } = tuning.hook;
    const dx = this.hookX - this.x;
    const dy = this.hookY - this.y;
    const distance = Math.hypot(dx, dy);
    if (distance <= shortHook) return;
    const isHelped = dx * this.#direction > 0;
    const velX = fround(this.#velX + (dx / distance) * dragAcceleration * (isHelped ? 0.95 : 0.75));
    const velY = fround(this.#velY + (dy / distance) * dragAcceleration * (dy > 0 ? 0.3 : 1));
    const speed = Math.hypot(velX, velY);
    if (speed >= dragSpeed && speed >= Math.hypot(this.#velX, this.#velY)) return;
    this.#velX = velX;
    this.#velY = velY;
  }

  /** Moves in steps of at most one unit, and stops at solid tiles. Fast characters are slowed down horizontally. */
  #move(collision: Collision): void {
    const ramp = rampOf(Math.hypot(this.#velX, this.#velY));
    let velX = fround(this.#velX * ramp);
    let velY = this.#velY;
    const steps = Math.trunc(fround(Math.hypot(velX, velY))) + 1;
    const share = fround(1 / steps);
    for (let i = 0; i < steps; i++) {
      let x = fround(this.x + fround(velX * share));
      let y = fround(this.y + fround(velY * share));
      if (collision.isBoxSolid(x, y, halfSize)) {
        const isBlockedY = collision.isBoxSolid(this.x, y, halfSize);
        const isBlockedX = collision.isBoxSolid(x, this.y, halfSize);
        // If neither direction alone is blocked, the corner of a tile blocks both.
        const isCorner = !isBlockedX && !isBlockedY;
        if (isBlockedY || isCorner) {
          y = this.y;
          velY = 0;
        }
        if (isBlockedX || isCorner) {
          x = this.x;
          velX = 0;
        }
      }
      this.x = x;
      this.y = y;
    }
    this.#velX = fround(velX * fround(1 / ramp));
    this.#velY = velY;
  }
}

/** The factor of the horizontal velocity while a character moves. */
function rampOf(speed: number): number {
  const { start, range, curvature } = tuning.ramp;
  const perSecond = speed * 50;
  return perSecond < start ? 1 : fround(1 / fround(curvature ** ((perSecond - start) / range)));
}

export const unitsPerTile = 32;
/** The tile numbers of solid tiles. Hooks do not hold on the second one. */
const solid = 1;
const unhookable = 3;
export const isSolid = (type: number) => type === solid || type === unhookable;

/** The solid tiles of a map. The tiles at the border continue outside. */
export class Collision {
  readonly #map: GameMap;
  readonly #types: Uint8Array;

  constructor(map: GameMap) {
    this.#map = map;
    this.#types = map.layers[0]!.types;
  }

  isSolid(x: number, y: number): boolean {
    return isSolid(this.#typeAt(x, y));
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

  /**
   * Where a line hits the first solid tile, which is tested about once per unit: the last point before the tile, and
   * whether the tile holds hooks.
   */
  hit(fromX: number, fromY: number, toX: number, toY: number) {
    const steps = Math.trunc(Math.hypot(toX - fromX, toY - fromY) + 1);
    let lastX = fromX;
    let lastY = fromY;
    for (let i = 0; i <= steps; i++) {
      const x = fromX + ((toX - fromX) * i) / steps;
      const y = fromY + ((toY - fromY) * i) / steps;
      if (this.isSolid(x, y)) return { x: lastX, y: lastY, holdsHooks: this.#typeAt(x, y) === solid };
      lastX = x;
      lastY = y;
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
const roundToInt = (value: number) => Math.trunc(value > 0 ? value + 0.5 : value - 0.5);
