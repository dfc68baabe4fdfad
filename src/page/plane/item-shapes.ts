import { drawLyingWeapon, ellipse, fill } from './tee.ts';

/*
 * Pickups, flags, projectiles and events as small shapes, in units of the game around the origin of the context.
 */

type Context = CanvasRenderingContext2D;

const outline = '#1b1d20';
const teamColours = { red: '#d24a3d', blue: '#3a74d8' } as const;

function shaped(context: Context, colour: string, width = 3): void {
  context.lineJoin = 'round';
  context.strokeStyle = outline;
  context.lineWidth = width;
  context.stroke();
  fill(context, colour);
}

/** A heart, 32 wide. */
export function drawHeart(context: Context, colour = '#e0384b'): void {
  context.beginPath();
  context.moveTo(0, 14);
  context.bezierCurveTo(-26, -4, -12, -20, 0, -8);
  context.bezierCurveTo(12, -20, 26, -4, 0, 14);
  shaped(context, colour);
}

/** A shield, 28 wide. */
export function drawShield(context: Context, colour = '#c6ced6'): void {
  context.beginPath();
  context.moveTo(0, -15);
  context.lineTo(13, -10);
  context.quadraticCurveTo(14, 8, 0, 16);
  context.quadraticCurveTo(-14, 8, -13, -10);
  context.closePath();
  shaped(context, colour);
}

/** DDNet's `armor_shotgun` and the like take the weapon away: they are shields. */
export function drawPickup(context: Context, name: string): void {
  if (name === 'health') drawHeart(context);
  else if (name.startsWith('armor')) drawShield(context);
  else drawLyingWeapon(context, name);
}

/** A flag on its pole: its position is the foot. */
export function drawFlag(context: Context, team: 'red' | 'blue'): void {
  context.beginPath();
  context.moveTo(0, -76);
  context.quadraticCurveTo(16, -84, 30, -74);
  context.quadraticCurveTo(42, -66, 54, -72);
  context.lineTo(54, -36);
  context.quadraticCurveTo(42, -30, 30, -38);
  context.quadraticCurveTo(16, -48, 0, -40);
  context.closePath();
  shaped(context, teamColours[team]);
  context.beginPath();
  context.roundRect(-4, -80, 6, 94, 3);
  shaped(context, '#8d6b43');
}

/** @param angle the direction of the flight */
export function drawProjectile(context: Context, weapon: string, angle: number): void {
  context.save();
  context.rotate(angle);
  if (weapon === 'grenade') {
    ellipse(context, 0, 0, 11, 8);
    shaped(context, '#a33b30');
    context.fillStyle = '#ffffff50';
    context.fillRect(-4, -5, 6, 3);
  } else {
    const isShotgun = weapon === 'shotgun';
    ellipse(context, 0, 0, isShotgun ? 7 : 9, 5);
    shaped(context, isShotgun ? '#f2c14e' : '#e9e3d2', 2.5);
  }
  context.restore();
}

/** A beam to the origin from a point. */
export function drawLaser(context: Context, fromX: number, fromY: number): void {
  context.lineCap = 'round';
  for (const [colour, width] of [
    ['#1c2f8f', 13],
    ['#7f9bff', 8],
    ['#f1f4ff', 3],
  ] as const) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(fromX, fromY);
    context.lineTo(0, 0);
    context.stroke();
  }
  ellipse(context, 0, 0, 9, 9);
  fill(context, '#aebdff');
}

function rays(context: Context, count: number, inner: number, outer: number): void {
  context.beginPath();
  for (let i = 0; i < 2 * count; i++) {
    const radius = i % 2 === 0 ? outer : inner;
    const angle = (i * Math.PI) / count;
    context.lineTo(Math.cos(angle) * radius, Math.sin(angle) * radius);
  }
  context.closePath();
}

function drawExplosion(context: Context): void {
  rays(context, 11, 42, 68);
  fill(context, '#d9481ecc');
  rays(context, 9, 24, 46);
  fill(context, '#f8a331e0');
  ellipse(context, 0, 0, 20, 20);
  fill(context, '#fff3c8');
}

/** The shapes of events; a sound or another one without a shape is a small cross, as everywhere. */
export const eventShapes: Readonly<Record<string, (context: Context) => void>> = {
  event_explosion: drawExplosion,
  event_damage: (context) => damage(context),
  event_damage_ind: (context) => damage(context),
  event_hammer_hit: (context) => {
    rays(context, 7, 9, 24);
    shaped(context, '#fff2b0', 2);
  },
  event_death: (context) => {
    rays(context, 10, 14, 34);
    shaped(context, '#b3261e', 2);
  },
  event_spawn: (context) => {
    for (const radius of [16, 26, 36]) {
      ellipse(context, 0, 0, radius, radius);
      context.strokeStyle = '#ffffffb0';
      context.lineWidth = 3;
      context.stroke();
    }
  },
};

/** Stars, as over a tee that is hurt. */
function damage(context: Context): void {
  for (const [x, y] of [
    [-16, -34],
    [0, -42],
    [16, -34],
  ] as const) {
    context.save();
    context.translate(x, y);
    rays(context, 5, 4, 10);
    shaped(context, '#ffd84a', 2);
    context.restore();
  }
}
