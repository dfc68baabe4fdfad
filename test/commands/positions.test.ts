import { describe, expect, it } from 'vitest';
import { runWriting } from '../support/run.ts';
import { read } from '../support/samples.ts';

// The demo has the ticks 8898 to 11782: 0:10 is tick 9398.
const files = {
  'm.demo': read('vanilla-dm1.demo'),
  'a.pcap': read('ddnet-ipv6.pcap'),
  'first.huff': read('first.huff'),
  'in/m.demo': read('vanilla-dm1.demo'),
};
const run = (line: string) => runWriting(line, files, { hasNoProgram: true });
const printed = async (line: string) => {
  const { status, stdout, stderr } = await run(line);
  return { status, stdout, stderr };
};

describe('FILE@A..B', () => {
  it.each(['dump', 'dump -t ndjson', 'stats', 'stats -t json', 'checksum', 'checksum -t json'])(
    'of %s is FILE --ticks A..B',
    async (command) => {
      const named = await printed(`${command} m.demo@0:10..0:12`);
      expect(named.status).toBe(0);
      expect(named).toEqual(await printed(`${command} m.demo --ticks 9398..9498`));
      expect(await printed(`${command} a.pcap@34330..`)).toEqual(await printed(`${command} a.pcap --ticks 34330..`));
    },
  );

  it.each([
    ['slice %s -o out', 1],
    ['report %s -o out', 1],
    // With the dictionary.
    ['export %s --tables obj_character -o out', 2],
  ])('of %s writes the same', async (line, files) => {
    // The names of an export's parts contain a hash of the inputs' names.
    const written = async (args: string) =>
      [...(await run(args)).files]
        .filter(([path]) => path.startsWith('out'))
        .map(([path, bytes]) => [path.replace(/-[0-9a-f]{8}-/, '-'), bytes]);
    const named = await written(line.replace('%s', 'm.demo@0:10..0:12'));
    expect(named).toHaveLength(files);
    expect(named).toEqual(await written(line.replace('%s', 'm.demo --ticks 9398..9498')));
  });

  it('of a folder or pattern is the range of each file', async () => {
    const single = await run('dump m.demo@0:10..0:10.5 -t ndjson');
    const all = await run('dump in@0:10..0:10.5 -t ndjson');
    expect(all.stdout.split('\n')).toHaveLength(single.stdout.split('\n').length);
    expect(await printed('dump in/*.demo@0:10..0:10.5 -t csv')).toEqual(
      await printed('dump in/m.demo@0:10..0:10.5 -t csv'),
    );
  });
});

it.each([
  ['diff m.demo@0:10 @0:12', 'diff m.demo@0:10 m.demo@0:12'],
  ['diff a.pcap#101 #103', 'diff a.pcap#101 a.pcap#103'],
])('%s takes the file from the first', async (line, whole) => {
  expect(await printed(line)).toEqual(await printed(whole));
});

describe('what is no position is refused with the reason', () => {
  it.each([
    ['slice m.demo --ticks 0:10-0:20 -o x.demo', "'0:10-0:20' is 0:10 minus 0:20; did you mean 0:10..0:20?"],
    ['slice m.demo --ticks 0:10..0:99:99 -o x.demo', "'0:99:99': minutes and seconds go up to 59"],
    ['dump m.demo@0:10..0:99', 'minutes and seconds go up to 59'],
    ['decode m.demo@0:99', 'm.demo@0:99: '],
    ['diff m.demo m.demo', 'name a moment of each demo, as m.demo@0:30, or runs that finish'],
    ['diff m.demo@0:10 @0:99', 'm.demo@0:99: '],
    ['stats m.demo@0:10..0:12 --ticks 0:10..', 'm.demo@0:10..0:12 has a range: leave out --ticks'],
    ['slice m.demo@0:10..0:12 --around kill -o x.demo', 'choose what to cut out'],
    ['slice m.demo@0:10 -o x.demo', 'choose what to cut out: FILE@A..B'],
    ...['info', 'decode', 'annotate', 'explain'].map((command) => [
      `${command} m.demo@0:10..0:12`,
      'a range is for dump',
    ]),
    ...['dump', 'stats', 'info'].map((command) => [`${command} m.demo@0:10`, 'one moment is for decode']),
    ...['dump', 'stats'].map((command) => [`${command} a.pcap#101`, '#101']),
    ['dump first.huff@1..2', 'only demos and captures have ticks (@1..2)'],
  ] as [string, string][])('%s', async (line, message) => {
    const { status, stderr, files: after } = await run(line);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
    expect([...after.keys()]).toEqual(Object.keys(files));
  });
});

// In every command the same words.
it.each(['dump', 'stats', 'checksum', 'export -o x', 'slice -o x.demo', 'report -o x.html'])(
  'a range without snapshots of %s says which the recording has',
  async (command) => {
    for (const range of ['1..2', '0:59:00..']) {
      const { status, stderr } = await run(`${command} m.demo@${range}`);
      expect([status, stderr]).toEqual([2, 'tw-snap: m.demo: no snapshot in these ticks: it has 8898 to 11782\n']);
    }
  },
);
