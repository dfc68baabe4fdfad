import { describe, expect, it } from 'vitest';
import { hasTool } from '../support/host.ts';
import { withProgram } from '../support/program.ts';
import { offered } from '../support/shells.ts';

withProgram();

describe.each(['bash', 'zsh', 'fish'] as const)('completion of %s', (shell) => {
  it.skipIf(!hasTool(shell)).each([
    ['tw-snap ', ['decode', 'diff', 'dump', 'schema', 'completion'], ['match.demo']],
    ['tw-snap de', ['decode'], ['diff']],
    ['tw-snap decode -t ', ['hexdump', 'table', 'json'], ['csv', 'match.demo']],
    ['tw-snap decode --wid', ['--width'], ['--verbose']],
    ['tw-snap decode --width ', [], ['match.demo']],
    ['tw-snap decode ma', ['match.demo'], ['decode']],
    ['tw-snap decode --schema ma', ['match.demo'], []],
    ['tw-snap schema obj_fl', ['obj_flag'], ['obj_character', 'match.demo']],
    ['tw-snap diff --type obj_character,obj_fl', ['obj_character,obj_flag'], []],
    ['tw-snap completion ', ['bash', 'zsh', 'fish'], ['match.demo']],
  ])(`offers after "%s" (needs ${shell})`, (line, expected, unwanted) => {
    const found = offered(shell, line);
    expect(found).toEqual(expect.arrayContaining(expected));
    expect(found.filter((text) => (unwanted as string[]).includes(text))).toEqual([]);
  });

  it.skipIf(!hasTool(shell))(`continues after an equals sign (needs ${shell})`, () => {
    const found = offered(shell, 'tw-snap decode --to=he').map((word) => word.replace('--to=', ''));
    expect(found).toEqual(['hexdump']);
  });
});
