import type { Players } from '../../recording/players.ts';
import { quote } from '../../view/text/escape.ts';
import type { DrawnItem } from './drawn-item.ts';
import { unitsPerTile } from './map-picture.ts';

/** Describes the item under the pointer: `obj_pickup 3   health   31.50, 3.50 tiles`. */
export function describeItem({ link, kind, key, what, x, y, sentAt }: DrawnItem, players: Players): string {
  const name = link.replace('/', ' ');
  const about = kind === 'player' ? players.infoOf(key & 0xffff)?.name : kind === 'event' ? undefined : what;
  const place = `${(x / unitsPerTile).toFixed(2)}, ${(y / unitsPerTile).toFixed(2)} tiles`;
  const subject = about === undefined ? '' : kind === 'player' ? quote(about) : about;
  const sent = sentAt === undefined ? '' : `sent at tick ${sentAt}`;
  return [name, subject, place, sent].filter(Boolean).join('   ');
}
