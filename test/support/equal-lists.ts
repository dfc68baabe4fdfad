// Lists and bytes are first compared by Node, whose comparison is the stricter one: vitest's own looks at each element
// several times, and takes a second for the 94 KB of a capture. Lists that differ, or that hold `expect.any`, are left
// to it, since it says where they differ.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

const isList = (value: unknown) => Array.isArray(value) || ArrayBuffer.isView(value);

// This file runs before each test file, all of which share one list of testers: the 300th would ask 300 of them for
// each value that it compares.
const added = Symbol.for('tw-snap: lists are compared by Node');
const shared = globalThis as { [added]?: true };
if (!shared[added]) {
  shared[added] = true;
  expect.addEqualityTesters([(a, b) => (isList(a) && isList(b) && isDeepStrictEqual(a, b) ? true : undefined)]);
}
