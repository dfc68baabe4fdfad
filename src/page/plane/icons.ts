import { h } from '../elements/dom.ts';
import { drawHeart, drawPickup, drawProjectile, drawShield } from './item-shapes.ts';
import type { Sprites } from './sprites.ts';

type Context = CanvasRenderingContext2D;

/** What a bar counts: hearts, shields, or shots of a weapon. */
export type Counted = 'heart' | 'shield' | { readonly shotsOf: string };

/** The icons of a bar, and the pixels from one to the next. */
const most = 10;
const step = 18;
/** The height of a weapon in a line of text, in pixels, and its size beside that in the match. */
const weaponHeight = 18;
const weaponScale = 0.42;

const empty = '#0004';

/** Draws the icons of the readout: with the pictures of a game, or else in the shapes that the match has. */
export class Icons {
  sprites: Sprites | undefined;

  /** A weapon, as wide as it is. */
  weapon(name: string): HTMLElement {
    const width = name === 'hammer' || name === 'gun' ? 28 : 40;
    return iconOf(width, weaponHeight, (context) => {
      context.translate(width / 2, weaponHeight / 2);
      context.scale(weaponScale, weaponScale);
      if (!this.sprites?.pickup(context, name)) drawPickup(context, name);
    });
  }

  /** Ten icons in a row, of which the first are full. Of shots, only those that are left are drawn. */
  bar(counted: Counted, value: number): HTMLElement {
    const filled = Math.max(0, Math.min(most, value));
    const element = iconOf(most * step, step, (context) => {
      const length = typeof counted === 'string' ? most : filled;
      for (let i = 0; i < length; i++) {
        context.save();
        context.translate((i + 0.5) * step, step / 2);
        context.scale(0.5, 0.5);
        this.#one(context, counted, i < filled);
        context.restore();
      }
    });
    const name = typeof counted === 'string' ? counted : 'shots';
    element.className = `icon ${name}`;
    element.dataset.value = String(filled);
    return element;
  }

  #one(context: Context, counted: Counted, isFull: boolean): void {
    const { sprites } = this;
    if (typeof counted !== 'string') {
      if (!sprites?.projectile(context, counted.shotsOf, 0)) drawProjectile(context, counted.shotsOf, 0);
    } else if (!sprites?.sign(context, isFull ? counted : `no ${counted}`)) {
      const draw = counted === 'heart' ? drawHeart : drawShield;
      draw(context, isFull ? undefined : empty);
    }
  }
}

/** A picture of that size in pixels. */
function iconOf(width: number, height: number, draw: (context: Context) => void): HTMLElement {
  const ratio = devicePixelRatio;
  const canvas = h('canvas', { class: 'icon', width: Math.ceil(width * ratio), height: Math.ceil(height * ratio) });
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d')!;
  context.scale(ratio, ratio);
  draw(context);
  return canvas;
}
