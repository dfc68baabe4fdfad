import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { main } from '../../../commands/index.ts';
import { outcomes, replayed } from '../../support/captures.ts';
import { corpusFile, goldenCaptures, hasCorpus, samplePcap } from '../../support/corpus.ts';
import { type FakeIo, fakeIo } from '../../support/fake-io.ts';
import { datagramsOf, flipped, PcapFile } from '../../support/pcap-file.ts';
import { recordsOf, run } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

const sample = samplePcap();
const client = replayed(sample).snapshots[0]!.client;

/** The sample with one flipped bit, so that one snapshot is rebuilt with another checksum. */
function mismatched(): Uint8Array {
  for (const { from, to } of datagramsOf(sample).slice(200)) {
    for (let at = from + 12; at < to; at++) {
      const changed = flipped(sample, at, 4);
      if (outcomes(replayed(changed).snapshots).mismatch === 1) return changed;
    }
  }
  throw new Error('no bit makes a mismatch');
}

/** A capture without the packets from `first` up to `end`. */
function without(first: number, end: number): Uint8Array {
  const file = new PcapFile(sample);
  return file.with(file.records.filter((_, i) => i < first || i >= end));
}

describe('checksum of a capture', () => {
  it('leaves out columns without information in a narrow terminal', async () => {
    const wide = (await run('checksum a.pcap --width 80', { 'a.pcap': sample })).stdout.split('\n')[0];
    const narrow = (await run('checksum a.pcap --width 50', { 'a.pcap': sample })).stdout.split('\n')[0];
    expect(wide?.split(/ {2,}/)).toEqual([
      '',
      'client',
      'version',
      'snapshots',
      'matched',
      'empty',
      'no base',
      'mismatched',
    ]);
    expect(narrow?.split(/ {2,}/)).toEqual(['', 'client', 'snapshots', 'matched', 'mismatched']);
  });

  it('prints a line for each snapshot', async () => {
    const { status, stdout } = await run('checksum a.pcap -t ndjson', { 'a.pcap': sample });
    const lines = recordsOf(stdout);
    const reported = replayed(sample).snapshots.filter(({ kind }) => kind !== 'empty');
    expect([status, lines.length]).toEqual([0, reported.length]);
    const keys = ['record', 'frame', 'client', 'tick', 'base', 'kind', 'items', 'crc', 'expected', 'ok'];
    for (const [i, line] of lines.entries()) {
      expect(Object.keys(line)).toEqual(keys);
      const { frame, tick, base, kind, crc, announced: expected } = reported[i]!;
      expect(line).toMatchObject({ record: 'snapshot', frame, client, tick, base, kind, crc, expected, ok: true });
      expect(line.items).toBeGreaterThan(0);
    }
  });

  it('names the file of each line where there are several', async () => {
    const { stdout } = await run('checksum a.pcap b.pcap -t ndjson', { 'a.pcap': sample, 'b.pcap': sample });
    expect(new Set(recordsOf(stdout).map(({ file }) => file))).toEqual(new Set(['a.pcap', 'b.pcap']));
  });

  it('writes lines while the capture is still going on', async () => {
    const half = sample.length >> 1;
    let midway = '';
    const io: FakeIo = fakeIo();
    const pieces = async function* () {
      yield sample.slice(0, half);
      midway = io.stdout.text;
      yield sample.slice(half);
    };
    const status = await main(['checksum', '-', '-t', 'ndjson'], { ...io, open: pieces });
    expect(status).toBe(0);
    expect(recordsOf(midway).length).toBeGreaterThan(50);
    expect(recordsOf(io.stdout.text).length).toBeGreaterThan(recordsOf(midway).length);
  });

  it('covers only the selected client and ticks', async () => {
    const of = async (...args: string[]) => run(`checksum a.pcap ${args.join(' ')}`, { 'a.pcap': sample });
    expect((await of('--client', client)).stdout).toBe((await of()).stdout);
    const other = await of('--client', '10.0.0.1:8303');
    expect([other.status, other.stdout]).toEqual([2, '']);
    expect(other.stderr).toContain(client);
    const [first, second] = replayed(sample).snapshots;
    const lines = recordsOf((await of('-t', 'ndjson', '--ticks', `..${second!.tick}`)).stdout);
    expect(lines.map(({ tick }) => tick)).toEqual([first!.tick, second!.tick]);
  });
});

