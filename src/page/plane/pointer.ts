import { quote } from '../../output/text/escape.ts';
import type { Players } from '../../recording/events/players.ts';
import type { Camera } from '../data/camera.ts';
import { unitsPerTile } from '../data/character-core.ts';
import { h, onKeys, onPress, onWheel } from '../elements/dom.ts';
import type { DrawnItem } from './drawn-items.ts';
import type { Framing } from './framing.ts';

/** The pixels by which an arrow key moves the picture. */
const step = 60;

interface UnderPointer {
  itemAt(x: number, y: number): DrawnItem | undefined;
  /** What the map has at a place in units. */
  tileAt(x: number, y: number): string;
  players(): Players;
}

interface PointerActions {
  /** Called when another item, or none, is under the pointer. */
  readonly onHover: (item: DrawnItem | undefined) => void;
  readonly onClick: (item: DrawnItem) => void;
}

/**
 * Moves and zooms the picture by pointer, wheel and keys.
 * @returns the text of what is under the pointer, which lies over the picture
 */
export function pointerOf(
  canvas: HTMLCanvasElement,
  { camera, framing, under }: { readonly camera: Camera; readonly framing: Framing; readonly under: UnderPointer },
  { onHover, onClick }: PointerActions,
): HTMLElement {
  const readout = h('p', { class: 'readout mono', 'aria-hidden': 'true' });
  const hide = () => {
    readout.textContent = '';
  };
  let hovered: string | undefined;
  onKeys(canvas, {
    ArrowLeft: () => framing.move(step, 0),
    ArrowRight: () => framing.move(-step, 0),
    ArrowUp: () => framing.move(0, step),
    ArrowDown: () => framing.move(0, -step),
    '+': () => framing.zoom(1.25),
    '=': () => framing.zoom(1.25),
    '-': () => framing.zoom(0.8),
    0: () => framing.follow('all'),
  });
  onPress(
    canvas,
    (dx, dy) => camera.isWhole || framing.move(dx, dy),
    ({ offsetX, offsetY }) => {
      const item = under.itemAt(offsetX, offsetY);
      if (item) onClick(item);
    },
    (factor, x, y) => framing.zoom(factor, x, y),
  );
  onWheel(canvas, (factor, { offsetX, offsetY }) => framing.zoom(factor, offsetX, offsetY));
  canvas.addEventListener('dblclick', () => framing.follow('all'));
  canvas.addEventListener('pointerleave', hide);
  canvas.addEventListener('pointermove', ({ buttons: pressed, offsetX, offsetY }) => {
    if (pressed !== 0) return hide();
    const item = under.itemAt(offsetX, offsetY);
    const tile = under.tileAt(...camera.toPlane(offsetX, offsetY));
    readout.textContent = item ? describeItem(item, under.players()) : tile;
    readout.style.inset = besidePointer(camera, offsetX, offsetY);
    canvas.style.cursor = item ? 'pointer' : 'grab';
    if (item?.link === hovered) return;
    hovered = item?.link;
    onHover(item);
  });
  return readout;
}

/** The place of the readout: beside the pointer, on the side that has more room. */
function besidePointer({ width, height }: Camera, x: number, y: number): string {
  const isRight = x > width / 2;
  const isLow = y > height / 2;
  return [
    isLow ? 'auto' : `${y + 14}px`,
    isRight ? `${width - x + 10}px` : 'auto',
    isLow ? `${height - y + 10}px` : 'auto',
    isRight ? 'auto' : `${x + 14}px`,
  ].join(' ');
}

/** Describes the item under the pointer: `obj_pickup 3   health   31.50, 3.50 tiles`. */
function describeItem({ link, kind, key, what, x, y, sentAt }: DrawnItem, players: Players): string {
  const name = link.replace('/', ' ');
  const about = kind === 'player' ? players.infoOf(key & 0xffff)?.name : kind === 'event' ? undefined : what;
  const place = `${(x / unitsPerTile).toFixed(2)}, ${(y / unitsPerTile).toFixed(2)} tiles`;
  const subject = about === undefined ? '' : kind === 'player' ? quote(about) : about;
  const sent = sentAt === undefined ? '' : `sent at tick ${sentAt}`;
  return [name, subject, place, sent].filter(Boolean).join('   ');
}
