import { expect, it } from 'vitest';
import { repeated, repetitions } from '../../scripts/fuzz/make/repeated.ts';
import { runWriting } from '../support/run.ts';

it('edit refuses to anonymise a demo with more names than it can replace', async () => {
  const names = repetitions.find(({ name }) => name === 'names.demo')!;
  const demo = new Uint8Array(Buffer.concat([...repeated(names, 8e6)]));
  const { status, stderr, files } = await runWriting('edit match.demo --anonymise -o out.demo', { 'match.demo': demo });
  expect([status, stderr, files.get('out.demo')?.length]).toEqual([
    3,
    'tw-snap: match.demo: --anonymise replaces at most 100,000 names\n',
    undefined,
  ]);
});
