import { printable } from '../../view/text/escape.ts';
import { shortened } from '../../view/text/layout.ts';
import type { Camera } from './camera.ts';
import type { DrawnItem } from './drawn-items.ts';
import type { PlayerLook } from './skin-colours.ts';

const playerRadius = 15;
/** The minimum radius of a player's sign in pixels, so that players are visible when the picture is zoomed out. */
const leastRadius = 4;
const font = (pixels: number) => `${pixels}px ui-sans-serif, system-ui, sans-serif`;

/** What the drawing of a sign depends on, except the item. */
export interface SignContext {
  readonly context: CanvasRenderingContext2D;
  readonly camera: Camera;
  readonly isNamed: boolean;
  color(name: string): string;
  look(key: number): PlayerLook | undefined;
}

/** The radius of an item's sign in pixels. It also determines which item is under the pointer. */
export function radiusOf({ kind }: DrawnItem, { scale }: Camera): number {
  const units = { player: playerRadius, pickup: 12, flag: 14, projectile: 6, laser: 7, event: 6 }[kind];
  return Math.max(kind === 'player' ? leastRadius : 2.5, units * scale);
}

export function drawSign(item: DrawnItem, tools: SignContext): void {
  const { context, camera, color } = tools;
  const [x, y] = camera.toPixels(item.x, item.y);
  const radius = radiusOf(item, camera);
  context.lineWidth = 1.5;
  switch (item.kind) {
    case 'player':
      drawPlayer(item, x, y, radius, tools);
      break;
    case 'projectile':
      disc(context, x, y, radius, color(`--weapon-${item.what ?? 'gun'}`) || color('--ink'), color('--panel'));
      break;
    case 'laser': {
      const [fromX, fromY] = camera.toPixels(item.toX!, item.toY!);
      line(context, fromX, fromY, x, y, color('--weapon-laser'), Math.max(1.5, 4 * camera.scale));
      disc(context, x, y, radius * 0.8, color('--weapon-laser'));
      break;
    }
    case 'pickup':
      drawPickup(context, item.what, x, y, radius, color);
      break;
    case 'flag':
      drawFlag(context, x, y, radius, color(item.what === 'red' ? '--team-red' : '--team-blue'), color('--ink'));
      break;
    default:
      drawEvent(context, item.what ?? '', x, y, radius, camera.scale, color);
  }
}

function drawPlayer(
  { key, x: atX, y: atY, toX, toY, angle = 0 }: DrawnItem,
  x: number,
  y: number,
  radius: number,
  { context, camera, isNamed, color, look }: SignContext,
): void {
  const known = look(key);
  if (toX !== undefined && toY !== undefined && (toX !== atX || toY !== atY)) {
    const [hookX, hookY] = camera.toPixels(toX, toY);
    line(context, x, y, hookX, hookY, color('--hook'), Math.max(1.2, 3 * camera.scale));
    disc(context, hookX, hookY, Math.max(1.5, 4 * camera.scale), color('--hook'));
  }
  const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
  line(
    context,
    x + dx * radius,
    y + dy * radius,
    x + dx * radius * 1.7,
    y + dy * radius * 1.7,
    color('--ink'),
    Math.max(1.5, radius / 4),
  );
  disc(context, x, y, radius, known?.colour ?? color('--dim'), color('--outline'));
  // The eyes look in the direction of the player's aim.
  if (radius >= 7) {
    for (const side of [-1, 1]) {
      const [eyeX, eyeY] = [
        x + dx * radius * 0.45 - dy * radius * 0.26 * side,
        y + dy * radius * 0.45 + dx * radius * 0.26 * side,
      ];
      disc(context, eyeX, eyeY, radius * 0.16, color('--outline'));
    }
  }
  if (!isNamed || !known?.name) return;
  const name = shortened(printable(known.name), 20);
  context.font = font(11);
  context.textAlign = 'center';
  context.lineWidth = 3;
  context.strokeStyle = color('--panel');
  context.fillStyle = color('--ink');
  context.strokeText(name, x, y - radius - 6);
  context.fillText(name, x, y - radius - 6);
}

