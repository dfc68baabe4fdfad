import { describe, expect, it } from 'vitest';
import { run as runLine } from '../support/run.ts';
import { read } from '../support/samples.ts';

const files = {
  'm.demo': read('vanilla-dm1.demo'),
  'first.huff': read('first.huff'),
  'a.pcap': read('ddnet-ipv6.pcap'),
};

const run = (line: string, stdin?: Uint8Array) => runLine(line, files, stdin && { stdin });

describe('tw-snap FILE', () => {
  it.each([
    ['a demo', 'info', 'm.demo'],
    ['a capture', 'info', 'a.pcap'],
    ['a payload', 'decode', 'first.huff'],
    ['the snapshot at a tick', 'decode', 'm.demo@9938'],
    ['a range', 'dump', 'm.demo@0:10..0:11'],
    ['a packet of a capture', 'decode', 'a.pcap#101'],
  ])('of %s is %s', async (_, command, file) => {
    expect(await run(file)).toEqual(await run(`${command} ${file}`));
    expect(await run(`-q ${file} --width 80`)).toEqual(await run(`${command} -q ${file} --width 80`));
  });

  it('of standard input reads the input once', async () => {
    expect(await run('-', files['m.demo'])).toEqual(await run('info -', files['m.demo']));
    expect(await run('-', files['first.huff'])).toEqual(await run('decode -', files['first.huff']));
  });

  it('without a file reads a pipe', async () => {
    expect(await run('', files['m.demo'])).toEqual(await run('info -', files['m.demo']));
    expect(await run('-q', files['first.huff'])).toEqual(await run('decode -q -', files['first.huff']));
  });

  it.each([
    ['no pipe', '', undefined],
    ['an empty pipe', '', new Uint8Array()],
    ['--help', '--help', files['m.demo']],
  ])('without a file prints the help: %s', async (_, argv, stdin) => {
    const { status, stdout } = await run(argv, stdin);
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^Usage: tw-snap /)]);
  });

  it('of a missing file or an unknown command is an error that says so', async () => {
    expect(await run('none.demo')).toMatchObject({ status: 3, stderr: 'tw-snap: none.demo: no such file\n' });
    expect((await run('none/')).stderr).toBe('tw-snap: none/: no such folder\n');
    expect((await run('none/m.demo')).stderr).toBe('tw-snap: none/m.demo: no such folder: none\n');
    expect((await run('decod')).stderr).toContain("unknown command 'decod' (Did you mean decode?)");
    const { status, stdout, stderr } = await run('inof --help');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain("unknown command 'inof' (Did you mean info?)");
  });
});

describe('--quiet', () => {
  it('leaves out notes, but not errors', async () => {
    expect((await run('decode first.huff')).stderr).toContain('read as');
    expect((await run('decode first.huff -q')).stderr).toBe('');
    expect((await run('decode - -f huffman --quiet', Uint8Array.of(255))).stderr).toContain('huffman_no_eof');
  });
});

it('version prints the version', async () => {
  expect(await run('version')).toEqual(await run('--version'));
});

it.each([
  'info empty',
  'dump empty',
  'stats empty',
  'explain empty',
  'extract empty --map',
  'annotate empty -o x',
  'slice empty --ticks 1..2 -o x',
  'edit empty -o x',
  'repair empty -o x',
  'concat empty -o x',
])('%s: says that the file is empty, and exits 3', async (line) => {
  expect(await runLine(line, { empty: '' })).toEqual({
    status: 3,
    stdout: '',
    stderr: 'tw-snap: empty: the input is empty\n',
  });
});

it.each(['info - -', 'diff - -', 'apply - -', 'concat - a - -o x', 'decode - --base -'])(
  '%s: standard input can be read only once',
  async (line) => {
    expect(await runLine(line, {})).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('tw-snap: standard input can be read only once'),
    });
  },
);

it.each([
  ...['info a --player=', 'info a --schema=', 'info a --map=', 'decode a --player=', 'slice a --around= -o x'],
  ...['dump a --type=', 'dump a --id=,', 'edit a --strip= -o x', 'checksum a --expect=', 'info a --output='],
])('%s: an option without its value is refused, not ignored', async (line) => {
  const { status, stderr } = await runLine(line, { a: read('vanilla-dm1.demo') });
  expect([status, stderr]).toEqual([2, expect.stringMatching(/the value is empty|argument '.?' is invalid/)]);
});
