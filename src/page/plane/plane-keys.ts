import type { Camera } from './camera.ts';

/** Called after the camera has changed. */
export interface CameraListener {
  moved(): void;
  zoomed(): void;
  /** Called when the user asks for the whole map. */
  whole(): void;
}

/** The distance in pixels for each press of an arrow key. */
const step = 60;

/** Moves and zooms the picture with the keyboard while it has the focus. */
export class PlaneKeys {
  constructor(canvas: HTMLCanvasElement, camera: Camera, { moved, zoomed, whole }: CameraListener) {
    const move = (dx: number, dy: number) => () => {
      camera.move(dx, dy);
      moved();
    };
    const zoom = (factor: number) => () => {
      camera.zoom(factor);
      zoomed();
    };
    const runs: Readonly<Record<string, () => void>> = {
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
      const run = event.ctrlKey || event.metaKey || event.altKey ? undefined : runs[event.key];
      if (!run) return;
      event.preventDefault();
      // The page's own handler would choose another snapshot.
      event.stopPropagation();
      run();
    });
  }
}
