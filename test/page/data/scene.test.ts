import { describe, expect, it } from 'vitest';
import { Camera } from '../../../src/page/data/camera.ts';
import { isDuring, showScene } from '../../../src/page/data/scene.ts';

describe('a scene', () => {
  const actors = [
    { client: 1, dies: false, x: 1000, y: 1000 },
    { client: 2, dies: true, x: 3000, y: 1000 },
  ];
  const scene = { event: { tick: 500, topic: 'deaths', what: 'kill', parts: [], actors }, actors } as const;
  const camera = new Camera();
  Object.assign(camera, { width: 800, height: 600, all: { x: 0, y: 0, width: 9000, height: 9000 }, place: undefined });
  const middleAt = (tick: number, victim: { x: number; y: number } | undefined) => {
    showScene(camera, scene, tick, (client) => (client === 1 ? { x: 1000, y: 1000 } : victim));
    return camera.toPlane(400, 300).map(Math.round);
  };

  it('is in the middle between both, and stays there when the victim is born elsewhere', () => {
    expect(middleAt(450, { x: 3000, y: 1000 })).toEqual([2000, 1000]);
    expect(middleAt(520, { x: 8000, y: 8000 })).toEqual([2000, 1000]);
  });

  it('returns to who is followed in the second after it', () => {
    expect(middleAt(575, undefined)).toEqual([1500, 1000]);
    expect(middleAt(600, undefined)).toEqual([1000, 1000]);
    expect([isDuring(scene, 399), isDuring(scene, 400), isDuring(scene, 600), isDuring(scene, 601)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});