describe('a mismatch', () => {
  const changed = mismatched();
  const wrong = replayed(changed).snapshots.find(({ verdict }) => verdict === 'mismatch')!;

  it('exits 1, and is shown with all its details', async () => {
    const { status, stdout } = await run('checksum a.pcap', { 'a.pcap': changed });
    expect(status).toBe(1);
    const { tick, base, announced: expected, crc, frame } = wrong;
    const head = `✗ ${client}  tick ${tick} on base ${base}, frame ${frame}: announced ${expected}, rebuilt ${crc}, `;
    expect(stdout).toContain(head);
    expect(stdout).toMatch(/\d too (many|few)\n {4}\S/);
    expect(stdout).toContain(`    see it: tw-snap decode a.pcap@${tick} --client "${client}"\n`);
  });

  it('can be displayed with the command that the report names', async () => {
    const place = `a.pcap@${wrong.tick}`;
    const files = { 'a.pcap': changed };
    const { status, stdout, stderr } = await run(`decode ${place} --client ${client}`, files);
    expect(status).toBe(1);
    expect(stdout).toContain('delta');
    const { crc, announced: expected } = wrong;
    expect(stderr).toContain(`tw-snap: ${place}: its checksum is ${crc}, but ${expected} was announced\n`);
  });

  it('is a line whose "ok" is false', async () => {
    const { status, stdout } = await run('checksum a.pcap -t ndjson', { 'a.pcap': changed });
    expect(status).toBe(1);
    const lines = recordsOf(stdout).filter(({ ok }) => ok === false);
    const { frame, tick, base, kind, crc, announced: expected } = wrong;
    expect(lines).toEqual([
      { record: 'snapshot', frame, client, tick, base, kind, items: expect.any(Number), crc, expected, ok: false },
    ]);
  });

  it('in standard input has no command that displays it', async () => {
    const { stdout } = await run('checksum', {}, { stdin: changed });
    expect(stdout).toContain('✗');
    expect(stdout).not.toContain('see it');
  });
});

describe('loss', () => {
  it('is not a mismatch', async () => {
    const cut = without(300, 302);
    const { status, stdout } = await run('checksum a.pcap --summary -t json', { 'a.pcap': cut });
    const [{ snapshots, matched, mismatched: wrong, missing_base }] = JSON.parse(stdout);
    expect([status, wrong]).toEqual([0, 0]);
    expect(matched).toBeGreaterThan(50);
    expect(missing_base).toBeGreaterThan(0);
    expect(matched + missing_base).toBe(snapshots);
    expect((await run('checksum a.pcap --strict', { 'a.pcap': cut })).status).toBe(1);
  });

  it('is a line with the reason and without a checksum', async () => {
    const { stdout } = await run('checksum a.pcap -t ndjson', { 'a.pcap': without(300, 302) });
    const lost = recordsOf(stdout).filter(({ ok }) => ok === null);
    for (const line of lost) expect(line).toMatchObject({ items: null, crc: null, ok: null, reason: 'missing_base' });
    expect(Object.keys(lost[0]!).at(-1)).toBe('reason');
  });

  it('of the beginning makes all later snapshots lost', async () => {
    const { status, stdout } = await run('checksum a.pcap', { 'a.pcap': without(0, 200) });
    expect(status).toBe(0);
    expect(stdout).toContain(`! ${client}  no full snapshot was captured, and deltas alone make none\n`);
  });
});

