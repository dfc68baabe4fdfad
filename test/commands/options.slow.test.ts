import type { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { main, wholeProgram } from '../../commands/index.ts';
import { files, lines, values } from '../../scripts/net/lines.mjs';
import { fakeIo } from '../support/fake-io.ts';

/** Options that are refused on these lines, and the tests that show their effect. */
const onlyRefused: Readonly<Record<string, string>> = {
  'apply --nth': 'a text with two packets: decode, which loads inputs in the same way',
  'apply --client': 'as in diff, which loads inputs in the same way',
  'explain --nth': 'as in apply',
  'explain --kind': 'a delta that is recognised as a snapshot: decode',
  'stats --follow': 'a file that grows: process/follow.slow.test.ts',
  'report --limit': 'it refuses larger pages',
  'report --data': 'the data of an installed game',
};

/** Options that do not change the output, and the reasons. */
const silent: Readonly<Record<string, string>> = {
  '--help': 'is the same in all commands',
  '--quiet': 'most commands have no notes; see implied-command.test.ts',
  '--jobs': 'the output is the same on any number of threads',
};

async function run(command: string, line: string, extra: readonly string[]) {
  const words = line.split(' ').filter(Boolean);
  const argv = [command, ...words, ...extra];
  const io = fakeIo({ files, terminal: false });
  const status = await main(argv, io);
  const written = [...io.files]
    .filter(([name]) => !(name in files))
    .map(([name, bytes]) => [name, Buffer.from(bytes).toString('latin1')]);
  return { status, stdout: Buffer.from(io.stdout.bytes).toString('latin1'), stderr: io.stderr.text, written };
}

function settings(option: Option): readonly (readonly string[])[] {
  const flag = option.long!;
  if (!option.required && !option.optional) return [[flag]];
  return (option.argChoices ?? values[flag] ?? []).map((value) => [flag, value]);
}

/** Whether an option is accepted on at least one line and changes its output, files or messages. */
async function hasEffect(command: string, option: Option): Promise<boolean> {
  const mayBeRefused = `${command} ${option.long}` in onlyRefused;
  for (const line of lines[command]!) {
    const without = await run(command, line, []);
    for (const setting of settings(option)) {
      const given = await run(command, line, setting);
      if ((mayBeRefused || given.status !== 2) && JSON.stringify(given) !== JSON.stringify(without)) return true;
    }
  }
  return false;
}

const program = await wholeProgram();
/** `record` reads no file: its options are tried on sockets, in process/record.slow.test.ts. */
const reading = program.commands.filter((command) => command.name() !== 'record');
const optionsOf = (command: Command) => command.options.filter((option) => !(option.long! in silent));

describe.each(reading.map((command) => [command.name(), command] as const))('tw-snap %s', (name, command) => {
  it('has command lines in this test', () => expect(lines[name]?.length).toBeGreaterThan(0));

  const named = optionsOf(command).map((option) => [option.flags, option] as const);
  if (named.length > 0)
    it.each(named)('%s has an effect', async (_, option) => {
      expect(settings(option).length).toBeGreaterThan(0);
      expect(await hasEffect(name, option)).toBe(true);
    });
});

/** The options of recordings, each on a demo and on a capture: no option is accepted without an effect. */
describe.each(['a.demo', 'a.pcap'])('on %s', (file) => {
  const commands = program.commands.filter((command) =>
    ['info', 'dump', 'stats', 'checksum', 'explain'].includes(command.name()),
  );
  /** Options that do not change the output for these recordings, and the reasons. */
  const without: Readonly<Record<string, string>> = {
    '--schema': 'a recording without items of a mod',
    '--strict': 'a recording without warnings',
    '--show-secrets': 'a demo without passwords, and text that folds the messages',
    '--color': 'never and auto are the same in a pipe',
    '--quiet': 'there are no notes',
    '--messages': 'readable messages of a demo, which --summary counts',
    '--verbose': 'nothing is folded',
    '--width': 'short lines',
    '--ascii': 'text without signs; see lib/ascii.test.ts',
    '--summary': 'one file, in one row',
    '--top': 'few rows',
    '--annotations': 'a recording without findings; see lib/ci.test.ts',
    '--health': 'the state that it has',
    '--follow': 'a file that does not grow; see follow.test.ts',
  };
  const cases = commands.flatMap((command) =>
    optionsOf(command)
      .filter((option) => !(option.long! in without))
      .map((option) => [`${command.name()} ${option.flags}`, command.name(), option] as const),
  );
  it.each(cases)('%s has an effect or is refused', async (_, command, option) => {
    const before = await run(command, file, []);
    const outcomes = [];
    for (const setting of settings(option)) outcomes.push(await run(command, file, setting));
    expect(outcomes.some((outcome) => JSON.stringify(outcome) !== JSON.stringify(before))).toBe(true);
  });
});
