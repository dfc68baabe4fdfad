import { styled } from '../elements/dom.ts';
import type { DrawnItem } from './drawn-items.ts';
import { drawFlag, drawLaser, drawPickup, drawProjectile, eventShapes } from './item-shapes.ts';
import { drawSign, type SignContext } from './item-signs.ts';
import type { Sprites } from './sprites.ts';
import { drawCondition, drawHook, drawTee, drawWeapon, type TeeState } from './tee.ts';
import { drawTeePicture } from './tee-pictures.ts';

/** Smaller than this many pixels per unit, tees are signs: shapes of a few pixels say less. */
const minScale = 0.16;

/** Draws an item in the shape that it has in the game; what has none, and what is too small for it, as a sign. */
export function drawShape(item: DrawnItem, tools: SignContext, sprites?: Sprites): void {
  const { camera, pen } = tools;
  const { context } = pen;
  if (camera.scale < minScale || (item.kind === 'event' && !eventShapes[item.what ?? ''])) {
    drawSign(item, tools);
    return;
  }
  const [x, y] = camera.toPixels(item.x, item.y);
  // 100 units are more than any shape but a beam.
  const reach = 100 * camera.scale;
  const isLine = item.toX !== undefined;
  if (!isLine && (x < -reach || y < -reach || x > camera.width + reach || y > camera.height + reach)) return;
  const team = item.what === 'red' ? 'red' : 'blue';
  context.save();
  context.translate(x, y);
  context.scale(camera.scale, camera.scale);
  switch (item.kind) {
    case 'player':
      drawPlayer(item, [x, y], tools, sprites);
      break;
    case 'pickup':
      if (!sprites?.pickup(context, item.what ?? 'gun')) drawPickup(context, item.what ?? 'gun');
      break;
    case 'flag':
      if (!sprites?.flag(context, team)) drawFlag(context, team);
      break;
    case 'projectile':
      if (!sprites?.projectile(context, item.what ?? 'gun', item.angle ?? 0))
        drawProjectile(context, item.what ?? 'gun', item.angle ?? 0);
      break;
    case 'laser':
      drawLaser(context, item.toX! - item.x, item.toY! - item.y);
      break;
    default:
      eventShapes[item.what!]!(context);
  }
  context.restore();
}

/** @param at its place in pixels, where the origin of the context is */
function drawPlayer(
  item: DrawnItem,
  at: readonly [x: number, y: number],
  { pen: { context }, camera, look }: SignContext,
  sprites?: Sprites,
): void {
  const {
    x,
    y,
    toX,
    toY,
    key,
    angle = 0,
    emote = 'normal',
    what = 'none',
    isFrozen,
    isAway,
    isWalking,
    isInAir,
    sinceAttack = Number.POSITIVE_INFINITY,
  } = item;
  const known = look(key & 0xffff);
  if (toX !== undefined && toY !== undefined && !sprites?.hook(context, toX - x, toY - y))
    drawHook(context, toX - x, toY - y);
  const dim = styled('--dim');
  const state: TeeState = {
    angle,
    emote,
    weapon: what,
    x,
    isFrozen: isFrozen === true,
    isAway: isAway === true,
    isWalking: isWalking === true,
    isInAir: isInAir === true,
    body: known?.colour ?? dim,
    feet: known?.feet ?? dim,
    outline: styled(known?.team ? `--team-${known.team}` : '--outline'),
  };
  if (!(known && sprites?.weapon(context, what, angle, sinceAttack))) drawWeapon(context, what, angle, sinceAttack);
  const colours = known ? `${known.skin} ${known.parts} ${known.colour} ${known.feet}` : '';
  drawTeePicture(context, at, camera.scale, [`${sprites !== undefined} ${colours}`, state], (own, rounded) => {
    // The games draw a ninja in a skin that all of them share.
    const isDrawn =
      what !== 'ninja' && known && sprites?.tee(own, isAway ? { ...rounded, emote: 'blink' } : rounded, known);
    if (!isDrawn) drawTee(own, rounded);
    drawCondition(own, rounded);
  });
}