describe('damage', () => {
  it('of the file exits 3; the readable part is shown', async () => {
    const { status, stdout, stderr } = await run('checksum a.pcap', { 'a.pcap': sample.slice(0, -5) });
    expect(status).toBe(3);
    expect(stdout).toContain(client);
    expect(stderr).toMatch(/^tw-snap: a\.pcap: truncated_record at 0x/);
  });

  it('of a packet exits 3, and is reported for its connection', async () => {
    const packet = datagramsOf(sample)
      .slice(200)
      .find(({ from }) => replayed(flipped(sample, from + 4)).undecodable === 1)!;
    const files = { 'a.pcap': flipped(sample, packet.from + 4) };
    const { status, stdout } = await run('checksum a.pcap', files);
    expect(status).toBe(3);
    expect(stdout).toContain(`! ${client}  1 packet can't be read to the end\n`);
    expect((await run('checksum a.pcap --summary', files)).stderr).toContain(
      `1 packet of ${client} can't be read to the end`,
    );
  });

  it('of a file that is not a capture is an error', async () => {
    const { status, stderr } = await run('checksum a -f pcap', { a: 'text that is no capture at all' });
    expect(status).toBe(3);
    expect(stderr).toContain('not_a_capture');
  });
});

describe('summaries', () => {
  it.skipIf(!hasCorpus).each(goldenCaptures(/^(?!.*34players)/))(
    '%s has the counts of other programs (needs ../shared)',
    async (name, golden) => {
      const { status, stdout } = await run(`checksum ${name} --summary -t json`, { [name]: corpusFile(name) });
      const { snaps, ok, empty } = golden;
      const none = { mismatched: 0, missing_base: 0, missing_part: 0, damaged: 0 };
      expect([status, JSON.parse(stdout)]).toEqual([
        0,
        [{ file: name, health: 'healthy', snapshots: snaps, matched: ok, ...none, empty }],
      ]);
      const keys = [
        'file',
        'health',
        'snapshots',
        'matched',
        'mismatched',
        'missing_base',
        'missing_part',
        'damaged',
        'empty',
      ];
      expect(Object.keys(JSON.parse(stdout)[0])).toEqual(keys);
    },
  );

  const files = { 'a.pcap': sample, 'b.demo': read('vanilla-dm1.demo') };

  it('of several files are rows, lines or a list', async () => {
    const text = await run('checksum a.pcap b.demo --summary', files);
    expect(text.stdout).toMatchInlineSnapshot(`
      "a.pcap   healthy      446 snapshots: 446 match
      b.demo   healthy      1,369 snapshots: 12 full, 1,357 deltas; messages not read; no checksum confirms it
      "
    `);
    const json = JSON.parse((await run('checksum a.pcap b.demo --summary -t json', files)).stdout);
    expect(recordsOf((await run('checksum a.pcap b.demo --summary -t ndjson', files)).stdout)).toEqual(
      json.map((entry: object) => ({ record: 'checksum', ...entry })),
    );
    expect(json[1]).toMatchInlineSnapshot(`
      {
        "deltas": 1357,
        "file": "b.demo",
        "full": 12,
        "health": "healthy",
        "messages": null,
        "snapshots": 1369,
        "ticks": [
          {
            "from": 8898,
            "snapshots": 1369,
            "state": "plain",
            "to": 11782,
          },
        ],
      }
    `);
  });

  it('have the error of a file that cannot be read', async () => {
    const unreadable = { ...files, 'c.pcap': new TextEncoder().encode('no capture') };
    const { status, stdout, stderr } = await run('checksum none.pcap a.pcap --summary -t json', unreadable);
    expect([status, JSON.parse(stdout)]).toEqual([
      3,
      [
        { file: 'none.pcap', health: 'unread', error: "can't be read: no such file" },
        expect.objectContaining({ file: 'a.pcap', snapshots: 446 }),
      ],
    ]);
    expect(stderr).toContain('none.pcap');
    for (const format of ['json', 'ndjson']) {
      const single = await run(`checksum c.pcap --summary -t ${format}`, unreadable);
      expect([single.status, [JSON.parse(single.stdout)].flat()]).toEqual([
        3,
        [
          {
            ...(format === 'ndjson' && { record: 'checksum' }),
            file: 'c.pcap',
            health: 'unread',
            error: expect.stringContaining('bad_hex'),
          },
        ],
      ]);
    }
  });
});

