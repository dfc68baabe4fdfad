import { weapon } from '../../protocol/enums.ts';
import { ticksPerSecond } from '../../protocol/ticks.ts';
import type { DrawnItem, Interpolation, ItemInts } from './drawn-item.ts';

/** The default tuning of projectiles by weapon: speed in units per second, and the curvature of the flight. */
const tuning: Readonly<Record<number, { readonly speed: number; readonly curvature: number }>> = {
  1: { speed: 2200, curvature: 1.25 },
  2: { speed: 2750, curvature: 1.25 },
  3: { speed: 1000, curvature: 7 },
};
const others = { speed: 2200, curvature: 1.25 };

/** A flag in `vel_y` of `obj_projectile`. DDNet sets it if the fields are those of `ddrace_projectile`. */
const isDdnetFlag = 512;
const normalizeFlag = 16;

/** Computes the position of a projectile. The item only contains where, when and in which direction it was fired. */
export function readFlight(item: ItemInts, { tick, nextTick = tick, share }: Interpolation): Partial<DrawnItem> {
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

/** The position from which a projectile was fired, and its direction. */
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
