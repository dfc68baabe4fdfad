import { describe, expect, it } from 'vitest';
import { main } from '../../commands/index.ts';
import type { DemoWriter } from '../../src/recording/container/demo/demo-writer.ts';
import { contentsOf, differingTicks, rewritten } from '../support/edit.ts';
import { fakeIo } from '../support/fake-io.ts';
import { runWriting } from '../support/run.ts';
import { read } from '../support/samples.ts';

const demo = () => read('vanilla-dm1.demo');
const map = () => demo().slice(436, 436 + 6793);

async function edit(line: string, file = demo(), more: Record<string, Uint8Array> = {}) {
  const { files, ...rest } = await runWriting(`edit match.demo ${line}`, { 'match.demo': file, ...more });
  return { ...rest, out: files.get('out.demo')! };
}

const editOut = (line: string, file?: Uint8Array, more?: Record<string, Uint8Array>) =>
  edit(`${line} -o out.demo`, file, more);

describe('edit', () => {
  it('without options writes the same bytes', async () => {
    const { status, stdout, out } = await editOut('');
    expect([status, stdout]).toEqual([0, 'out.demo   0:57.68   ticks 8898 to 11782   1,369 snapshots   63.1 KB\n']);
    expect(Buffer.compare(out, demo())).toBe(0);
  });

  it('strips and renames, and prints how much was changed', async () => {
    const { status, stdout } = await editOut('--strip chat,sv_team --rename stress2=rival');
    expect(status).toBe(0);
    expect(stdout).toContain('left out: 33 sv_chat, 2 sv_team\nrenamed: stress2 → rival\n');
  });

  it('exits 1 where a name is not found', async () => {
    const { status, stdout } = await editOut('--rename noone=x');
    expect([status, stdout]).toEqual([1, expect.stringContaining('not found: no player has the name noone')]);
  });

  it('leaves out a message that cannot be read, reports it, and exits 3', async () => {
    const damaged = rewritten(demo(), (writer, chunk) => {
      if (chunk !== 'message 20') return false;
      writer.chunk('message', new Uint8Array(20).fill(0x55));
      return true;
    });
    const messages = contentsOf(demo()).messages.length;
    const { status, stderr, out } = await editOut('', damaged);
    expect([status, stderr]).toEqual([
      3,
      "tw-snap: match.demo: damaged; left out:\ntw-snap:   lost   1 message that can't be read\n",
    ]);
    expect(contentsOf(out).messages.length).toBe(messages - 1);
    const io = fakeIo({ files: { 'match.demo': damaged } });
    // Message 20 of the sample is of tick 10200.
    expect(await main(['slice', 'match.demo', '--ticks', '10000..10400', '-o', 'cut.demo'], io)).toBe(3);
    expect(await main(['slice', 'match.demo', '--ticks', '9000..9200', '-o', 'other.demo'], io)).toBe(0);
  });

  it('renames a player whose name begins with =, or has one in it', async () => {
    const { out } = await editOut('--rename stress2==HY');
    const io = fakeIo({ files: { 'in.demo': out } });
    const change = (name: string, from: string, to: string) => main(['edit', from, '--rename', name, '-o', to], io);
    expect(await change('=HY=a=b', 'in.demo', 'second.demo')).toBe(0);
    expect(await change('a\\=b=stress2', 'second.demo', 'last.demo')).toBe(0);
    expect(differingTicks(contentsOf(io.files.get('last.demo')!), contentsOf(demo()), 'any order')).toEqual([]);
    expect(await change('=z', 'in.demo', 'out.demo')).toBe(2);
  });

  it('anonymises, and prints what was left unchanged', async () => {
    const { status, stdout, out } = await editOut('--anonymise');
    expect(status).toBe(0);
    expect(stdout).toContain('anonymised: 3 players');
    expect(stdout).toContain('not touched: skins, colours and countries');
    expect(contentsOf(out).diagnostics).toEqual([]);
  });

  it.each(['--except corpus', '--rename corpus=corpus'])('anonymises all others with %s', async (kept) => {
    const { status, stdout, out } = await editOut(`--anonymise ${kept}`);
    expect(status).toBe(0);
    expect(stdout).toContain('anonymised: 2 players');
    expect(stdout).not.toContain('renamed');
    const { stdout: info } = await runWriting('info out.demo', { 'out.demo': out });
    expect(info).toMatch(/players +corpus, player 2, player 3/);
  });

  it('removes the map, and adds one', async () => {
    const { out: without } = await editOut('--map none');
    expect(without.length).toBe(demo().length - 6793);
    expect(contentsOf(without).header).toMatchObject({ mapName: 'dm1', mapSize: 0, mapCrc: 0x64548818 });
    const { out } = await editOut('--map maps/dm1.map', without, { 'maps/dm1.map': map() });
    expect(Buffer.compare(out, demo())).toBe(0);
  });

  it('adds and removes markers, or sets markers at events', async () => {
    const { out } = await editOut('--marker +9000 --marker +9300');
    expect(contentsOf(out).header.markers).toEqual([9000, 9300]);
    const { out: removed } = await editOut('--marker -9000', out);
    expect(contentsOf(removed).header.markers).toEqual([9300]);
    const { out: none } = await editOut('--markers none', out);
    expect(Buffer.compare(none, demo())).toBe(0);
    // stress3 kills itself at 9322 with a grenade, corpus without a weapon at 10260, and the game kills corpus at 11122.
    const { out: atKill } = await editOut('--markers at:kill');
    expect(contentsOf(atKill).header.markers).toEqual([9322, 10260, 11122]);
    const { out: byPlayers } = await editOut('--markers at:kill:by-player');
    expect(contentsOf(byPlayers).header.markers).toEqual([]);
  });

  it('says that version 3 has no markers', async () => {
    const { out } = await editOut('--marker +9000 --marker +9300');
    const { status, stderr } = await edit('--demo-version 3 -o out.demo', out);
    expect([status, stderr]).toEqual([0, 'tw-snap: out.demo: 2 markers left out: version 3 of the format has none\n']);
  });

  it.each(['3', '5', '6'])('writes version %s of the format, and back', async (version) => {
    const { status, out } = await editOut(`--demo-version ${version}`);
    expect(status).toBe(0);
    const [now, whole] = [contentsOf(out), contentsOf(demo())];
    expect(now.diagnostics).toEqual([]);
    expect(now.header.version).toBe(Number(version));
    // sha256sum of the map.
    const sha256 = '491af17a510214506270904f147a4c30ae0a85b91bb854395bef8c397fc078c3';
    expect(now.header.sha256).toBe(version === '6' ? sha256 : undefined);
    expect([now.ticks, now.messages]).toEqual([whole.ticks, whole.messages]);
    const { out: back } = await editOut('--demo-version 4', out);
    expect(Buffer.compare(back, demo())).toBe(0);
  });

  it('sets the time of the recording', async () => {
    const { out } = await editOut('--timestamp 2020-01-02_03-04-05');
    expect(contentsOf(out).header.timestamp).toBe('2020-01-02_03-04-05');
    const { out: now } = await editOut('--timestamp now');
    expect(contentsOf(now).header.timestamp).toMatch(/^20\d\d-\d\d-\d\d_\d\d-\d\d-\d\d$/);
  });

  it('writes to standard output where the header is known at the beginning', async () => {
    const { status, bytes } = await edit('-o -');
    expect(status).toBe(0);
    expect(Buffer.compare(bytes, demo())).toBe(0);
  });

  it.each([
    ['--strip lunch -o out.demo', 2, "no message or group 'lunch'"],
    ['--rename lunch -o out.demo', 2, 'OLD=NEW'],
    ['--rename a=sixteen-bytes-or-more -o out.demo', 2, 'at most 15 bytes'],
    ['--marker 9000 -o out.demo', 2, '+TICK or -TICK'],
    ['--marker -9000 -o out.demo', 2, 'there is no marker at tick 9000'],
    ['--markers at:lunch -o out.demo', 2, "--markers: no event 'lunch'"],
    ['--timestamp today -o out.demo', 2, '--timestamp expects now'],
    ['--demo-version 7 -o out.demo', 2, 'Allowed choices'],
    ['--map none --demo-version 6 -o out.demo', 2, 'add --map FILE'],
    ['--map match.demo -o out.demo', 3, 'this is not a map'],
    ['--markers at:kill -o -', 2, 'the header is known only at the end'],
    ['', 2, 'name the file to write'],
  ])('%s ends with status %i: %s', async (args, expected, words) => {
    const { status, stderr, out } = await edit(args);
    expect([status, stderr, out?.length]).toEqual([expected, expect.stringContaining(words), undefined]);
  });
});

