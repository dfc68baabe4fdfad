// A list of cases that is empty where something of the host is absent would be a test that is neither run nor counted
// as skipped.
import { describe, it } from 'vitest';

type Each = (this: unknown, cases: unknown, ...rest: unknown[]) => unknown;
const marked = Symbol.for('tw-snap: refuses empty lists');

for (const chain of [it, describe]) {
  // Functions such as `it.skip` are made from `fn`.
  for (const owner of [chain, (chain as unknown as { readonly fn: object }).fn] as { each: Each; [marked]?: true }[]) {
    if (owner[marked]) continue;
    owner[marked] = true;
    const { each } = owner;
    owner.each = function (cases, ...rest) {
      if (Array.isArray(cases) && cases.length === 0) throw new Error('an empty list of cases: skip the test instead');
      return each.call(this, cases, ...rest);
    };
  }
}
