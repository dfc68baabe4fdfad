import { getOr } from '../../wire/bytes/get-or.ts';
import type { PlayerLook } from '../data/skin-colours.ts';
import type { Pictures } from '../report/pictures.ts';
import { type Foot, footOf, recoilOf, swingOf } from './animations.ts';
import { imageOf, multiplied, type Source } from './images.ts';
import type { TeeState } from './tee.ts';

/*
 * Draws with the pictures of a game, in units around the origin of the context. Where a sprite is in its picture, and
 * its size, is a fact of the games' data (`datasrc/content.py`): `game.png` is a grid of 32 × 16, a skin of 0.6 one of
 * 8 × 4.
 */

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;
/** A cell of a grid: column, row, columns, rows. */
type Cell = readonly [x: number, y: number, width: number, height: number];

const gameGrid = [32, 16] as const;
const skinGrid = [8, 4] as const;
const baseSize = 64;
const bodyY = -4;
const feetY = 10;
/** Skins in a colour that are kept. */
const maxTinted = 300;

/** The body of a weapon, its projectile, its size, and where it is held. */
const weapons: Readonly<Record<string, readonly [body: Cell, size: number, x: number, y: number, projectile?: Cell]>> =
  {
    hammer: [[2, 1, 4, 3], 96, 4, -20],
    gun: [[2, 4, 4, 2], 64, 32, 4, [6, 4, 2, 2]],
    shotgun: [[2, 6, 8, 2], 96, 24, -2, [10, 6, 2, 2]],
    grenade: [[2, 8, 7, 2], 96, 24, -2, [10, 8, 2, 2]],
    laser: [[2, 12, 7, 3], 92, 24, -2, [10, 12, 2, 2]],
    ninja: [[2, 10, 8, 2], 96, 0, 0],
  };
const cells = {
  health: [10, 2, 2, 2],
  armor: [12, 2, 2, 2],
  heart: [21, 0, 2, 2],
  'no heart': [23, 0, 2, 2],
  shield: [21, 2, 2, 2],
  'no shield': [23, 2, 2, 2],
  red: [16, 8, 4, 8],
  blue: [12, 8, 4, 8],
  chain: [2, 0, 1, 1],
  head: [3, 0, 2, 1],
} as const satisfies Record<string, Cell>;

const eyesOf06: Readonly<Record<string, Cell>> = {
  normal: [2, 3, 1, 1],
  angry: [3, 3, 1, 1],
  pain: [4, 3, 1, 1],
  happy: [5, 3, 1, 1],
  surprise: [7, 3, 1, 1],
};
const eyesOf07: Readonly<Record<string, Cell>> = {
  normal: [0, 0, 1, 1],
  angry: [1, 0, 1, 1],
  pain: [0, 1, 1, 1],
  happy: [1, 1, 1, 1],
  surprise: [0, 2, 1, 1],
};

export class Sprites {
  readonly #game: Source | undefined;
  readonly #skins: ReadonlyMap<string, Source>;
  readonly #tinted = new Map<string, Source>();

  private constructor(game: Source | undefined, skins: ReadonlyMap<string, Source>) {
    this.#game = game;
    this.#skins = skins;
  }

  static async load({ game, skins }: Pictures): Promise<Sprites> {
    const loaded = await Promise.all(skins.map(async ({ name, png }) => [name, await imageOf(png)] as const));
    const there = loaded.flatMap(([name, image]) => (image ? [[name, image] as const] : []));
    return new Sprites(game && (await imageOf(game)), new Map(there));
  }

  /** Draws a pickup. @returns false if there is no picture of it, as of all others here */
  pickup(context: Context, name: string): boolean {
    const kind = name.startsWith('armor') ? 'armor' : name;
    if (kind === 'health' || kind === 'armor') return this.#draw(context, cells[kind], 64);
    const weapon = weapons[kind];
    return weapon !== undefined && this.#draw(context, weapon[0], kind === 'ninja' ? 128 : weapon[1]);
  }

  /** Draws a sign of the readout, 32 wide. */
  sign(context: Context, name: 'heart' | 'no heart' | 'shield' | 'no shield'): boolean {
    return this.#box(context, cells[name], -16, -16, 32, 32);
  }

  flag(context: Context, team: 'red' | 'blue'): boolean {
    return this.#box(context, cells[team], -21, -31.5 - 42, 42, 84);
  }

