import { beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../../commands/index.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { hasTool } from '../../support/host.ts';
import { offered } from '../../support/shells.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

async function printed(...argv: string[]): Promise<string> {
  const io = fakeIo();
  expect(await main(argv, io), io.stderr.text).toBe(0);
  return io.stdout.text;
}

/** `  -t, --to <format>  what to print`: the flags in a help text. */
const flagsIn = (help: string) =>
  [...help.matchAll(/^ {2}(-\S.*?)(?: {2}|$)/gm)].flatMap(([, flags]) => flags!.match(/(?<=^|[ ,])--?[\w-]+/g) ?? []);

describe.each(shells)('completion of %s', (shell) => {
  let script: string;
  beforeAll(async () => {
    script = await printed('completion', shell);
  });

  it('knows every command, and every option that its help lists', async () => {
    const help = await printed('--help');
    const commands = [...help.slice(help.indexOf('Commands:')).matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name!);
    expect(commands).toEqual(expect.arrayContaining(['decode', 'checksum', 'schema', 'completion', 'help']));
    for (const command of commands.filter((name) => name !== 'help')) {
      expect(script).toContain(command);
      const flags = flagsIn(await printed(command, '--help'));
      expect(flags).toContain('--help');
      const spelled = (flag: string) =>
        shell === 'fish' ? flag.replace(/^--/, '-l ').replace(/^-(?=\w$)/, '-s ') : flag;
      for (const flag of flags) expect(script, `${command} ${flag}`).toContain(spelled(flag));
    }
  });

  it('has only words that shells need not quote', () => {
    expect(script).not.toMatch(/undefined|\[object/);
    for (const [, words] of script.matchAll(/words='([^']*)'/g)) expect(words).toMatch(/^[\w. -]*$/);
  });

  it.skipIf(!hasTool(shell)).each([
    ['tw-snap ', ['decode', 'diff', 'dump', 'schema', 'completion'], ['match.demo']],
    ['tw-snap de', ['decode'], ['diff']],
    ['tw-snap decode -t ', ['hexdump', 'table', 'json'], ['csv', 'match.demo']],
    ['tw-snap dump --from hu', ['huffman'], ['packed']],
    ['tw-snap decode --wid', ['--width'], ['--verbose']],
    ['tw-snap decode --width ', [], ['match.demo']],
    ['tw-snap decode ma', ['match.demo'], ['decode']],
    ['tw-snap decode --schema ma', ['match.demo'], []],
    ['tw-snap schema obj_fl', ['obj_flag'], ['obj_character', 'match.demo']],
    ['tw-snap dump match.demo --type sv_cha', ['sv_chat'], ['obj_flag']],
    ['tw-snap completion ', ['bash', 'zsh', 'fish'], ['match.demo']],
    ['tw-snap help ex', ['extract'], ['decode']],
  ])(`offers after "%s" (needs ${shell})`, (line, expectedText, unwanted) => {
    const found = offered(shell, script, line);
    expect(found).toEqual(expect.arrayContaining(expectedText));
    expect(found.filter((one) => (unwanted as string[]).includes(one))).toEqual([]);
  });

  it.skipIf(!hasTool(shell))(`continues after commas and equals signs (needs ${shell})`, () => {
    const [listed] = offered(shell, script, 'tw-snap diff --type obj_character,obj_fl');
    // zsh completes the part before the comma separately.
    expect(listed).toBe(shell === 'zsh' ? 'obj_flag' : 'obj_character,obj_flag');
    const after = offered(shell, script, 'tw-snap decode --to=he').map((word) => word.replace('--to=', ''));
    expect(after).toEqual(['hexdump']);
  });
});

it('refuses an unknown shell, and names the known ones', async () => {
  const io = fakeIo();
  expect(await main(['completion', 'tcsh'], io)).toBe(2);
  expect(io.stderr.text).toContain('; allowed choices are bash, zsh, fish\n');
});
