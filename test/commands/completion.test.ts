import { expect, it } from 'vitest';
import { run } from '../support/run.ts';

async function printed(line: string): Promise<string> {
  const { status, stdout, stderr } = await run(line);
  expect(status, stderr).toBe(0);
  return stdout;
}

/** The candidates after a command line, without their meanings. */
async function candidates(line: string): Promise<string[]> {
  const { stdout } = await run(['completion', '--words', ...line.split(' ')]);
  return stdout
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => text.split('\t')[0]!);
}

/** `  -t, --to <format>  what to print`: the flags in a help text. */
const flagsIn = (help: string) =>
  [...help.matchAll(/^ {2}(-\S.*?)(?: {2}|$)/gm)].flatMap(([, flags]) => flags!.match(/(?<=^|[ ,])--?[\w-]+/g) ?? []);

it('every command is offered, and after it every option that its help lists', async () => {
  const help = await printed('help');
  const commands = [...help.matchAll(/^ {2}(\w+) {2}/gm)].map(([, name]) => name!);
  expect(await candidates('')).toEqual([...commands, 'help']);
  expect(await candidates('-')).toEqual(['-V', '--version', '-h', '--help']);
  for (const command of commands) {
    expect((await candidates(`${command} -`)).sort()).toEqual(flagsIn(await printed(`${command} --help`)).sort());
  }
});

it.each([
  ['de', ['decode']],
  ['decode -t ', ['hexdump', 'table', 'json']],
  ['decode --to=he', ['--to=hexdump']],
  ['decode --to = he', ['hexdump']],
  ['decode --to =', ['hexdump', 'table', 'json']],
  ['decode --from hu', ['huffman']],
  ['info --from p', ['pcap']],
  ['help e', ['explain', 'export', 'edit', 'extract', 'exit-codes', 'environment']],
  ['decode --wid', ['--width']],
  ['decode --width ', []],
  ['decode match', [':files']],
  ['decode -v ', [':files']],
  ['decode --schema ma', [':files']],
  ['schema obj_fl', ['obj_flag']],
  ['dump match.demo --type sv_chat', ['sv_chat']],
  ['diff --type obj_character,obj_fl', ['obj_character,obj_flag']],
  ['export match.demo --tables chat,ki', ['chat,kills']],
  ['edit match.demo --strip vo', ['votes']],
  ['slice match.demo --around kill:', ['kill:by-player', 'kill:last']],
  ['edit match.demo --markers n', ['none']],
  ['info --health dam', ['damaged']],
  ['completion ', ['bash', 'zsh', 'fish']],
  ['help ext', ['extract']],
  ['match.demo ', []],
])('after "tw-snap %s" come %j', async (line, expected) => {
  expect(await candidates(line)).toEqual(expected);
});

it('meanings stand beside words', async () => {
  expect(await printed('completion --words dif')).toMatch(/^diff\tcompare two snapshots\b.*\n$/);
});

it('refuses an unknown shell, and names the known ones', async () => {
  const { status, stderr } = await run('completion tcsh');
  expect([status, stderr]).toEqual([2, expect.stringContaining('. Allowed choices are bash, zsh, fish.\n')]);
});

it('a query: names, and after a name its fields', async () => {
  const words = async (query: string) => {
    const { stdout } = await run(['completion', '--words', 'dump', 'm.demo', '--where', query]);
    return stdout.trimEnd().split('\n');
  };
  expect(await words('obj_charac')).toEqual(['obj_character', 'obj_character_core']);
  expect(await words('obj_character we')).toEqual(['obj_character weapon']);
  expect(await words('kil')).toEqual(['kill']);
});
