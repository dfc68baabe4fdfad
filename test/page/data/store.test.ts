import { expect, it } from 'vitest';
import { Store } from '../../../src/page/data/store.ts';

interface State {
  readonly a: number;
  readonly b: number;
  readonly sum: number;
}

/** A store whose listeners write their names down. */
function noted(phases: readonly ('picture' | 'content' | 'after')[]) {
  const store = new Store<State>({ a: 0, b: 0 });
  const calls: string[] = [];
  for (const phase of phases) store.on(['a', 'sum'], () => calls.push(`${phase} ${store.state.sum}`), phase);
  store.derive(['a', 'b'], ({ a, b }) => ({ sum: a + b }));
  return { store, calls };
}

it('draws the picture, the content and what scrolls in this order, whoever came first', () => {
  for (const phases of [
    ['picture', 'content', 'after'],
    ['after', 'content', 'picture'],
    ['content', 'after', 'picture'],
  ] as const) {
    const { store, calls } = noted(phases);
    store.set({ a: 1, b: 2 });
    expect(calls).toEqual(['picture 3', 'content 3', 'after 3']);
  }
});

it('a view is told once of a change, and not of one that does not concern it', () => {
  const { store, calls } = noted(['content']);
  store.set({ a: 1 });
  store.set({ a: 1, b: 0 });
  expect(calls).toEqual(['content 1']);
});

it('all views are told the same state, also if one of them changes it', () => {
  const store = new Store<State>({ a: 0, b: 0, sum: 0 });
  const seen: string[] = [];
  const note = (name: string) => () => seen.push(`${name} a=${store.state.a} b=${store.state.b}`);
  store.on(['a'], () => {
    if (store.state.b === 0) store.set({ b: 1 });
  });
  store.on(['a'], note('first'));
  store.on(['b'], note('second'));
  store.set({ a: 1 });
  expect(seen).toEqual(['first a=1 b=1', 'second a=1 b=1']);
});

it('a view that fails does not keep the others from the next change', () => {
  const { store, calls } = noted(['content']);
  store.on(['b'], () => {
    throw new Error('a fault of a view');
  });
  expect(() => store.set({ b: 1 })).toThrow('a fault of a view');
  store.set({ a: 1 });
  expect(calls.at(-1)).toBe('content 2');
});
