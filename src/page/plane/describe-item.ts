import { quote } from '../../view/text/escape.ts';
import type { DrawnItem } from './drawn-item.ts';
import { unitsPerTile } from './map-picture.ts';
import type { PlayerLooks } from './player-looks.ts';

/** Describes the item under the pointer: `obj_pickup 3   health   31.50, 3.50 tiles`. */
export function describeItem({ link, kind, key, what, x, y, sentAt }: DrawnItem, looks: PlayerLooks): string {
  const name = link.replace('/', ' ');
  const about = kind === 'player' ? looks.of(key & 0xffff)?.name : kind === 'event' ? undefined : what;
  const place = `${(x / unitsPerTile).toFixed(2)}, ${(y / unitsPerTile).toFixed(2)} tiles`;
  const subject = about === undefined ? '' : kind === 'player' ? quote(about) : about;
  const sent = sentAt === undefined ? '' : `sent at tick ${sentAt}`;
  return [name, subject, place, sent].filter(Boolean).join('   ');
}
