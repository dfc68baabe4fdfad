import { expect, it } from 'vitest';
import { Heartbeat } from '../../../src/recording/capture/connection-story.ts';
import { maxSilences } from '../../../src/recording/replay/limits.ts';

it('the silences of an end are its pauses of two seconds or more', () => {
  const heartbeat = new Heartbeat();
  for (const time of [10, 11, 13, 14.9, 20]) heartbeat.onPacket(time);
  expect(heartbeat.silences.map(({ from, seconds }) => [from, seconds])).toEqual([
    [11, 2],
    [14.9, expect.closeTo(5.1)],
  ]);
});

it('beyond the limit the longest one is still known', () => {
  const heartbeat = new Heartbeat();
  for (let i = 0; i <= maxSilences + 5; i++) heartbeat.onPacket(2 * i);
  heartbeat.onPacket(1e4);
  expect(heartbeat.silences).toHaveLength(maxSilences);
  expect(heartbeat.silence.from).toBe(2 * (maxSilences + 5));
});
