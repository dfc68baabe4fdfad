import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { contentsOf, rewritten, slices } from '../../support/edit.ts';
import { runWriting } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

const demo = () => read('vanilla-dm1.demo');

const slice = (line: string, files: Record<string, Uint8Array> = { 'match.demo': demo() }, stdin?: Uint8Array) =>
  runWriting(`slice ${line}`, files, stdin && { stdin });

describe('slice', () => {
  it('cuts ticks out, and prints what was written', async () => {
    const { status, stdout, stderr, files } = await slice('match.demo --ticks 9072..9472 -o cut.demo');
    expect([status, stderr]).toEqual([0, '']);
    const size = `${(files.get('cut.demo')!.length / 1000).toFixed(1)} KB`;
    expect(stdout).toBe(`cut.demo   0:08.00   ticks 9072 to 9472   199 snapshots   ${size}\n`);
    const cut = contentsOf(files.get('cut.demo')!);
    expect([cut.ticks[0], cut.ticks.at(-1), cut.header.length]).toEqual([9072, 9472, 8]);
  });

  it('counts times from the first tick', async () => {
    const { files } = await slice('match.demo --ticks 0:10..12.5s -o cut.demo');
    const first = contentsOf(demo()).ticks[0]!;
    const { ticks, header } = contentsOf(files.get('cut.demo')!);
    expect([ticks[0], ticks.at(-1), header.length]).toEqual([first + 500, first + 624, 2]);
  });

  it("cuts around kills, one demo for each; the demo of this sample's kill is named", async () => {
    const { status, stdout, files } = await slice('match.demo --around kill:1 -o frag-%d.demo');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^frag-1\.demo {3}0:08\.00 {3}ticks 9072 to 9472 .* stress3 killed by self with grenade\n$/);
    expect([...files.keys()]).toEqual(['match.demo', 'frag-1.demo']);
  });

  // The first chat lines are at the ticks 8900, 9000, 9000 and 9100, the last one is at 11702.
  it.each([
    ['3', 9000],
    ['4', 9100],
    ['last', 11702],
  ])('cuts around one event: chat line %s', async (which, tick) => {
    const { files } = await slice(`match.demo --around chat:/./:${which} --before 0 --after 0 -o one.demo`);
    expect(contentsOf(files.get('one.demo')!).ticks).toEqual([tick]);
  });

  it("cuts around a player's kills", async () => {
    const { stdout } = await slice('match.demo --around kill --player corpus -o k-%d.demo');
    expect(stdout.match(/corpus killed by (self|the game)\n/g)).toHaveLength(2);
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
  });

  it('cuts around chat messages, separately or into one demo', async () => {
    const each = await slice('match.demo --around chat:/./ --before 1 --after 1 -o chat-%d.demo');
    expect(each.status).toBe(0);
    const demos = [...each.files.keys()].filter((name) => name.startsWith('chat-'));
    expect(demos.length).toBeGreaterThan(1);
    expect(each.stdout.match(/^chat-/gm)!.length).toBe(demos.length);
    const joined = await slice('match.demo --around chat:/./ --join -o chat.demo');
    expect([...joined.files.keys()]).toEqual(['match.demo', 'chat.demo']);
    expect(contentsOf(joined.files.get('chat.demo')!).diagnostics).toEqual([]);
  });

  it('--join closes the gaps: ticks, items and markers of the later ranges are moved', async () => {
    const marked = await runWriting('edit match.demo --marker +9000 --marker +11000 -o marked.demo', {
      'match.demo': demo(),
    });
    const { status, files } = await slice('marked.demo --around marker --before 1 --after 1 --join -o both.demo', {
      'marked.demo': marked.files.get('marked.demo')!,
    });
    expect(status).toBe(0);
    const { ticks, header, snapshots, diagnostics } = contentsOf(files.get('both.demo')!);
    const whole = contentsOf(demo());
    const [first, second] = [9000, 11000].map((at) => whole.ticks.filter((tick) => tick >= at - 50 && tick <= at + 50));
    const by = first!.at(-1)! + 1 - second![0]!;
    expect(diagnostics).toEqual([]);
    expect(ticks).toEqual([...first!, ...second!.map((tick) => tick + by)]);
    expect(header.markers).toEqual([9000, 11000 + by]);
    const places = (snapshot: Snapshot) =>
      [...snapshot].filter(({ type }) => type === 10).map(({ id, data }) => [id, data[1], data[2]]);
    for (const [tick, { snapshot }] of snapshots) {
      const own = whole.snapshots.get(tick > 9050 ? tick - by : tick);
      if (own) expect(places(snapshot), `tick ${tick}`).toEqual(places(own.snapshot));
    }
  });

  it('writes to standard output, and its messages to standard error', async () => {
    const { status, bytes, stderr } = await slice('- --ticks 9072..9471 -o -', {}, demo());
    expect(status).toBe(0);
    expect(Buffer.compare(bytes, slices(demo(), [[{ from: 9072, to: 9471 }]])[0]!)).toBe(0);
    expect(stderr).toMatch(/^tw-snap: standard output {3}0:07\.96 {3}ticks 9072 to 9470 /);
  });

  it.each([
    ['match.demo -o cut.demo', 2, 'choose what to cut out'],
    ['match.demo --ticks 1..2 --around kill -o cut.demo', 2, 'choose what to cut out'],
    ['match.demo --ticks 9072..9472', 2, 'name the file to write with -o'],
    ['match.demo --ticks 1..2 -o cut.demo', 2, 'no snapshot in these ticks: it has 8898 to 11782'],
    ['match.demo --ticks 9472..9072 -o cut.demo', 2, 'ends before it begins; did you mean 9072..9472?'],
    ['match.demo --ticks 9072..9472 --join -o cut.demo', 2, '--join requires --around'],
    ['match.demo --ticks 9072..9472 --player corpus -o cut.demo', 2, '--player requires --around'],
    ['match.demo --around kill --player nobody -o cut.demo', 1, 'there is 0 corpus, 1 stress2, 2 stress3'],
    ['match.demo --around lunch -o cut.demo', 2, "no event 'lunch'"],
    ['match.demo --around chat:/(/ -o cut.demo', 2, 'is no regular expression'],
    ['match.demo --around kill:0 -o cut.demo', 2, 'the first is number 1'],
    ['match.demo --around finish:last -o cut.demo', 3, 'there is no finish:last'],
    ['match.demo --around chat:/./:99 -o cut.demo', 3, 'there is no chat:/./:99; the last is number 33'],
    ['match.demo --around finish -o cut.demo', 3, 'there is no finish'],
    ['match.demo --around chat:/./ -o cut.demo', 2, 'name them with %d'],
    ['match.demo --ticks noon.. -o cut.demo', 2, 'a tick, a time as 0:30 or 90s'],
    ['match.demo --ticks 0:40..last-50s -o cut.demo', 2, 'the range ends before it begins: 10898..9282'],
    ['no.demo --ticks 1..2 -o cut.demo', 3, 'no such file'],
    ['first.huff --ticks 1..2 -o cut.demo', 3, 'this is not a demo'],
  ])('%s ends with status %i: %s', async (args, expected, words) => {
    const { status, stderr, files } = await slice(args, { 'match.demo': demo(), 'first.huff': read('first.huff') });
    expect([status, stderr]).toEqual([expected, expect.stringContaining(words)]);
    expect([...files.keys()]).toEqual(['match.demo', 'first.huff']);
  });

  it('leaves out ticks that damage makes uncertain, reports this, and exits 3', async () => {
    const file = demo();
    const whole = contentsOf(file);
    // The size of a chunk is among them, so the framing is lost.
    file.fill(0xff, 30_010, 30_014);
    const { status, stderr, files } = await slice('match.demo --ticks 0.. -o cut.demo', {
      'match.demo': file,
    });
    expect(status).toBe(3);
    expect(stderr).toContain('match.demo: damaged; left out:');
    const cut = contentsOf(files.get('cut.demo')!);
    expect(cut.diagnostics).toEqual([]);
    expect(cut.snapshots.size).toBeLessThan(whole.snapshots.size);
    // The damage is in the delta of tick 10094; tick 10158 has the next full snapshot.
    expect(stderr).toContain('10094 to 10157');
    const lost = await slice('match.demo --ticks 10100..10150 -o cut.demo', { 'match.demo': file });
    expect([lost.status, lost.stderr]).toEqual([3, expect.stringContaining('in that range that can be read')]);
    const late = await slice('match.demo --ticks 20000.. -o cut.demo', { 'match.demo': file });
    expect([late.status, late.stderr]).toEqual([3, expect.stringContaining('in that range that can be read')]);
    const before = await slice('match.demo --ticks 9000..9200 -o cut.demo', { 'match.demo': file });
    expect([before.status, before.stderr]).toEqual([0, '']);
  });
});

