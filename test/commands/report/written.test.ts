import { expect, it } from 'vitest';
import type { World } from '../../support/fake-io.ts';
import { run } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

const first = read('first.huff');

async function printed(world: World, output = 'a page.html'): Promise<string> {
  const { status, stderr } = await run(['report', 'first.huff', '-o', output], { 'first.huff': first }, world);
  expect(status, stderr).toBe(0);
  return stderr;
}

it('the written report is named on a terminal', async () => {
  expect(await printed({ terminal: true })).toMatch(/tw-snap: a page\.html {3}[\d.]+ [KM]B\n$/);
  expect(await printed({})).not.toContain('a page.html');
});

it('a name cannot add an escape sequence of its own', async () => {
  expect(await printed({ terminal: true }, 'a\u001b[31m.html')).not.toContain('\u001b[31m');
});