const letters: Readonly<Record<string, string>> = {
  hammer: 'H',
  gun: 'P',
  shotgun: 'S',
  grenade: 'G',
  laser: 'L',
  ninja: 'N',
};

/** Health is drawn as a circle with a cross, armor as a shield, and weapons as squares with a letter. */
function drawPickup(
  context: CanvasRenderingContext2D,
  what = '',
  x: number,
  y: number,
  radius: number,
  color: (name: string) => string,
): void {
  const outline = color('--outline');
  if (what === 'health') {
    disc(context, x, y, radius * 0.85, color('--health'), outline);
    line(context, x - radius * 0.4, y, x + radius * 0.4, y, color('--panel'), radius * 0.25);
    line(context, x, y - radius * 0.4, x, y + radius * 0.4, color('--panel'), radius * 0.25);
    return;
  }
  if (what.startsWith('armor')) {
    const r = radius * 0.85;
    shape(
      context,
      [
        [x - r, y - r],
        [x + r, y - r],
        [x + r, y + r * 0.2],
        [x, y + r],
        [x - r, y + r * 0.2],
      ],
      color('--armor'),
      outline,
    );
    return;
  }
  const weapon = what === '' ? 'gun' : what;
  const r = radius * 0.9;
  shape(
    context,
    [
      [x - r, y - r],
      [x + r, y - r],
      [x + r, y + r],
      [x - r, y + r],
    ],
    color(`--weapon-${weapon}`) || color('--dim'),
    outline,
  );
  if (radius < 6) return;
  context.font = `600 ${font(Math.round(radius * 1.3))}`;
  context.textAlign = 'center';
  context.fillStyle = color('--panel');
  context.fillText(letters[weapon] ?? '?', x, y + radius * 0.46);
}

function drawFlag(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  fill: string,
  pole: string,
): void {
  line(context, x - radius * 0.5, y + radius, x - radius * 0.5, y - radius * 1.6, pole, Math.max(1.2, radius / 7));
  shape(
    context,
    [
      [x - radius * 0.5, y - radius * 1.6],
      [x + radius, y - radius],
      [x - radius * 0.5, y - radius * 0.3],
    ],
    fill,
    pole,
  );
}

/** An explosion is drawn as a ring, a sound or hit as a small cross. */
function drawEvent(
  context: CanvasRenderingContext2D,
  name: string,
  x: number,
  y: number,
  radius: number,
  scale: number,
  color: (name: string) => string,
): void {
  context.strokeStyle = color(name === 'event_death' || name.startsWith('event_damage') ? '--error' : '--accent');
  context.lineWidth = 1.5;
  if (name === 'event_explosion') {
    circle(context, x, y, Math.max(5, 60 * scale));
    context.stroke();
    return;
  }
  context.beginPath();
  for (const [dx, dy] of [
    [-1, -1],
    [1, -1],
  ] as const) {
    context.moveTo(x - dx * radius, y - dy * radius);
    context.lineTo(x + dx * radius, y + dy * radius);
  }
  context.stroke();
}

export function circle(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

function disc(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  fill: string,
  outline?: string,
): void {
  circle(context, x, y, radius);
  context.fillStyle = fill;
  context.fill();
  if (outline === undefined) return;
  context.strokeStyle = outline;
  context.lineWidth = Math.max(1, radius / 8);
  context.stroke();
}

function shape(
  context: CanvasRenderingContext2D,
  points: readonly (readonly [x: number, y: number])[],
  fill: string,
  outline: string,
): void {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.closePath();
  context.fillStyle = fill;
  context.fill();
  context.strokeStyle = outline;
  context.lineWidth = 1;
  context.stroke();
}

export function line(
  context: CanvasRenderingContext2D,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  stroke: string,
  width: number,
): void {
  context.strokeStyle = stroke;
  context.lineWidth = width;
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}