it('keeps the messages of the first tick, although they come before its snapshot', async () => {
  const file = rewritten(demo(), (writer, chunk, payload) => {
    // The first full snapshot is of tick 8898.
    if (chunk !== 'snapshot 1') return false;
    const { bytes } = contentsOf(demo()).messages.find(({ name }) => name === 'sv_chat')!;
    writer.chunk('message', writer.encode(new Int32Array(bytes.slice().buffer)));
    writer.chunk('snapshot', payload);
    return true;
  });
  const names = (bytes: Uint8Array) =>
    contentsOf(bytes)
      .messages.filter(({ tick }) => tick <= 9000)
      .map(({ name }) => name);
  const { status, files } = await slice('match.demo --ticks 8898..9000 -o cut.demo', { 'match.demo': file });
  expect(status).toBe(0);
  expect(names(file)).toContain('sv_chat');
  expect(names(files.get('cut.demo')!).sort()).toEqual(names(file).sort());
});

it('a message of tick 0 that cannot be read is lost from a range that ends there', async () => {
  const file = rewritten(demo(), (writer, chunk) => {
    if (chunk === 'snapshot 1') writer.chunk('message', new Uint8Array(20).fill(0x55));
    return false;
  }).slice();
  // After the map, at 7229, is the mark of the first tick.
  new DataView(file.buffer).setInt32(7230, 0);
  const { status, stderr } = await slice('match.demo --ticks 0..0 -o cut.demo', { 'match.demo': file });
  expect([status, stderr]).toEqual([3, expect.stringContaining("1 message that can't be read")]);
});