  projectile(context: Context, weapon: string, angle: number): boolean {
    const cell = weapons[weapon]?.[4];
    if (!cell) return false;
    context.save();
    context.rotate(angle);
    const isDrawn = this.#box(context, cell, -16, -16, 32, 32);
    context.restore();
    return isDrawn;
  }

  hook(context: Context, toX: number, toY: number): boolean {
    if (!this.#game) return false;
    const length = Math.hypot(toX, toY);
    context.save();
    context.rotate(Math.atan2(toY, toX));
    for (let at = 24; at < length; at += 24) this.#box(context, cells.chain, length - at - 12, -8, 24, 16);
    this.#box(context, cells.head, length - 12, -8, 24, 16);
    context.restore();
    return true;
  }

  weapon(context: Context, name: string, angle: number, sinceAttack: number): boolean {
    const weapon = weapons[name];
    if (!weapon) return false;
    const [cell, size, offsetX, offsetY] = weapon;
    const dx = Math.cos(angle);
    const dy = Math.sin(angle);
    context.save();
    const swing = swingOf(name, sinceAttack);
    if (swing !== undefined) {
      context.translate(dx < 0 ? -offsetX : offsetX, offsetY);
      if (dx < 0) context.scale(-1, 1);
      context.rotate(2 * Math.PI * (swing - 0.25));
    } else {
      const along = offsetX - recoilOf(sinceAttack);
      context.translate(dx * along, dy * along + offsetY);
      context.rotate(angle);
      if (dx < 0) context.scale(1, -1);
    }
    const isDrawn = this.#draw(context, cell, size);
    context.restore();
    return isDrawn;
  }

  /** Draws the tee of a player with its skin. @returns false without a picture of the skin */
  tee(context: Context, state: TeeState, look: PlayerLook): boolean {
    const parts = look.skin.split('/');
    return parts.length > 1 ? this.#tee07(context, state, look, parts) : this.#tee06(context, state, look);
  }

  #tee06(context: Context, state: TeeState, { skin, parts }: PlayerLook): boolean {
    const own = this.#skins.get(skin) ?? this.#skins.get('default');
    if (!own) return false;
    const body = this.#inColour(skin, own, parts[0], true);
    const feet = this.#inColour(skin, own, parts[1], true);
    const part = (image: Source, cell: Cell, x: number, y: number, width: number, height: number) =>
      drawCell(context, image, skinGrid, cell, x - width / 2, y - height / 2, width, height);
    const { emote, angle } = state;
    for (const isFilled of [false, true]) {
      const cell = [6, isFilled ? 1 : 2, 2, 1] as const;
      const foot = (which: 'far' | 'near') =>
        drawFoot(context, feet, [skinGrid, cell], footOf(state, which), [baseSize, baseSize / 2]);
      foot('far');
      part(body, isFilled ? [0, 0, 3, 3] : [3, 0, 3, 3], 0, bodyY, baseSize, baseSize);
      if (isFilled) {
        const dx = Math.cos(angle);
        const dy = Math.sin(angle);
        const apart = (0.075 - 0.01 * Math.abs(dx)) * baseSize;
        const x = dx * 8;
        const y = bodyY + (-0.05 + dy * 0.1) * baseSize;
        const size = 0.4 * baseSize;
        const height = emote === 'blink' ? size * 0.375 : size;
        for (const side of [-1, 1]) {
          context.save();
          context.translate(x + side * apart, y);
          context.scale(-side, 1);
          part(body, eyesOf06[emote] ?? eyesOf06.normal!, 0, 0, size, height);
          context.restore();
        }
      }
      foot('near');
    }
    return true;
  }

