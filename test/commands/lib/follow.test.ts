import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { main } from '../../../commands/index.ts';
import { processIo } from '../../../commands/lib/io.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { read } from '../../support/samples.ts';

const demo = read('vanilla-dm1.demo');

it('--follow prints what is there, and what is added later as it comes', async () => {
  const io = fakeIo({ files: { 'm.demo': demo } });
  let before = '';
  const open: typeof io.open = async function* (_, __, isGrowing) {
    expect(isGrowing).toBe(true);
    yield demo.slice(0, 20_000);
    before = io.stdout.text;
    yield demo.slice(20_000);
  };
  await main(['dump', 'm.demo', '--follow'], { ...io, open });
  expect(before).toContain('full snapshot');
  const whole = fakeIo({ files: { 'm.demo': demo } });
  await main(['dump', 'm.demo'], whole);
  expect(io.stdout.text).toBe(whole.stdout.text);
});

it('a file that grows is read on after its end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tw-snap-'));
  const path = join(folder, 'growing');
  writeFileSync(path, 'first');
  const pieces = processIo().open(path, 0, true)[Symbol.asyncIterator]();
  expect(Buffer.from((await pieces.next()).value).toString()).toBe('first');
  const next = pieces.next();
  appendFileSync(path, 'second');
  expect(Buffer.from((await next).value).toString()).toBe('second');
  await pieces.return?.();
  rmSync(folder, { recursive: true });
});

it.each([
  ['dump', 'a.demo', 'b.demo'],
  ['dump', '-'],
  ['checksum', 'a.demo'],
])('%s %s with --follow is refused where it has no end', async (...argv) => {
  const io = fakeIo({ files: { 'a.demo': demo, 'b.demo': demo } });
  expect(await main([...argv, '--follow'], io)).toBe(2);
});
