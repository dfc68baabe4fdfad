import { expect, it } from 'vitest';
import { writeDemo } from '../../src/edit/demo-recorder.ts';
import { entriesOf } from '../support/edit.ts';
import { read } from '../support/samples.ts';

it('a demo whose records are written is the same, byte for byte', () => {
  const file = read('vanilla-dm1.demo');
  const written = writeDemo((emit) => {
    for (const entry of entriesOf(file)) emit(entry);
  });
  expect(Buffer.compare(written, file)).toBe(0);
});