  #tee07(context: Context, state: TeeState, { parts: colours }: PlayerLook, names: readonly string[]): boolean {
    const image = (folder: string, i: number) => {
      const name = `${folder}/${names[i]}`;
      const own = this.#skins.get(name);
      return own && this.#inColour(name, own, colours[i], false);
    };
    const body = image('body', 0);
    if (!body) return false;
    const marking = image('marking', 1);
    const decoration = image('decoration', 2);
    const feet = image('feet', 4);
    const eyes = image('eyes', 5);
    type Box = [x: number, y: number, width: number, height: number];
    const part = (source: Source | undefined, grid: readonly [number, number], cell: Cell, box?: Box) => {
      const [x, y, width, height] = box ?? [0, bodyY, baseSize, baseSize];
      if (source) drawCell(context, source, grid, cell, x - width / 2, y - height / 2, width, height);
    };
    const plain = this.#skins.get(`body/${names[0]}`);
    const { emote, angle } = state;
    const dx = Math.cos(angle);
    const dy = Math.sin(angle);
    for (const isFilled of [false, true]) {
      const size = baseSize / 2.1;
      /** Of a picture with the filled part at the left and its outline at the right. */
      const half = [isFilled ? 0 : 1, 0, 1, 1] as const;
      const foot = (which: 'far' | 'near') =>
        drawFoot(context, feet, [[2, 1] as const, half], footOf(state, which), [size, size]);
      foot('far');
      part(decoration, [2, 1], half);
      if (isFilled) {
        part(body, [2, 2], [1, 0, 1, 1]);
        part(marking, [1, 1], [0, 0, 1, 1]);
        part(plain, [2, 2], [0, 1, 1, 1]);
        part(plain, [2, 2], [1, 1, 1, 1]);
        // A picture has both eyes, and is twice as wide as high.
        const size = 0.6 * baseSize;
        const height = (emote === 'blink' ? 0.15 * baseSize : size) / 2;
        const y = bodyY + (-0.05 + dy * 0.1) * baseSize;
        part(eyes, [2, 4], eyesOf07[emote] ?? eyesOf07.normal!, [dx * 8, y, size, height]);
      } else part(plain, [2, 2], [0, 0, 1, 1]);
      foot('near');
    }
    return true;
  }

  /**
   * A picture in a colour: grey, and then multiplied. @param isNormal whether its most frequent grey becomes a light
   * one, as in 0.6
   */
  #inColour(name: string, own: Source, colour: string | undefined, isNormal: boolean): Source {
    if (colour === undefined) return own;
    if (this.#tinted.size > maxTinted) this.#tinted.clear();
    return getOr(this.#tinted, `${name} ${colour}`, () =>
      multiplied(own, colour, (pixels) => toGrey(pixels, isNormal)),
    );
  }

  /** Draws a sprite in the middle. Its diagonal is the size. */
  #draw(context: Context, cell: Cell, size: number): boolean {
    const scale = size / Math.hypot(cell[2], cell[3]);
    const width = cell[2] * scale;
    const height = cell[3] * scale;
    return this.#box(context, cell, -width / 2, -height / 2, width, height);
  }

  #box(context: Context, cell: Cell, x: number, y: number, width: number, height: number): boolean {
    if (!this.#game) return false;
    drawCell(context, this.#game, gameGrid, cell, x, y, width, height);
    return true;
  }
}

function drawCell(
  context: Context,
  image: Source,
  [across, down]: readonly [number, number],
  [column, row, columns, rows]: Cell,
  ...box: readonly [x: number, y: number, width: number, height: number]
): void {
  const width = image.width / across;
  const height = image.height / down;
  context.drawImage(image, column * width, row * height, columns * width, rows * height, ...box);
}

/** Draws a foot from a picture, in the middle of which it is turned. */
function drawFoot(
  context: Context,
  image: Source | undefined,
  [grid, cell]: readonly [grid: readonly [number, number], cell: Cell],
  [x, y, turns]: Foot,
  [width, height]: readonly [width: number, height: number],
): void {
  if (!image) return;
  context.save();
  context.translate(x, feetY + y);
  context.rotate(turns * 2 * Math.PI);
  drawCell(context, image, grid, cell, -width / 2, -height / 2, width, height);
  context.restore();
}

/** The grey that the most frequent one of a body becomes. */
const bodyGrey = 192;

/** Makes a skin grey; in 0.6 with its body in a light grey, so that a chosen colour looks alike on all skins. */
function toGrey({ data, width, height }: ImageData, isNormal: boolean): void {
  const frequencies = new Uint32Array(256);
  const greyAt = (i: number) => Math.round((data[i]! + data[i + 1]! + data[i + 2]!) / 3);
  for (let y = 0; y < (height * 3) / 4; y++)
    for (let x = 0; x < (width * 3) / 8; x++) {
      const i = 4 * (y * width + x);
      if (data[i + 3]! > 128) frequencies[greyAt(i)]!++;
    }
  const usual = Math.max(1, frequencies.indexOf(Math.max(...frequencies.subarray(1)), 1));
  for (let i = 0; i < data.length; i += 4) {
    const grey = greyAt(i);
    if (!isNormal) {
      data.fill(grey, i, i + 3);
      continue;
    }
    const above = ((grey - usual) * (255 - bodyGrey)) / Math.max(1, 255 - usual) + bodyGrey;
    data.fill(grey <= usual ? (grey * bodyGrey) / usual : above, i, i + 3);
  }
}
