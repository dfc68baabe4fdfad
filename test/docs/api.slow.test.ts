import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { execFileSync } from '../support/host.ts';
import { exportedNames, modules, root } from '../support/library-examples.ts';

const tool = join(root, 'scripts/docs');
const typedoc = join(tool, 'node_modules/typedoc/bin/typedoc');

it('the API pages are about every module that package.json exports', () => {
  const { entryPoints } = JSON.parse(readFileSync(join(tool, 'typedoc.json'), 'utf8'));
  const sources = entryPoints.map((path: string) => path.replace('../../', ''));
  expect(sources.toSorted()).toEqual([...modules.values()].sort());
});

it.skipIf(!existsSync(typedoc))('npm run docs writes a page for every export (needs npm ci in scripts/docs)', () => {
  const out = mkdtempSync(join(tmpdir(), 'tw-snap-api-'));
  try {
    execFileSync(process.execPath, [typedoc, '--out', out], { cwd: tool, stdio: 'pipe' });
    const kinds = ['functions', 'classes', 'interfaces', 'types', 'variables'];
    const names = exportedNames();
    const hasPage = (module: string, name: string) =>
      kinds.some((kind) => existsSync(join(out, kind, `${module.replaceAll('/', '_')}.${name}.html`)));
    // A name that two modules export has its page in one of them, which may be the unstable one.
    const all = (name: string) => [...names, { name, module: 'tw-snap/unstable' }];
    const missing = names.filter(
      ({ name }) => !all(name).some((entry) => entry.name === name && hasPage(entry.module, name)),
    );
    expect(missing.map(({ module, name }) => `${module}: ${name}`)).toEqual([]);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
});
