import { expect, it } from 'vitest';
import { exportedNames } from '../support/library-examples.ts';

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
