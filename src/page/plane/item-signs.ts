import type { Camera } from '../data/camera.ts';
import type { PlayerLook } from '../data/skin-colours.ts';
import { styled } from '../elements/dom.ts';
import type { DrawnItem } from './drawn-items.ts';
import { drawText, widthOfText } from './text.ts';

type Point = readonly [x: number, y: number];

/** The height of the letters of a label in pixels. */
const labelSize = 11;

/** Draws shapes on a canvas, in its pixels. */
export class Pen {
  readonly context: CanvasRenderingContext2D;

  constructor(context: CanvasRenderingContext2D) {
    this.context = context;
  }

  line([fromX, fromY]: Point, [toX, toY]: Point, stroke: string, width: number): void {
    const { context } = this;
    context.strokeStyle = stroke;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(fromX, fromY);
    context.lineTo(toX, toY);
    context.stroke();
  }

  /** Without a colour to fill it, a disc is a ring. */
  disc([x, y]: Point, radius: number, fill?: string, outline?: string, width = Math.max(1, radius / 8)): void {
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
    this.context.fillStyle = fill ?? 'transparent';
    this.context.fill();
    if (outline !== undefined) this.#outline(outline, width);
  }

  /** A polygon. Its points are relative to the first argument, in multiples of `scale`. */
  polygon([x, y]: Point, scale: number, points: readonly Point[], fill: string, outline: string): void {
    const { context } = this;
    context.beginPath();
    for (const [dx, dy] of points) context.lineTo(x + dx * scale, y + dy * scale);
    context.closePath();
    context.fillStyle = fill;
    context.fill();
    this.#outline(outline, 1);
  }

  /** A text in a colour of the style sheet, with an outline that sets it off from what is behind it. */
  label(text: string, x: number, y: number, color: string): void {
    drawText(this.context, text, [x, y], { size: labelSize, fill: styled(color), outline: styled('--panel') });
  }

  /** The same in white, as on the map of the game. */
  lightLabel(text: string, x: number, y: number): void {
    drawText(this.context, text, [x, y], { size: labelSize, fill: '#fff', outline: '#222c' });
  }

  /** The width of a label in pixels. */
  widthOf(text: string): number {
    return widthOfText(text, labelSize);
  }

  #outline(stroke: string, width: number): void {
    this.context.strokeStyle = stroke;
    this.context.lineWidth = width;
    this.context.stroke();
  }
}

/** The minimum radius of a player's sign in pixels, so that players are visible when the picture is zoomed out. */
const minRadius = 4;

export interface SignContext {
  readonly pen: Pen;
  readonly camera: Camera;
  look(client: number): PlayerLook | undefined;
}

/** The radius of an item's sign in pixels. It also determines which item is under the pointer. */
export function radiusOf({ kind }: DrawnItem, { scale }: Camera): number {
  const units = { player: 15, pickup: 12, flag: 14, projectile: 6, laser: 7, event: 6 }[kind];
  return Math.max(kind === 'player' ? minRadius : 2.5, units * scale);
}

export function drawSign(item: DrawnItem, tools: SignContext): void {
  const { pen, camera } = tools;
  const at = camera.toPixels(item.x, item.y);
  const radius = radiusOf(item, camera);
  switch (item.kind) {
    case 'player':
      drawPlayer(item, at, radius, tools);
      break;
    case 'projectile':
      pen.disc(at, radius, styled(`--weapon-${item.what ?? 'gun'}`) || styled('--ink'), styled('--panel'));
      break;
    case 'laser':
      pen.line(camera.toPixels(item.toX!, item.toY!), at, styled('--weapon-laser'), Math.max(1.5, 4 * camera.scale));
      pen.disc(at, radius * 0.8, styled('--weapon-laser'));
      break;
    case 'pickup':
      drawPickup(pen, item.what, at, radius);
      break;
    case 'flag':
      drawFlag(pen, at, radius, styled(item.what === 'red' ? '--team-red' : '--team-blue'));
      break;
    default:
      drawEvent(pen, item.what ?? '', at, radius, camera.scale);
  }
}

function drawPlayer(
  { key, x: atX, y: atY, toX, toY, angle = 0, isFrozen = false }: DrawnItem,
  [x, y]: Point,
  radius: number,
  { pen, camera, look }: SignContext,
): void {
  const known = look(key & 0xffff);
  if (toX !== undefined && toY !== undefined && (toX !== atX || toY !== atY)) {
    const hook = camera.toPixels(toX, toY);
    pen.line([x, y], hook, styled('--hook'), Math.max(1.2, 3 * camera.scale));
    pen.disc(hook, Math.max(1.5, 4 * camera.scale), styled('--hook'));
  }
  const dx = Math.cos(angle) * radius;
  const dy = Math.sin(angle) * radius;
  const outline = styled(known?.team ? `--team-${known.team}` : '--outline');
  pen.line([x + dx, y + dy], [x + dx * 1.7, y + dy * 1.7], styled('--ink'), 1.5);
  pen.disc([x, y], radius, known?.colour ?? styled('--dim'), outline, known?.team && 2);
  if (isFrozen) pen.disc([x, y], radius * 0.9, `${styled('--tile-freeze')}c0`);
}

const square: readonly Point[] = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
];
const pennant: readonly Point[] = [
  [-0.5, -1.6],
  [1, -1],
  [-0.5, -0.3],
];

/** A square. DDNet's `armor_shotgun` and the like look as armor. */
function drawPickup(pen: Pen, name = 'gun', at: Point, radius: number): void {
  const what = name.replace(/^armor.*/, 'armor');
  const fill = styled(`--${what}`) || styled(`--weapon-${what}`) || styled('--dim');
  pen.polygon(at, radius * 0.9, square, fill, styled('--outline'));
}

function drawFlag(pen: Pen, [x, y]: Point, radius: number, fill: string): void {
  const left = x - radius * 0.5;
  pen.line([left, y + radius], [left, y - radius * 1.6], styled('--ink'), Math.max(1.2, radius / 7));
  pen.polygon([x, y], radius, pennant, fill, styled('--ink'));
}

/** An explosion is drawn as a ring, a sound or hit as a small cross. */
function drawEvent(pen: Pen, name: string, [x, y]: Point, radius: number, scale: number): void {
  const color = styled(name === 'event_death' || name.startsWith('event_damage') ? '--error' : '--accent');
  if (name === 'event_explosion') pen.disc([x, y], Math.max(5, 60 * scale), undefined, color, 1.5);
  else for (const side of [-radius, radius]) pen.line([x - side, y + radius], [x + side, y - radius], color, 1.5);
}
