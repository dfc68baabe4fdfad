import { expect, it } from 'vitest';
import { areOnOneMap, type RunMap } from '../../src/editing/ghost-run.ts';

const map = (name: string, crc?: number, sha256?: string): RunMap => ({ name, crc, sha256 });
const [first, second] = ['a1'.repeat(32), 'b2'.repeat(32)];

// A ghost has a CRC-32 up to version 5 and a SHA-256 since, so an old and a new one have no sum in common.
it.each<[string, RunMap, RunMap, boolean | undefined]>([
  ['one SHA-256', map('Kobra', undefined, first), map('Kobra', undefined, first), true],
  ['two of them', map('Kobra', undefined, first), map('Kobra', undefined, second), false],
  ['one CRC', map('Kobra', 0x1234abcd), map('Kobra', 0x1234abcd), true],
  ['two of them', map('Kobra', 0x1234abcd), map('Kobra', 0x1234abce), false],
  ['a CRC of 0', map('Kobra', 0), map('Kobra', 1), false],
  ['one CRC and two SHA-256', map('Kobra', 1, first), map('Kobra', 1, second), false],
  ['another name', map('Kobra', 1), map('Kobra 2', 1), false],
  ['no sum in common', map('Kobra', 1), map('Kobra', undefined, first), undefined],
  ['no sums', map('Kobra'), map('Kobra'), undefined],
])('two runs are on one map or not: %s', (_, first, second, expected) => {
  expect(areOnOneMap(first, second)).toBe(expected);
  expect(areOnOneMap(second, first)).toBe(expected);
});
