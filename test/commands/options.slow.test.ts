import type { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { main, wholeProgram } from '../../commands/index.ts';
import { fakeIo } from '../support/fake-io.ts';
import { read } from '../support/samples.ts';

/** One map, twice, with a player that the other demo lacks; a capture; single payloads; lists. */
const demo = read('vanilla-dm1.demo');
const hex = (name: string) => Buffer.from(read(name)).toString('hex');
const files: Readonly<Record<string, Uint8Array | string>> = {
  'a.demo': demo,
  'b.demo': read('ddnet-race-player.demo'),
  'cut.demo': demo.slice(0, 20_000),
  'a.pcap': read('ddnet-ipv6.pcap'),
  'wrong.pcap': read('duplicate-key.pcap'),
  'first.huff': read('first.huff'),
  'first.packed': read('first.packed'),
  'base.snap': read('ddnet-race-tick956.snapshot.huff'),
  'next.delta': read('ddnet-race-tick958.delta.packed'),
  'odd.packed': Uint8Array.of(0x80, 0, 0, 0),
  // A snapshot whose first int takes a byte too many.
  'odd.snap': Uint8Array.of(0x80, 0, 0),
  'lossy.pcap': withoutPackets(read('ddnet-ipv6.pcap'), 300, 302),
  // A UDP header without its length, as network cards leave it: 24 bytes of the file's header, 16 of the record's, 60 before UDP.
  'odd.pcap': read('ddnet-ipv6.pcap').with(104, 0).with(105, 0),
  'hex.txt': hex('first.packed'),
  'two.txt': `<a> ${hex('vanilla-dm1-tick9892.packet')}\n<b> ${hex('ddnet-no-07-close.packet')}\n`,
  // The type of obj_character in 0.7 with one int less, so that all following data are misread.
  'mod.json': '{"items":[{"name":"my_item","type":10,"fields":{"all":{"list":21,"of":"int"}}}]}',
  'odd.demo': demo.with(144, 0x78),
  'clients.pcap': Buffer.concat([read('duplicate-key.pcap'), read('vanilla-ctf-timeout.pcap').subarray(24)]),
  list: '5  first.huff\n',
  paths: 'b.demo\n',
  'all/a.demo': demo,
  'all/b.demo': read('ddnet-race-player.demo'),
  'dm1.map': 'DATA',
};

/** A capture without the packets from one number up to another. */
function withoutPackets(bytes: Uint8Array, from: number, to: number): Uint8Array {
  const kept: Uint8Array[] = [bytes.subarray(0, 24)];
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (let at = 24, number = 1; at < bytes.length; number++) {
    const end = at + 16 + view.getUint32(at + 8, true);
    if (number < from || number >= to) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return new Uint8Array(Buffer.concat(kept));
}

/** A command line without its command. */
type Line = string;

/** Command lines on which every option of a command has to change something, or be refused. */
const lines: Readonly<Record<string, readonly Line[]>> = {
  decode: [
    'clients.pcap',
    'clients.pcap@first',
    'first.huff',
    'odd.packed',
    'two.txt',
    'hex.txt',
    'next.delta',
    'wrong.pcap',
    'b.demo',
    'a.demo@9938',
  ],
  diff: [
    'b.demo b.demo',
    'a.demo@9938 a.demo@10000',
    'base.snap b.demo@200',
    'odd.snap base.snap',
    'wrong.pcap@first wrong.pcap@last',
    'hex.txt first.huff',
    'clients.pcap@first clients.pcap@last',
    'two.txt empty',
  ],
  apply: ['empty first.huff', 'empty hex.txt', 'base.snap next.delta', 'empty odd.packed'],
  checksum: [
    'a.pcap',
    'wrong.pcap',
    'a.demo',
    'first.huff --base empty',
    'base.snap',
    'list',
    'all',
    'hex.txt --base empty',
    'odd.packed --base empty',
    'a.demo --summary',
    'lossy.pcap',
    'clients.pcap',
    'two.txt --base empty',
  ],
  explain: [
    'clients.pcap',
    'base.snap next.delta',
    'wrong.pcap',
    'a.demo',
    'base.snap next.delta --expect 5',
    'hex.txt',
    'two.txt',
    'all',
  ],
  info: ['clients.pcap', 'a.demo', 'odd.demo', 'a.pcap', 'wrong.pcap', 'all', 'cut.demo'],
  dump: ['clients.pcap', 'a.demo', 'odd.demo', 'a.pcap', 'a.demo -t ndjson', 'all', 'cut.demo'],
  extract: [
    'b.demo --ghost -o y.gho',
    'a.pcap -o x.demo',
    'clients.pcap --demo -o x.demo',
    'clients.pcap@first',
    'a.demo',
    'a.pcap',
    'a.demo@9938',
    'a.demo@9970',
    'a.pcap@first',
  ],
  stats: ['clients.pcap', 'a.demo', 'odd.demo', 'a.pcap', 'all'],
  export: [
    'a.demo --tables kills -t csv',
    'a.demo --tables kills -o out',
    'odd.demo --tables kills -t csv',
    'a.demo --tables obj_player_info -t csv',
    'all --tables demos -t ndjson',
    'a.pcap --tables obj_character -t csv',
    '--tables demos -t ndjson',
    'clients.pcap --tables obj_player_info -t csv',
  ],
  annotate: ['clients.pcap -o x.pcapng', 'a.pcap -o x.pcapng', 'wrong.pcap -o x.pcapng', 'odd.pcap -o x.pcapng', ''],
  slice: [
    'a.demo --ticks 9000..9100 -o x.demo',
    'a.demo -o x.demo',
    'a.demo --around kill -o x-%d.demo',
    'b.demo --ticks 300..400 -o x.demo',
  ],
  edit: ['a.demo -o x.demo'],
  repair: ['cut.demo -o x.demo', 'cut.demo'],
  concat: ['a.demo a.demo -o x.demo', 'a.demo'],
  report: ['-o x.html', 'clients.pcap', 'first.huff', 'a.pcap', 'a.demo', 'b.demo', 'hex.txt', 'two.txt', 'odd.packed'],
  schema: ['', 'obj_character', 'city_player'],
  completion: ['bash'],
};

/** Values of options by their names, where they are not the choices. */
const values: Readonly<Record<string, readonly string[]>> = {
  '--output': ['y.out', 'y-%d.demo'],
  '--width': ['40'],
  '--schema': ['mod.json'],
  '--client': ['127.0.0.1:51806', '10.0.0.1:1'],
  '--nth': ['2'],
  '--base': ['empty', 'base.snap'],
  '--type': ['obj_character', 'sv_chat'],
  '--id': ['1'],
  '--ignore': ['x'],
  '--expect': ['1'],
  '--jobs': ['1'],
  '--ticks': ['9000..9010', '34290..34292'],
  '--top': ['2'],
  '--tables': ['chat'],
  '--every': ['50'],
  '--shard': ['0/2'],
  '--files-from': ['paths'],
  '--include': ['a*'],
  '--player': ['corpus', 'nobody', '/^bot/'],
  '--from': ['5'],
  '--to': ['10'],
  '--against': ['b.demo'],
  '--around': ['kill:player'],
  '--before': ['1'],
  '--after': ['1'],
  '--strip': ['chat'],
  '--rename': ['corpus=other'],
  '--marker': ['+9000'],
  '--markers': ['none', 'at:kill'],
  '--timestamp': ['2020-01-02_03-04-05'],
  '--limit': ['0.1'],
  '--map': ['dm1', 'none', 'dm1.map'],
};

/** Options that are refused on these lines, and the tests that show their effect. */
const onlyRefused: Readonly<Record<string, string>> = {
  'apply --nth': 'a text with two packets: decode, which loads inputs in the same way',
  'apply --client': 'as in diff, which loads inputs in the same way',
  'explain --nth': 'as in apply',
  'explain --no-hex': 'a delta that is text: decode',
  'explain --kind': 'a delta that is recognised as a snapshot: decode',
  'stats --follow': 'a file that grows: process/follow.slow.test.ts',
  'report --limit': 'it refuses larger pages',
};

/** Options that do not change the output, and the reasons. */
const silent: Readonly<Record<string, string>> = {
  '--help': 'is the same in all commands',
  '--quiet': 'most commands have no notes; see implied-command.test.ts',
  '--jobs': 'the output is the same on any number of threads',
};

async function run(command: string, line: Line, extra: readonly string[]) {
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
const optionsOf = (command: Command) => command.options.filter((option) => !(option.long! in silent));

describe.each(program.commands.map((command) => [command.name(), command] as const))('tw-snap %s', (name, command) => {
  it('has command lines in this test', () => expect(lines[name]?.length).toBeGreaterThan(0));

  const named = optionsOf(command).map((option) => [option.flags, option] as const);
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
    '--show-secrets': 'a recording without passwords',
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
