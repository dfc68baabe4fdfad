import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { collect } from '../../../scripts/fuzz/material.ts';
import { Random } from '../../../scripts/fuzz/random.ts';
import { attackClient } from '../../../scripts/fuzz/targets/client.ts';

const material = collect(resolve(import.meta.dirname, '../../..'));

it('a player takes 1,000 messages of hostile servers without an error', () => {
  let sent = 0;
  for (let number = 0; sent < 1000; number++) sent += attackClient(new Random(76, number), material, 200, () => {});
  expect(sent).toBeGreaterThanOrEqual(1000);
});
