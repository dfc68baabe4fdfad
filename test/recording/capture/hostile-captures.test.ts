import { expect, it } from 'vitest';
import { Random } from '../../../scripts/fuzz/random.ts';
import { checkHostile } from '../../../scripts/fuzz/targets/hostile.ts';

it('in 50 captures with forged packets every honest snapshot is checked once, and nothing forged counts', () => {
  let snapshots = 0;
  for (let i = 0; i < 50; i++) snapshots += checkHostile(new Random(14, i));
  expect(snapshots).toBeGreaterThan(1250);
});
