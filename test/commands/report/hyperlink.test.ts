import { expect, it } from 'vitest';
import { main } from '../../../commands/index.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { read } from '../../support/samples.ts';

const first = read('first.huff');

async function printed(world: object, output = 'a page.html'): Promise<string> {
  const io = fakeIo({ files: { 'first.huff': first }, ...world });
  expect(await main(['report', 'first.huff', '-o', output], io), io.stderr.text).toBe(0);
  return io.stderr.text;
}

it('the written report is named with a link if the terminal supports links', async () => {
  expect(await printed({ terminal: true, links: true })).toMatch(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a link is made of
    /tw-snap: \u001b\]8;;file:\/\/\/there\/a page\.html\u001b\\a page\.html\u001b\]8;;\u001b\\ {3}[\d.]+ [KM]B\n$/,
  );
  expect(await printed({ terminal: true })).toMatch(/tw-snap: a page\.html {3}[\d.]+ [KM]B\n$/);
  expect(await printed({})).not.toContain('a page.html');
});

it('a name cannot add an escape sequence of its own', async () => {
  expect(await printed({ terminal: true }, 'a\u001b[31m.html')).not.toContain('\u001b[31m');
});
