import { expect, it } from 'vitest';
import { themeOf } from '../../../../commands/lib/output/output.ts';

it('styles one text, and ignores the other arguments that map() passes', async () => {
  const { dim, strong, role } = await themeOf(2);
  expect(['a', 'b'].map(dim)).toEqual(['\u001b[38;5;243ma\u001b[39m', '\u001b[38;5;243mb\u001b[39m']);
  expect(['a', 'b'].map(strong)).toEqual(['\u001b[1ma\u001b[22m', '\u001b[1mb\u001b[22m']);
  expect(['a'].map(role.unknown)).toEqual(['\u001b[3ma\u001b[23m']);
});

it('leaves text unchanged without colours', async () => {
  expect((await themeOf(0)).dim('a')).toBe('a');
});
