import { expect, it } from 'vitest';
import { FilesProgress, withProgress } from '../../../commands/lib/platform/progress.ts';
import { fakeIo } from '../../support/fake-io.ts';

async function* pieces(count: number) {
  for (let i = 0; i < count; i++) yield new Uint8Array(1 << 20);
}

async function read(count: number, terminal: boolean) {
  const io = fakeIo({ terminal });
  // Standard output is a file or a pipe.
  const world = { ...io, stdout: { ...io.stdout, isTerminal: false } };
  let bytes = 0;
  for await (const piece of withProgress('long.demo', pieces(count), world)) bytes += piece.length;
  return { bytes, printed: io.stderr.text };
}

it('shows how far a long input was read, and removes the line', async () => {
  const { bytes, printed } = await read(40, true);
  expect(bytes).toBe(40 << 20);
  expect(printed).toContain('long.demo   16.8 MB');
  expect(printed.endsWith('\r\u001b[K')).toBe(true);
});

it('prints nothing for short inputs, or without a terminal', async () => {
  expect((await read(3, true)).printed).toBe('');
  expect((await read(40, false)).printed).toBe('');
});

it('shows how many of many files are done, apart from other lines', async () => {
  const io = fakeIo({ terminal: true });
  const world = { ...io, stdout: { ...io.stdout, isTerminal: false } };
  const progress = new FilesProgress(80, 100 << 20, world);
  await progress.hide();
  await progress.report(12);
  await progress.hide();
  expect(io.stderr.text).toBe('\r12 of 80 files \u001b[K\r\u001b[K');
  const short = new FilesProgress(80, 1 << 20, fakeIo({ terminal: true }));
  await short.report(12);
  expect(io.stderr.text).not.toContain('13');
});
