import { expect, it } from 'vitest';
import { isSkinName } from '../../../src/recording/games/skin-names.ts';

it.each([
  ['default', true],
  ['Bluekitty 2.1', true],
  ['ü'.repeat(11), true],
  ['', false],
  ['../../../skins/x"', false],
  ['a\\b', false],
  ['a  b', false],
  [' a', false],
  ['a.', false],
  ['nul', false],
  ['x'.repeat(24), false],
  ['ü'.repeat(12), false],
])('%j', (name, isName) => expect(isSkinName(name)).toBe(isName));