describe('of a damaged demo', () => {
  /** The sample with `change` at its chunk of this name: 'delta 50' is of the 51st snapshot. */
  const changedAt = (name: string, change: (writer: DemoWriter, payload: Uint8Array) => void) =>
    rewritten(demo(), (writer, chunk, payload) => {
      if (chunk !== name) return false;
      change(writer, payload);
      return true;
    });
  const damage = new Uint8Array(20).fill(0x55);

  it('a message keeps its tick although the snapshot of that tick is lost', async () => {
    const message = contentsOf(demo()).messages[0]!;
    const file = changedAt('delta 50', (writer) => {
      writer.chunk('delta', damage);
      writer.chunk('message', writer.encode(new Int32Array(message.bytes.slice().buffer)));
    });
    const lost = [...contentsOf(demo()).snapshots.keys()][50]!;
    const { status, out } = await editOut('', file);
    expect(status).toBe(3);
    const { ticks, messages } = contentsOf(out);
    expect(messages.map(({ tick }) => tick)).toEqual(contentsOf(file).messages.map(({ tick }) => tick));
    expect(messages.map(({ tick }) => tick)).toContain(lost);
    expect(ticks).toContain(lost);
  });

  it('a cut map, or a negative size of it, leaves a demo that can be read', async () => {
    const cut = await editOut('', demo().slice(0, 1000));
    expect([cut.status, cut.out]).toEqual([3, undefined]);
    const negative = demo();
    new DataView(negative.buffer).setInt32(136, -5);
    const { status, out } = await editOut('', negative);
    // The map's own header has its size, and the chunks begin after it: nothing is lost.
    expect(status).toBe(0);
    expect(contentsOf(out)).toMatchObject({ diagnostics: [], header: { mapSize: contentsOf(demo()).header.mapSize } });
  });
});
