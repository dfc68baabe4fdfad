import { footOf, recoilOf, stepLength, swingOf, type Walk } from './animations.ts';

/*
 * A tee in shapes of its own, which show state: where it looks and walks, its emote, weapon and hook, whether it is
 * frozen, away or a ninja. All sizes are units of the game, in which a tee is 64 wide (docs of the games'
 * `src/game/client/render.cpp`): the body is 4 above the position, the feet are 10 below.
 */

/** How a tee is drawn. */
export interface TeeState extends Walk {
  readonly body: string;
  readonly feet: string;
  /** The colour of the outline: that of the team, if there is one. */
  readonly outline: string;
  /** The direction of the aim, in radians. */
  readonly angle: number;
  readonly emote: string;
  readonly weapon: string;
  readonly isFrozen: boolean;
  readonly isAway: boolean;
}

/** The aim is rounded to a 48th of a turn and a step to a 16th, which moves nothing by a pixel. */
const aims = 48;
const steps = 16;

/** In a smaller tee, with fewer pixels per unit, feet do not show how they step, and fewer aims are told apart. */
const smallTee = 0.5;
const smallAims = 16;

/**
 * The state whose picture serves for this one: one look has few pictures.
 * @param perUnit pixels for a unit
 */
export function roundedState(state: TeeState, perUnit = 1): TeeState {
  const { angle, x, isWalking } = state;
  const part = (value: number, whole: number, parts: number) =>
    (whole * (((Math.round((value / whole) * parts) % parts) + parts) % parts)) / parts;
  if (perUnit < smallTee)
    return { ...state, angle: part(angle, 2 * Math.PI, smallAims), x: 0, isWalking: false, isInAir: false };
  return {
    ...state,
    angle: part(angle, 2 * Math.PI, aims),
    x: isWalking ? part(x, stepLength, steps) : 0,
  };
}

const bodyRadius = 20;
const bodyY = -4;
const feetY = 12;
const ice = '#9cc8f0';
const ninja = { body: '#34343c', feet: '#25252b' };

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

export function ellipse(context: Context, x: number, y: number, width: number, height: number, turn = 0): void {
  context.beginPath();
  context.ellipse(x, y, width, height, turn, 0, 2 * Math.PI);
}

export function fill(context: Context, colour: string): void {
  context.fillStyle = colour;
  context.fill();
}

/** Draws the ice around who is frozen, and the signs of who is away. */
export function drawCondition(context: Context, { isFrozen, isAway }: TeeState): void {
  if (isFrozen) {
    ellipse(context, 0, bodyY + 2, bodyRadius + 5, bodyRadius + 6);
    fill(context, `${ice}90`);
    context.strokeStyle = ice;
    context.lineWidth = 2;
    context.stroke();
  }
  if (isAway) drawSleep(context);
}

/** Draws a tee without what it holds at the origin of the context, whose scale is pixels for a unit. */
export function drawTee(context: Context, state: TeeState): void {
  const { angle, outline, isAway } = state;
  const isNinja = state.weapon === 'ninja';
  const { body, feet } = isNinja ? ninja : state;
  const dx = Math.cos(angle);
  const dy = Math.sin(angle);
  context.lineWidth = 3;
  context.strokeStyle = outline;
  // The far foot is behind the body.
  drawFoot(context, state, feet, 'far');
  ellipse(context, 0, bodyY, bodyRadius, bodyRadius);
  context.stroke();
  fill(context, body);
  // Light from above gives the body its form.
  ellipse(context, -dx * 3 - 3, bodyY - 7, 10, 7, -0.5);
  fill(context, '#ffffff30');
  if (isNinja) {
    context.fillStyle = '#c33a2f';
    context.fillRect(-bodyRadius + 1, bodyY - 12, 2 * bodyRadius - 2, 6);
  }
  drawEyes(context, isAway ? 'blink' : state.emote, dx, dy);
  drawFoot(context, state, feet, 'near');
}

function drawFoot(context: Context, state: TeeState, colour: string, which: 'far' | 'near'): void {
  const [x, y, turns] = footOf(state, which);
  ellipse(context, x, feetY + y, 11.5, 6.5, turns * 2 * Math.PI);
  context.strokeStyle = state.outline;
  context.stroke();
  fill(context, colour);
}

/** Eyes look along the aim; each emote has its own form. */
function drawEyes(context: Context, emote: string, dx: number, dy: number): void {
  const x = dx * 8;
  const y = bodyY - 3.2 + dy * 6.4;
  const apart = (0.075 - 0.01 * Math.abs(dx)) * 64;
  context.lineCap = 'round';
  for (const side of [-1, 1]) {
    const at = x + side * apart;
    context.strokeStyle = '#111';
    context.fillStyle = '#111';
    context.lineWidth = 3;
    context.beginPath();
    switch (emote) {
      case 'blink':
        context.moveTo(at - 3, y);
        context.lineTo(at + 3, y);
        context.stroke();
        break;
      case 'happy':
        context.arc(at, y + 3, 4, Math.PI, 2 * Math.PI);
        context.stroke();
        break;
      case 'pain':
        context.moveTo(at - side * 4, y - 4);
        context.lineTo(at + side * 3, y);
        context.lineTo(at - side * 4, y + 4);
        context.stroke();
        break;
      case 'angry':
        context.ellipse(at, y + 1, 3.4, 4.6, 0, 0, 2 * Math.PI);
        context.fill();
        context.beginPath();
        context.moveTo(at + side * 5, y - 7);
        context.lineTo(at - side * 4, y - 3);
        context.stroke();
        break;
      case 'surprise':
        context.ellipse(at, y, 5, 6.5, 0, 0, 2 * Math.PI);
        context.fill();
        ellipse(context, at, y, 2.2, 3);
        fill(context, '#fff');
        break;
      default:
        context.ellipse(at, y, 3, 5.2, 0, 0, 2 * Math.PI);
        context.fill();
    }
  }
}

