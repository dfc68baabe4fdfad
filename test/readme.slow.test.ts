import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exampleFiles, needsMore, runExample } from './support/examples.ts';

const root = join(import.meta.dirname, '..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const guides = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.md'),
);
const pages = ['README.md', ...guides.map((name) => join('docs', name))];

const written = (page: string) => readFileSync(join(root, page), 'utf8');

/** The lines of each block for a shell, without those that are only a comment. */
const shellBlocks = (page: string) =>
  [...written(page).matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, lines]) =>
    lines!
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('#')),
  );

describe('shell commands work', () => {
  it.each(pages.filter((page) => shellBlocks(page).length > 0))('in %s', async (page) => {
    for (const lines of shellBlocks(page)) {
      // A line may use files that earlier lines wrote.
      const files = exampleFiles();
      for (const line of lines) {
        const command = line.replace(/ +# .*/, '');
        // A line that does not run tw-snap runs a script of this project.
        const others = command.split(' && ').filter((part) => /^(npm|node) /.test(part));
        for (const part of others) expect(isScript(part), part).toBe(true);
        const ours = command.split(' && ').filter((part) => !others.includes(part));
        if (ours.length === 0 || needsMore(command)) continue;
        const { status, stderr } = await runExample(ours.join(' && '), files);
        expect([0, 1], `${line}\n${stderr}`).toContain(status);
      }
    }
  });
});

/** `npm ci`, `npm run bench -- …`, `node scripts/bench/growth.mjs …` */
function isScript(command: string): boolean {
  const [program, first, second] = command.split(' ') as [string, string, string | undefined];
  if (program === 'node') return existsSync(join(root, first));
  return ['ci', 'install', 'publish', 'version'].includes(first) || (first === 'run' ? second! : first) in scripts;
}
