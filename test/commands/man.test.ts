import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands, wholeProgram } from '../../commands/index.ts';
import { topics } from '../../commands/topics.ts';
import { manPages } from '../../scripts/build/man.mjs';
import { hasTool, spawnSync, tool } from '../support/host.ts';

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
const program = await wholeProgram();
const pages: ReadonlyMap<string, string> = manPages(program, topics, '1.2.3');

it('there is a man page for the program and for each command, and package.json lists them', () => {
  const names = ['tw-snap.1', ...commands.map(({ name }) => `tw-snap-${name}.1`)];
  expect([...pages.keys()]).toEqual(names);
  expect(manifest.man).toEqual(names.map((name) => `./dist/man/${name}`));
});

it('the page of the program lists every command', () => {
  const page = pages.get('tw-snap.1')!;
  for (const { name } of commands) expect(page).toContain(`\n\\fB${name}\\fR\n`);
});

describe.each(commands.map(({ name }) => name))('tw-snap-%s.1', (name) => {
  const page = pages.get(`tw-snap-${name}.1`)!;
  const command = program.commands.find((command) => command.name() === name)!;

  it('has every option, the examples of the help, and the exit statuses', () => {
    const flags = [...page.matchAll(/^\\fB(\\-.*?)\\fR/gm)].map(([, flag]) => flag!.replaceAll('\\', ''));
    for (const { short, long } of command.options) expect(flags).toContain(short ?? long);
    expect(page).toMatch(/\.SH EXIT STATUS\n(?:.*\n){12}/);
    // A command that states its own statuses has them in this section only.
    expect(page).not.toContain('Exit status:');
    const [, examples] = /\.SH EXAMPLES\n\.nf\n([\s\S]*?)\n\.fi/.exec(page)!;
    expect(examples!.split('\n').length).toBeGreaterThanOrEqual(2);
  });
});

it.skipIf(!hasTool('groff'))(
  'each page is rendered without a warning, in at most 80 columns but for examples (needs groff)',
  () => {
    // All pages in one call, without bold and italics: a start of groff takes as long as rendering ten pages.
    const args = ['-man', '-Tutf8', '-k', '-ww', '-P-c', '-P-b', '-P-u', '-rLL=80n'];
    const { stdout, stderr } = spawnSync(tool('groff'), args, {
      input: [...pages.values()].join(''),
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const shown = stdout.split(/^(?=TW-SNAP\S*\(1\) .*TW-SNAP\S*\(1\)$)/m).filter((page) => page.trim() !== '');
    expect(shown.length).toBe(pages.size);
    for (const text of shown) {
      const prose = text.slice(0, text.indexOf('EXAMPLES'));
      expect(prose.length).toBeGreaterThan(300);
      expect(Math.max(...prose.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
    }
  },
);