/** Three letters z, each larger than the one before. They are lines: a text would need the document's layout. */
function drawSleep(context: Context): void {
  for (const [i, size] of [12, 16, 20].entries()) {
    const left = 18 + i * 9;
    const bottom = -24 - i * 10;
    const width = size * 0.45;
    const height = size * 0.52;
    context.beginPath();
    context.moveTo(left, bottom - height);
    context.lineTo(left + width, bottom - height);
    context.lineTo(left, bottom);
    context.lineTo(left + width, bottom);
    context.lineJoin = 'round';
    context.lineCap = 'round';
    context.lineWidth = 5;
    context.strokeStyle = '#222';
    context.stroke();
    context.lineWidth = 2;
    context.strokeStyle = '#fff';
    context.stroke();
  }
  context.lineCap = 'butt';
}

type Shape = readonly (readonly [x: number, y: number, width: number, height: number, colour: string])[];

/** Boxes of each weapon along the aim, from the middle of the tee. */
const weapons: Readonly<Record<string, Shape>> = {
  hammer: [
    [10, -3, 36, 6, '#8a5f35'],
    [38, -14, 15, 28, '#8d949c'],
  ],
  gun: [
    [22, -4, 24, 9, '#6c737c'],
    [22, 2, 8, 10, '#5b4632'],
  ],
  shotgun: [
    [6, -2, 18, 9, '#8a5a2c'],
    [22, -5, 38, 6, '#767d86'],
    [22, 1, 26, 5, '#a06c38'],
  ],
  grenade: [
    [6, -9, 48, 16, '#7b8590'],
    [46, -12, 10, 22, '#a33b30'],
    [20, 7, 7, 9, '#4c535a'],
  ],
  laser: [
    [6, -6, 34, 13, '#5d6fae'],
    [38, -4, 18, 8, '#b8c6ff'],
    [18, 7, 8, 8, '#414c78'],
  ],
  ninja: [
    [14, -3, 14, 6, '#3b2b22'],
    [26, -6, 4, 12, '#c9a23c'],
    [30, -2, 44, 5, '#d9dee4'],
  ],
};

/** Draws a weapon along the aim, or a hammer or sword upright; to the left it is mirrored, so that its top stays on top. */
export function drawWeapon(context: Context, name: string, angle: number, sinceAttack: number): void {
  const shape = weapons[name];
  if (!shape) return;
  const swing = swingOf(name, sinceAttack);
  context.save();
  const isLeft = Math.cos(angle) < 0;
  if (swing === undefined) {
    context.rotate(angle);
    if (isLeft) context.scale(1, -1);
    context.translate(-recoilOf(sinceAttack), 0);
  } else {
    if (isLeft) context.scale(-1, 1);
    context.rotate(2 * Math.PI * (swing - 0.25));
  }
  drawBoxes(context, shape);
  context.restore();
}

function drawBoxes(context: Context, shape: Shape): void {
  context.strokeStyle = '#1b1d20';
  context.lineWidth = 3;
  context.beginPath();
  for (const [x, y, width, height] of shape) context.roundRect(x, y, width, height, 2);
  context.stroke();
  for (const [x, y, width, height, colour] of shape) {
    context.fillStyle = colour;
    context.fillRect(x, y, width, height);
  }
}

/** A weapon that lies there, around the origin. */
export function drawLyingWeapon(context: Context, name: string): void {
  const shape = weapons[name];
  if (!shape) return;
  const left = Math.min(...shape.map(([x]) => x));
  const right = Math.max(...shape.map(([x, , width]) => x + width));
  context.save();
  context.translate(-(left + right) / 2, 0);
  drawBoxes(context, shape);
  context.restore();
}

const chainStep = 12;

/** The chain of a hook from the origin to a point, and its head. */
export function drawHook(context: Context, toX: number, toY: number): void {
  const length = Math.hypot(toX, toY);
  if (length < 1) return;
  context.save();
  context.rotate(Math.atan2(toY, toX));
  context.lineWidth = 2.2;
  for (const [colour, width] of [
    ['#26292d', 5],
    ['#9aa3ab', 2.4],
  ] as const) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.setLineDash([chainStep * 0.7, chainStep * 0.3]);
    context.beginPath();
    context.moveTo(0, 0);
    context.lineTo(Math.max(0, length - 8), 0);
    context.stroke();
  }
  context.setLineDash([]);
  context.beginPath();
  context.moveTo(length + 6, 0);
  context.lineTo(length - 10, -8);
  context.lineTo(length - 6, 0);
  context.lineTo(length - 10, 8);
  context.closePath();
  context.strokeStyle = '#26292d';
  context.lineWidth = 3;
  context.stroke();
  fill(context, '#c5ccd3');
  context.restore();
}
