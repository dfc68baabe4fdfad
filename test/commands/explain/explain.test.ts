import { describe, expect, it } from 'vitest';
import { corpusFile, hasCorpus, samplePcap } from '../../support/corpus.ts';
import { rewritten } from '../../support/edit.ts';
import { datagramsOf, flipped } from '../../support/pcap-file.ts';
import { recordsOf, run, runWriting } from '../../support/run.ts';
import { read } from '../../support/samples.ts';
import { play, type Switches } from '../../support/server/faulty-server.ts';
import { excerpt, scenarioOf } from '../../support/server/scenario.ts';

const faulty = read('duplicate-key.pcap');
const log = read('duplicate-key.log');
/** The difference between the announced and the rebuilt checksum, as the client of the sample logs it. */
const difference = -136879786 - -1289982249;

describe('explain of a capture', () => {
  it('has the same lines with and without colours', async () => {
    const files = { 'a.pcap': faulty };
    const [plain, coloured] = await Promise.all(
      ['never', 'always'].map((when) => run(`explain a.pcap --width 90 --color ${when}`, files)),
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of colours
    expect(coloured!.stdout.replace(/\u001b\[[0-9;]*m/g, '')).toBe(plain!.stdout);
    expect(plain!.stdout).toContain(`\n✗ obj_client_info 0 "racer" is sent twice, and counted twice\n`);
  });

  it('its "see it" command shows the snapshot', async () => {
    const { stdout } = await run('explain a.pcap', { 'a.pcap': faulty });
    const [, command = ''] = /see it +tw-snap (.*)/.exec(stdout) ?? [];
    const shown = await run(`${command} -t table`, { 'a.pcap': faulty });
    expect(shown.status).toBe(1);
    expect(shown.stdout).toContain('obj_client_info 0');
  });

  it('-o writes a base and a delta with the same difference, for which explain names the same item', async () => {
    const { files, stdout } = await runWriting('explain a.pcap -o case', { 'a.pcap': faulty });
    expect(stdout).toContain('obj_client_info 0');
    const names = [...files.keys()].filter((name) => name.startsWith('case/')).sort();
    expect(names).toEqual(['case/README', 'case/base.json', 'case/delta.json']);
    const text = (name: string) => new TextDecoder().decode(files.get(name));
    const delta = JSON.parse(text('case/delta.json'));
    // Both items with the key, and no others.
    expect(delta.items.map(({ type, id }: { type: number; id: number }) => [type, id])).toEqual([
      [11, 0],
      [11, 0],
    ]);
    const [, again = ''] = /^tw-snap (explain .*)$/m.exec(text('case/README')) ?? [];
    const words = again.split(' ').map((word) => (/json$/.test(word) ? `case/${word}` : word));
    const second = await run(words, files);
    expect(second.status).toBe(1);
    // Of two new items in one delta, one may have a flipped bit in its id: the other failures ruled that out.
    expect(second.stdout).toContain('? obj_client_info 0 may be counted once more than sent');
  });

  it('of several files: each with its name, the worst status', async () => {
    const files = { 'a.pcap': samplePcap(), 'b.pcap': faulty };
    const { status, stdout } = await run('explain a.pcap b.pcap -t ndjson', files);
    expect(status).toBe(1);
    expect(recordsOf(stdout).map(({ file, failures }) => [file, failures])).toEqual([
      ['a.pcap', 0],
      ['b.pcap', 20],
    ]);
  });

  it('of a folder: each file, with its status', async () => {
    const files = { 'all/a.pcap': faulty, 'all/b/c.pcap': read('ddnet-ipv6.pcap'), 'all/notes.txt': 'no recording' };
    const { status, stdout } = await run('explain all -t ndjson', files);
    expect(recordsOf(stdout).map(({ file }) => file)).toEqual(['all/a.pcap', 'all/b/c.pcap']);
    expect(status).toBe(1);
  });

  it('from standard input', async () => {
    const { status, stdout } = await run('explain', {}, { stdin: faulty });
    expect(status).toBe(1);
    expect(stdout).not.toContain('see it');
  });

  it('of a healthy capture: nothing to explain, exit 0', async () => {
    const { status, stdout } = await run('explain a.pcap', { 'a.pcap': samplePcap() });
    expect([status, stdout]).toEqual([0, 'a.pcap   nothing to explain in 446 snapshots\n']);
  });

  it('with unreadable packets: counts the packets for each connection; exit 3', async () => {
    const whole = samplePcap();
    const damaged = datagramsOf(whole)
      .slice(300, 340)
      .reduce((bytes, { to }) => flipped(bytes, to - 3, 3), whole);
    const { status, stderr } = await run('explain a.pcap', { 'a.pcap': damaged });
    expect(status).toBe(3);
    expect(stderr).toMatch(/^tw-snap: a\.pcap: \d+ packets? of \[::1\]:29911 can't be read to the end\n$/);
  });

  it('that does not exist: exit 3; of a client that is not in the capture: exit 2', async () => {
    expect((await run('explain a.pcap', {})).status).toBe(3);
    expect((await run('explain a.pcap --client 1.2.3.4:5', { 'a.pcap': faulty })).status).toBe(2);
  });
});

describe('explain of a capture in which no checksum is wrong', () => {
  const scenario = excerpt(scenarioOf('vanilla-dm1.demo', read('vanilla-dm1.demo')), 0, 40);
  const findingsOf = async (switches: Switches) => {
    const { capture } = play(scenario, switches, { from: 20, to: 30 });
    const { status, stdout } = await run('explain a.pcap -t json', { 'a.pcap': capture });
    return { status, ...JSON.parse(stdout)[0] };
  };

  // The snapshots are two ticks apart.
  it.each([
    ['never_sent', 1],
    ['too_old', 200],
    ['impossible', -20],
  ])('names bases that the client cannot have had: %s', async (kind, distance) => {
    const { status, shown, missing_bases } = await findingsOf({
      announcedBase: (base) => (base < 0 ? base : base - distance),
    });
    expect([status, shown]).toMatchObject([1, [{ cause: 'no_base', kind, client: '10.0.0.7:50000' }]]);
    expect(shown[0].snapshots).toBe(missing_bases);
    expect(scenario.steps.map(({ tick }) => tick - distance)).toContain(shown[0].base);
  });

  it('names another Huffman table, and nothing else of a connection of noise', async () => {
    const { capture } = play(scenario, { symbol: (byte) => (byte * 3 + 7) & 0xff }, { from: 0, to: 40 });
    const { status, stdout } = await run('explain a.pcap -t json', { 'a.pcap': capture });
    const [{ failures, shown }] = JSON.parse(stdout);
    expect([status, failures, shown]).toMatchObject([3, 0, [{ cause: 'other_huffman' }]]);
    expect(shown).toHaveLength(1);
    expect(shown[0].packets).toBe(shown[0].compressed);
    expect((await run('info a.pcap', { 'a.pcap': capture })).stdout).toContain('1 finding, see tw-snap explain');
    const info = await run('info a.pcap -t json', { 'a.pcap': capture });
    expect(JSON.parse(info.stdout)[0].findings).toBe(1);
  });
});

describe('explain of a base and a delta', () => {
  const files = {
    base: read('ddnet-race-tick956.snapshot.huff'),
    delta: read('ddnet-race-tick958.delta.packed'),
  };

  it('with the checksum that they make: exit 0', async () => {
    const { status, stdout } = await run('explain base delta --expect 333080975', files);
    expect([status, stdout]).toEqual([0, 'delta   nothing to explain in 1 snapshot\n']);
  });

  it('with the sum of a static item too many: that it is counted once more fits, as the sum of others may', async () => {
    // obj_pickup 0 of the base: its first two ints are its position.
    const { stdout: json } = await run('decode base -t json', files);
    const pickup = JSON.parse(json).items.find(({ name }: { name: string }) => name === 'obj_pickup');
    const sum = pickup.data.reduce((total: number, int: number) => total + int, 0);
    const { status, stdout } = await run(`explain base delta --expect ${333080975 + sum} -t json`, files);
    expect(status).toBe(1);
    const [{ shown, fits, undecided }] = JSON.parse(stdout);
    expect([shown, undecided.length]).toEqual([[], 1]);
    expect(fits.some((fit: { cause: string }) => fit.cause === 'duplicate_key')).toBe(true);
  });

  it('--expect with one file: usage error', async () => {
    expect((await run('explain base --expect 1', files)).status).toBe(2);
  });

  it('of a delta alone, which is neither a recording nor a log: exit 3, and a hint how to name its base', async () => {
    for (const delta of [files.delta, read('first.huff').subarray(0, 12)]) {
      const { status, stderr } = await run('explain delta', { delta });
      expect(status).toBe(3);
      expect(stderr).toContain('tw-snap explain BASE DELTA --expect CRC');
    }
  });
});

describe('explain of a log', () => {
  it('between other lines, as JSON', async () => {
    const text = `chat: hi\n${new TextDecoder().decode(log)}client: disconnecting\n`;
    const { stdout } = await run('explain client.log -t json', { 'client.log': text });
    const [{ runs }] = JSON.parse(stdout);
    expect(runs.map(({ causes, course }: Record<string, unknown>) => [causes, course])).toEqual([
      [['duplicate_key'], 'constant'],
    ]);
    expect(runs[0].errors[0]).toMatchObject({ line: 2, tick: 226, base: 220, difference });
  });

  it('names the other faults that a client logs', async () => {
    const lines = [
      'client: delta unpack failed. error=-206',
      'client: delta unpack failed. error=-206',
      '[client]: delta unpack failed!',
      'client: snapshot invalid. SnapSize=12, DeltaSize=34',
      "client: error, couldn't find the delta snapshot",
    ];
    const { status, stdout } = await run('explain client.log', { 'client.log': lines.join('\n') });
    expect(status).toBe(1);
    expect(
      stdout,
    ).toBe(`client.log   3 deltas that could not be unpacked, 1 invalid snapshot, 1 base the client no longer had

✗ a delta could not be unpacked, 2 times (error -206)
    allows      a type with another size
                another base than announced
                damaged bytes

✗ a delta could not be unpacked, 1 time
    allows      a type with another size
                damaged bytes
                parts that do not belong together

! the server used a base that the client did not have, 1 time
    meaning     loss, or a snapshot that the client had dropped; it asks for a full one
`);
  });

  it('without such lines: exit 3, also where the text is a payload, which needs its base', async () => {
    const refusal = async (text: string) => {
      const { status, stderr } = await run('explain client.log', { 'client.log': text });
      expect(status).toBe(3);
      return stderr;
    };
    const command = 'tw-snap explain BASE DELTA --expect CRC\n';
    const start = 'tw-snap: client.log: no client errors in this text';
    expect(await refusal('chat: hi\n')).toBe(`${start}; a delta is explained with its base: ${command}`);
    const hex = Buffer.from(read('ddnet-race-tick958.delta.packed')).toString('hex');
    expect(await refusal(hex)).toBe(`${start}, and it is read as a delta, which needs its base: ${command}`);
  });

  it.each([
    [1000, 1, 'a log with zero bytes'],
    [2 << 20, 3, 'no log, as after a million bytes without an error'],
  ])('with %i zero bytes before the errors: exit %i, %s', async (zeros, expected) => {
    const bytes = Buffer.concat([new Uint8Array(zeros), Buffer.from('\n'), log]);
    expect((await run('explain client.log', { 'client.log': bytes })).status).toBe(expected);
  });
});

describe('explain of a demo', () => {
  const demo = read('vanilla-dm1.demo');

  it('without damage: nothing to explain', async () => {
    const { status, stdout } = await run('explain a.demo', { 'a.demo': demo });
    expect([status, stdout]).toEqual([0, 'a.demo   nothing to explain in 1,369 snapshots\n']);
  });

  it('with a sign of damage, but nothing that is wrong: says no more than that, as info calls it suspect', async () => {
    // A delta that comes twice.
    const twice = rewritten(demo, (writer, chunk, payload) => {
      if (chunk === 'delta 500') writer.chunk('delta', payload);
      return false;
    });
    const { status, stdout } = await run('explain a.demo', { 'a.demo': twice });
    expect(status).toBe(1);
    expect(stdout).toContain(
      'a.demo   1 range of ticks in doubt, 3 warnings\n\n✗ bytes may be damaged: 1 range of ticks in doubt\n',
    );
    expect((await run('info a.demo', { 'a.demo': twice })).stdout).toContain(
      'suspect: 105 of 1,370 snapshots in doubt, 3 signs of damage',
    );
  });

  it('cut: prints the place, and how to repair the demo; exit 3', async () => {
    const { status, stdout } = await run('explain a.demo', { 'a.demo': demo.subarray(0, 40_000) });
    expect(status).toBe(3);
    expect(stdout).toContain('a.demo   cut short');
    expect(stdout).toContain('tw-snap repair a.demo -o whole.demo');
  });

  it('with damaged bytes: prints the ticks that are lost', async () => {
    const bytes = demo.slice();
    bytes.fill(0xaa, 30_000, 30_060);
    const { status, stdout } = await run('explain a.demo -t json', { 'a.demo': bytes });
    expect(status).toBe(3);
    const { lost } = JSON.parse(stdout)[0].demo;
    expect(lost).toHaveLength(1);
    expect(lost[0].next).toBeGreaterThan(lost[0].from);
  });

  it.skipIf(!hasCorpus)(
    'that DDNet wrote with the sizes of 0.6: names this cause; exit 1 (needs ../shared)',
    async () => {
      const bytes = corpusFile('ddnet20/07-ddnet20-replay-wrong-sizes.demo');
      const { status, stdout } = await run('explain a.demo', { 'a.demo': bytes });
      expect(status).toBe(1);
      expect(stdout).toContain('54 deltas of this demo, whose snapshots are of 0.7, have the item sizes of 0.6');
    },
  );
});

it('info names explain in its first line where there is something to explain', async () => {
  const firstLine = async (name: string) => {
    const { stdout } = await run(`info ${name}`, { [name]: read(name) });
    return stdout.split('\n')[0]!;
  };
  expect(await firstLine('duplicate-key.pcap')).toContain('see tw-snap explain');
  expect(await firstLine('ddnet-ipv6.pcap')).not.toContain('explain');
});
