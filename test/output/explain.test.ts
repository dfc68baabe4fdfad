import { expect, it } from 'vitest';
import { causeText } from '../../src/output/phrases/cause-phrases.ts';
import { protocolOf } from '../../src/wire/protocol/registry.ts';

it.each([
  [1, 226, 'the delta was made from the snapshot of tick 226, not from the announced base'],
  [1, -1, 'the delta was made from the empty snapshot, not from the announced base'],
  [2, 226, 'deltas were made from other snapshots than the announced bases'],
])('wrong_base, found %i times, on the tick %i: %s', (fits, base, title) => {
  const verdict = { cause: 'wrong_base', about: '', field: undefined, numbers: { base }, fits, isShown: true } as const;
  expect(causeText({ ...verdict, areAlternatives: false }, [], protocolOf('0.7')).title).toBe(title);
});
