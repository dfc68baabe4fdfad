import { describe, expect, it } from 'vitest';
import { Camera, gameView } from '../../../src/page/data/camera.ts';

function camera(): Camera {
  const made = new Camera();
  Object.assign(made, { width: 600, height: 400, all: { x: 0, y: 0, width: 1920, height: 1600 }, place: undefined });
  return made;
}

describe('the camera of the plane', () => {
  it('shows the whole map, centred', () => {
    const whole = camera();
    expect(whole.isWhole).toBe(true);
    expect(whole.toPixels(960, 800)).toEqual([300, 200]);
    const [, top] = whole.toPixels(0, 0);
    const [, bottom] = whole.toPixels(0, 1600);
    expect([top > 0, bottom < 400]).toEqual([true, true]);
  });

  it('zooms around a point, which keeps its position', () => {
    const zoomed = camera();
    const point = zoomed.toPlane(350, 250);
    zoomed.zoom(3, 350, 250);
    const [x, y] = zoomed.toPixels(...point);
    expect([x, y].map(Math.round)).toEqual([350, 250]);
    zoomed.zoom(1 / 100);
    expect(zoomed.isWhole).toBe(true);
  });

  it('shows no more empty space than needed, wherever the camera is moved', () => {
    const moved = camera();
    moved.zoom(4);
    moved.move(100_000, 100_000);
    const [x, y] = moved.toPixels(0, 0);
    expect(x).toBeLessThan(60);
    expect(y).toBeLessThan(60);
    moved.move(-100_000, 0);
    expect(moved.toPixels(1920, 0)[0]).toBeGreaterThan(540);
  });

  it('keeps the visible part of the map when the picture is resized', () => {
    const sized = camera();
    sized.showBox({ x: 900, y: 800, width: 0, height: 0 }, { width: 400, height: 200 });
    expect(sized.scale).toBeCloseTo(600 / 400);
    Object.assign(sized, { width: 800, height: 300, place: sized.place });
    expect(sized.scale).toBeCloseTo(600 / 400);
  });

  it('shows a whole box with its margin, whatever the shape of the picture', () => {
    for (const [width, height] of [
      [300, 500],
      [900, 200],
    ]) {
      const boxed = camera();
      Object.assign(boxed, { width, height, place: undefined });
      boxed.showBox({ x: 500, y: 300, width: 300, height: 600 }, { width: 100, height: 100 }, 50);
      const [left, top] = boxed.toPixels(450, 250);
      const [right, bottom] = boxed.toPixels(850, 950);
      expect(Math.min(left, top)).toBeGreaterThan(-1e-6);
      expect([right <= width! + 1e-6, bottom <= height! + 1e-6]).toEqual([true, true]);
    }
  });

  it('shows what the games show: an area of 1150 × 1000 units, but at most 1500 × 1050', () => {
    const { width, height } = gameView(16 / 9);
    expect([width / height, width * height]).toEqual([expect.closeTo(16 / 9), expect.closeTo(1150 * 1000)]);
    expect(gameView(3)).toEqual({ width: 1500, height: 500 });
    expect(gameView(0.5)).toEqual({ width: 525, height: 1050 });
  });
});
