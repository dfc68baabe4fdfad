import { describe, expect, it } from 'vitest';
import { main } from '../../../../commands/index.ts';
import type { Io } from '../../../../commands/lib/platform/io.ts';
import type { Threads } from '../../../../commands/lib/platform/pool.ts';
import { fakeIo, type World } from '../../../support/fake-io.ts';
import { fakeThreads } from '../../../support/fake-threads.ts';
import { read, shortCapture, shortDemo } from '../../../support/samples.ts';

const demo = shortDemo();
const files = {
  'a.demo': demo,
  'b.demo': read('ddnet-race-player.demo'),
  'c.pcap': shortCapture(),
  'cut.demo': demo.subarray(0, 20_000),
  'd.pcap': shortCapture(),
  'text.txt': new TextEncoder().encode('no recording'),
  'whole.snap': read('sixup-tick2576.snapshot.huff'),
};

type Changed = World & { readonly io?: Partial<Io> };

/** The output of a command line in one thread, or in several if `cores` is larger. */
async function run(line: string, cores: number, { io: own = {}, ...world }: Changed = {}, fault?: Error) {
  const io = fakeIo({ files, ...world });
  const begun: ReturnType<typeof fakeThreads>[] = [];
  const threads = async (): Promise<Threads> => {
    begun.push(fakeThreads(io, fault));
    return begun[0]!;
  };
  const status = await main(line.split(' '), { ...io, ...own, cores: async () => cores, threads });
  const out = io.files.get('out');
  return { status, stdout: io.stdout.text, stderr: io.stderr.text, out: out && new TextDecoder().decode(out), begun };
}

const reported = ({ begun: _, ...rest }: Awaited<ReturnType<typeof run>>) => rest;

describe('several files in parallel', () => {
  it.each([
    'checksum a.demo b.demo whole.snap',
    'checksum a.demo c.pcap d.pcap b.demo',
    'checksum c.pcap nowhere.demo cut.demo d.pcap -t ndjson',
    'checksum a.demo c.pcap b.demo --summary',
    'checksum a.demo c.pcap --summary -t json',
    'checksum a.demo c.pcap --summary -t ndjson -o out',
    'checksum whole.snap nowhere whole.snap --expect 5',
    'checksum c.pcap whole.snap --expect 5',
    'info a.demo c.pcap b.demo cut.demo nowhere.demo text.txt',
    'info a.demo b.demo -t csv',
    'info c.pcap d.pcap -t csv -o out',
    'info c.pcap a.demo -t csv',
    'info c.pcap a.demo -t json',
    'info a.demo cut.demo -t ndjson',
    'info a.demo b.demo --color always',
    'dump a.demo b.demo c.pcap text.txt cut.demo',
    'dump a.demo b.demo -t csv --type obj_character --ticks ..9000',
    'dump b.demo nowhere c.pcap -t ndjson -o out',
    'dump a.demo b.demo --type no_such_item',
    'dump a.demo b.demo --schema nowhere',
  ])('print the same in the same order: %s', async (line) => {
    const alone = await run(`${line} --jobs 1`, 4);
    const together = await run(`${line} --jobs 3`, 1);
    expect(reported(together)).toEqual(reported(alone));
    expect(alone.begun).toEqual([]);
    if (!/no_such|schema/.test(line)) expect(together.begun).toHaveLength(1);
    for (const threads of together.begun) expect(threads.ended).toBe(true);
  });

  it('unreadable files are reported, the others processed; the worst status counts', async () => {
    const { status, stdout, stderr } = await run('checksum nowhere.demo a.demo --jobs 2 --summary', 1);
    expect(status).toBe(3);
    expect(stdout).toBe(
      'a.demo         healthy      386 snapshots: 4 full, 382 deltas; messages not read; no checksum confirms it\n',
    );
    expect(stderr).toBe("tw-snap: nowhere.demo: can't be read: no such file\n");
  });

  it('are read at most twice the number of threads ahead', async () => {
    const line = `checksum ${new Array(40).fill('whole.snap').join(' ')} --jobs 2 --summary`;
    const { begun } = await run(line, 1);
    expect(begun[0]!.tasks).toHaveLength(40);
    expect(new Set(begun[0]!.tasks.map(({ ahead }) => ahead))).toEqual(new Set([(48 << 20) / 3]));
  });

  it('a bug in a thread ends the command like a bug in the main thread', async () => {
    const { status, stderr, begun } = await run('info a.demo b.demo --jobs 2', 1, {}, new TypeError('oh'));
    expect(status).toBe(3);
    expect(stderr).toContain('tw-snap: internal error: oh\n');
    expect(begun[0]!.ended).toBe(true);
  });
});

describe('the number of threads', () => {
  /** @param size what each file is said to have: reading 16 MB takes long, and is not what is tested */
  async function threads(line: string, cores: number, { size, ...world }: { size?: number; stdin?: Uint8Array } = {}) {
    return (await run(line, cores, { ...world, ...(size && { io: { size: () => size } }) })).begun.length;
  }
  const half = 8 << 20;

  it('small inputs are read without threads, unless --jobs is given', async () => {
    expect(await threads('checksum b.demo cut.demo', 4)).toBe(0);
    expect(await threads('checksum b.demo cut.demo', 4, { size: half - 1 })).toBe(0);
    expect(await threads('checksum b.demo cut.demo', 4, { size: half + 1 })).toBe(1);
    expect(await threads('checksum b.demo cut.demo', 1, { size: half + 1 })).toBe(0);
    expect(await threads('checksum b.demo@first cut.demo@first', 4, { size: half + 1 })).toBe(1);
    expect(await threads('checksum b.demo', 4, { size: 2 * half + 1 })).toBe(0);
    expect(await threads('checksum b.demo cut.demo --jobs 2', 1)).toBe(1);
  });

  it('standard input is read in one thread', async () => {
    expect(await threads('checksum a.demo - --jobs 2', 4, { stdin: demo })).toBe(0);
  });

  it.each(['0', '-1', 'two', '1.5', '257'])('--jobs %s is refused', async (jobs) => {
    const { status, stderr } = await run(`info a.demo --jobs ${jobs}`, 1);
    expect(status).toBe(2);
    expect(stderr).toContain('Expected 1 to 256');
  });
});
