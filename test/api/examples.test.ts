import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportedNames, modules, root } from '../support/library-examples.ts';

const exported = exportedNames();

it.each(exported.map(({ module, name }) => [module, name]))(
  '%s: %s has a doc block, with an example if it is a function or class of tw-snap',
  (module, name) => {
    const { doc, isType } = exported.find((exported) => exported.module === module && exported.name === name)!;
    if (module === 'tw-snap' && !isType) expect(doc).toMatch(/^@example\n```ts\n/m);
    // The doc block begins with a sentence.
    expect(doc!.trimStart()).toMatch(/^[A-Z`0-9]/);
  },
);

describe('docs/LIBRARY.md has every value of', () => {
  const guide = readFileSync(join(root, 'docs/LIBRARY.md'), 'utf8');
  it.each([...modules].filter(([module]) => module !== 'tw-snap/unstable'))('%s', async (_, source) => {
    const values = Object.keys(await import(join(root, source)));
    const missing = values.filter((name) => !new RegExp(`(?<![\\w.])${name}(?!\\w)`).test(guide));
    expect(values).not.toEqual([]);
    expect(missing).toEqual([]);
  });
});
