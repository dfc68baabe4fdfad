import { expect, it } from 'vitest';
import { isColored, themeOf } from '../../../../commands/lib/output/colours.ts';

// The codes of ECMA-48, 8.3.117, and 90 for bright black as in xterm.
it('styles one text, and ignores the other arguments that map() passes', async () => {
  const { dim, strong, role } = await themeOf(true);
  expect(['a', 'b'].map(dim)).toEqual(['\u001b[90ma\u001b[39m', '\u001b[90mb\u001b[39m']);
  expect(['a', 'b'].map(strong)).toEqual(['\u001b[1ma\u001b[22m', '\u001b[1mb\u001b[22m']);
  expect(['a'].map(role.unknown)).toEqual(['\u001b[3ma\u001b[23m']);
});

it("has only colours of the terminal's sixteen", async () => {
  const { role, ...rest } = await themeOf(true);
  for (const style of [...Object.values(role), ...Object.values(rest)]) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes of colours
    expect(style('a').replace(/\u001b\[(?:[13]|2[23]|3[0-7]|39|9[0-7])m/g, '')).toBe('a');
  }
});

it('leaves text unchanged without colours', async () => {
  expect((await themeOf(false)).dim('a')).toBe('a');
});

it.each([
  ['auto', {}, 0, false],
  ['auto', {}, 1, true],
  ['auto', { NO_COLOR: '1' }, 1, false],
  ['auto', { NO_COLOR: '' }, 1, true],
  ['auto', { FORCE_COLOR: '1', NO_COLOR: '1' }, 0, true],
  ['auto', { FORCE_COLOR: '' }, 0, true],
  ['auto', { FORCE_COLOR: '0' }, 1, false],
  ['auto', { FORCE_COLOR: 'false' }, 1, false],
  ['always', { NO_COLOR: '1' }, 0, true],
  ['never', { FORCE_COLOR: '1' }, 1, false],
])('colours with %s, %j and %i levels of the terminal: %s', (asked, env, colors, expected) => {
  expect(isColored(asked, { env, stdout: { colors } } as never)).toBe(expected);
});
