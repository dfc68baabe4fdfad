import { weapon } from '../../protocol/enums.ts';
import { ticksPerSecond } from '../../protocol/ticks.ts';
import type { DrawnItem } from './drawn-item.ts';
import type { ItemInts, Moment } from './item-ints.ts';

/** How projectiles fly with the tuning that servers have unless they change it: units per second, and how much they fall. */
const tuning: Readonly<Record<number, { readonly speed: number; readonly curvature: number }>> = {
  1: { speed: 2200, curvature: 1.25 },
  2: { speed: 2750, curvature: 1.25 },
  3: { speed: 1000, curvature: 7 },
};
const others = { speed: 2200, curvature: 1.25 };

/** In `vel_y` of an `obj_projectile`: DDNet sends the fields of `ddrace_projectile`. */
const isDdnetFlag = 512;
const normalizeFlag = 16;

/** The place of a projectile: the item has where it was fired, and when. */
export function readFlight(item: ItemInts, { tick, nextTick = tick, share }: Moment): Partial<DrawnItem> {
  const type = item.get('type');
  const { speed, curvature } = tuning[type] ?? others;
  const [x, y, dx, dy] = startOf(item);
  const seconds = Math.max(0, tick + (nextTick - tick) * share - item.get('start_tick')) / ticksPerSecond;
  const way = seconds * speed;
  return {
    kind: 'projectile',
    x: x + dx * way,
    y: y + dy * way + (curvature / 10_000) * way * way,
    what: weapon[type as keyof typeof weapon],
  };
}

/** Where it starts, and in which direction. */
function startOf(item: ItemInts): [x: number, y: number, dx: number, dy: number] {
  const [x, y] = [item.get('x'), item.get('y')];
  if (item.has('owner')) {
    const [dx, dy] = [item.get('vel_x'), item.get('vel_y')];
    const length = (item.get('flags') & normalizeFlag) !== 0 ? Math.hypot(dx, dy) || 1 : 1e6;
    return [x / 100, y / 100, dx / length, dy / length];
  }
  const isLegacy = item.has('angle') || (item.get('vel_y') >= 0 && (item.get('vel_y') & isDdnetFlag) !== 0);
  if (!isLegacy) return [x, y, item.get('vel_x') / 100, item.get('vel_y') / 100];
  const angle = item.get(item.has('angle') ? 'angle' : 'vel_x') / 1e6;
  return [x / 100, y / 100, Math.sin(-angle), Math.cos(-angle)];
}
