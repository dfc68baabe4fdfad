import { describe, expect, it } from 'vitest';
import { roundedState, type TeeState } from '../../../src/page/plane/tee.ts';

const still: TeeState = {
  body: '#fff',
  feet: '#fff',
  outline: '#000',
  angle: 0,
  emote: 'normal',
  weapon: 'gun',
  isFrozen: false,
  isAway: false,
  x: 0,
  isWalking: false,
  isInAir: false,
};

describe('the pictures of tees', () => {
  it('are the same for who stands elsewhere, and a step long for who walks', () => {
    expect(roundedState({ ...still, x: 4711 })).toEqual(roundedState(still));
    const small = (state: TeeState) => roundedState(state, 0.3);
    expect(small({ ...still, x: 4711, isWalking: true, isInAir: true })).toEqual(small(still));
    const walking = (x: number) => roundedState({ ...still, x, isWalking: true });
    expect(walking(1225)).toEqual(walking(25));
    expect(walking(25).x).toBe(25);
    expect(walking(-75)).toEqual(walking(25));
  });

  it('have an aim that is at most a 96th of a turn off', () => {
    const turn = 2 * Math.PI;
    for (let angle = -7; angle < 7; angle += 0.01) {
      const off = Math.abs(roundedState({ ...still, angle }).angle - angle) % turn;
      expect(Math.min(off, turn - off)).toBeLessThanOrEqual(turn / 96 + 1e-9);
    }
  });
});
