import type { Camera } from './camera.ts';

interface InputListener {
  /** Called after the user has moved the picture. */
  moved(): void;
  zoomed(): void;
  /** Called when the user asks for the whole map. */
  whole(): void;
  click(x: number, y: number): void;
  hover(x: number, y: number): void;
}

/** A press that moves further than this, in pixels, drags the picture and is not a click. */
const clickReach = 4;
/** The distance in pixels for each press of an arrow key. */
const step = 60;

/**
 * Moves and zooms the picture with the pointer, the wheel and the keyboard, and reports clicks. Positions are in pixels
 * of the canvas.
 */
export function listenToInput(canvas: HTMLCanvasElement, camera: Camera, listener: InputListener): void {
  const { moved, zoomed, whole, click, hover } = listener;
  const move = (dx: number, dy: number) => () => {
    camera.move(dx, dy);
    moved();
  };
  const zoom = (factor: number) => () => {
    camera.zoom(factor);
    zoomed();
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: move(step, 0),
    ArrowRight: move(-step, 0),
    ArrowUp: move(0, step),
    ArrowDown: move(0, -step),
    '+': zoom(1.25),
    '=': zoom(1.25),
    '-': zoom(0.8),
    0: whole,
  };
  canvas.addEventListener('keydown', (event) => {
    const run = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    if (!run) return;
    event.preventDefault();
    // The page's own handler would choose another snapshot.
    event.stopPropagation();
    run();
  });
  let down: { x: number; y: number; moved: boolean } | undefined;
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    down = { x: event.offsetX, y: event.offsetY, moved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', ({ offsetX: x, offsetY: y }) => {
    if (!down) {
      hover(x, y);
      return;
    }
    down.moved ||= Math.hypot(x - down.x, y - down.y) > clickReach;
    if (!down.moved || camera.isWhole) return;
    move(x - down.x, y - down.y)();
    [down.x, down.y] = [x, y];
  });
  canvas.addEventListener('pointerup', ({ offsetX, offsetY }) => {
    if (down && !down.moved) click(offsetX, offsetY);
    down = undefined;
  });
  canvas.addEventListener('pointercancel', () => {
    down = undefined;
  });
  canvas.addEventListener('dblclick', whole);
  canvas.addEventListener(
    'wheel',
    (event) => {
      // The picture cannot zoom out further, so the page scrolls instead.
      if (event.deltaY === 0 || (event.deltaY > 0 && camera.isWhole)) return;
      event.preventDefault();
      camera.zoom(1.2 ** (-event.deltaY / 50), event.offsetX, event.offsetY);
      zoomed();
    },
    { passive: false },
  );
}