it.each([
  [['--list'], '--list is for demos'],
  [['--expect', '5'], '--expect is for single snapshots'],
])('%j is refused for a capture', async (args, words) => {
  const { status, stderr } = await run(`checksum a.pcap ${args.join(' ')}`, { 'a.pcap': sample });
  expect(status).toBe(2);
  expect(stderr).toContain(words);
});

describe('a demo', () => {
  const files = { 'a.demo': read('vanilla-dm1.demo') };

  it('is one row; --list and -v print a list of its snapshots', async () => {
    expect((await run('checksum a.demo', files)).stdout).toBe(
      'a.demo   healthy      1,369 snapshots: 12 full, 1,357 deltas; messages not read; no checksum confirms it\n',
    );
    const { stdout: list } = await run('checksum a.demo --list', files);
    expect((await run('checksum a.demo -v', files)).stdout).toBe(list);
    expect(list.split('\n')).toHaveLength(1369 + 1);
  });
});

it('several files are rows, with the first mismatches below theirs', async () => {
  const { status, stdout } = await run('checksum a.pcap w.pcap', {
    'a.pcap': sample,
    'w.pcap': read('duplicate-key.pcap'),
  });
  expect(status).toBe(1);
  expect(stdout.split('\n').map((line) => line.slice(0, 60))).toEqual([
    'a.pcap   healthy      446 snapshots: 446 match',
    'w.pcap   mismatched   45 snapshots: 25 match, 20 mismatched',
    // One cause.
    '  ✗ 10.0.0.7:50000  20 snapshots, ticks 226 to 264, frames 17 to 36'.slice(0, 60),
    '',
  ]);
});

describe("gzip'ed input", () => {
  const demo = read('vanilla-dm1.demo');
  const both = async (name: string, bytes: Uint8Array, ...args: string[]) => {
    const plain = await run(args, { [name]: bytes });
    const zipped = await run(args, { [name]: gzipSync(bytes) });
    return [plain, zipped];
  };

  it.each([
    ['a capture', 'a.pcap', sample, ['checksum', 'a.pcap', '-t', 'ndjson']],
    ['a demo', 'a.demo', demo, ['checksum', 'a.demo', '-t', 'ndjson']],
    ['a demo at a tick', 'a.demo', demo, ['checksum', 'a.demo@last']],
    ['a snapshot', 'first.huff', read('first.huff'), ['decode', 'first.huff']],
    ['hex text', 'a.hex', new TextEncoder().encode('00 00 00'), ['decode', 'a.hex', '-k', 'delta']],
  ] as const)('%s is read as if it were not', async (_, name, bytes, args) => {
    const [plain, zipped] = await both(name, bytes, ...args);
    expect(zipped).toEqual(plain);
    expect(plain?.status).toBe(0);
  });

  it('is read from standard input, too, and in several members', async () => {
    const half = sample.length >> 1;
    const members = Buffer.concat([gzipSync(sample.slice(0, half)), gzipSync(sample.slice(half))]);
    const plain = await run('checksum', {}, { stdin: sample });
    expect(await run('checksum', {}, { stdin: members })).toEqual(plain);
  });

  it('that ends early or is damaged is reported after what could be read', async () => {
    const zipped = gzipSync(sample);
    const cut = await run('checksum a.pcap.gz', { 'a.pcap.gz': zipped.subarray(0, zipped.length >> 1) });
    expect(cut.status).toBe(3);
    expect(cut.stdout).toContain(client);
    expect(cut.stderr).toContain("tw-snap: a.pcap.gz: can't be read: the gzip data ends early\n");
    const damaged = await run('checksum a.pcap.gz', { 'a.pcap.gz': flipped(zipped, zipped.length - 6) });
    expect(damaged.status).toBe(3);
    expect(damaged.stderr).toContain(
      "tw-snap: a.pcap.gz: can't be read: the gzip data is damaged: its checksum is wrong\n",
    );
    expect(damaged.stdout).toContain(client);
  });
});
