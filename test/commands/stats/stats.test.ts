import { describe, expect, it } from 'vitest';
import { samplePcap } from '../../support/corpus.ts';
import { linesOf, run } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

const files = { 'a.demo': read('vanilla-dm1.demo'), 'b.demo': read('ddnet-race-player.demo'), 'a.pcap': samplePcap() };

const stats = (line: string, more = {}) => run(`stats ${line}`, { ...files, ...more });

interface Report {
  readonly bits: number;
  readonly items: { readonly bits: number; readonly fields: { readonly bits: number }[] }[];
  readonly messages: { readonly bits: number }[];
  readonly parts: { readonly bits: number }[];
  readonly players: { readonly bits: number }[];
  readonly per_second: { readonly bits: number }[];
}

const sum = (rows: readonly { readonly bits: number }[]) => rows.reduce((all, { bits }) => all + bits, 0);

describe('as JSON', () => {
  it.each([
    ['a.demo', 63_112],
    ['b.demo', 28_427],
    ['a.demo --type obj_character', 63_112],
  ])('%s: everything adds up to its bytes', async (line, bytes) => {
    const { status, stdout } = await stats(`${line} -t json`);
    const [report] = JSON.parse(stdout) as [Report];
    expect(status).toBe(0);
    expect(report).toMatchObject({ file: line.slice(0, 6), format: 'demo', size: bytes, bytes, bits: 8 * bytes });
    expect(sum([...report.items, ...report.messages, ...report.parts])).toBe(8 * bytes);
    expect(sum(report.items.flatMap(({ fields }) => fields))).toBe(sum(report.items));
    expect(sum(report.players)).toBe(sum(report.items));
    // Header and map do not belong to any second.
    expect(sum(report.per_second)).toBeLessThan(report.bits);
  });

  it('counts the packets of a capture by direction, and snapshots per second', async () => {
    const report = JSON.parse((await stats('a.pcap -t json')).stdout)[0];
    expect(report).toMatchObject({
      format: 'pcap',
      packets: { to_client: { count: 451 }, to_server: { count: 333 }, other: { count: 2 } },
      most: { items: { value: 26, limit: 1024, client: '[::1]:29911' }, delta_bytes: { part: 900, parts: 1 } },
      rates: [
        { mode: 'init', per_second: 5 },
        { mode: 'full', per_second: 25 },
      ],
    });
    expect(sum(report.per_second)).toBe(report.bits);
  });
});

describe('as CSV', () => {
  const columnOf = (text: string, name: string) => {
    const [head, ...rows] = linesOf(text).map((line) => line.split(','));
    return rows.map((row) => Number(row[head!.indexOf(name)]));
  };
  const total = (column: readonly number[]) => column.reduce((all, value) => all + value, 0);

  it('by type adds up to the whole', async () => {
    const { stdout } = await stats('a.demo -t csv');
    expect(total(columnOf(stdout, 'bits'))).toBe(8 * 63_112);
  });

  it('by field, player and second has a table of its own', async () => {
    const [fields, players, seconds] = await Promise.all(
      ['field', 'player', 'second'].map(async (by) => (await stats(`a.demo --by ${by} -t csv`)).stdout),
    );
    expect(total(columnOf(fields!, 'bits'))).toBe(total(columnOf(players!, 'bits')));
    expect(fields).toMatch(/^file,item,field,sent,changed,bits\na\.demo,obj_/);
    expect(players).toContain('a.demo,1,stress2,');
    expect(columnOf(seconds!, 'second')).toEqual(Array.from({ length: 58 }, (_, second) => second));
  });

  it.each(['type', 'field', 'player', 'player-field', 'second'])(
    'by %s has a cell for each column in every row',
    async (by) => {
      const { stdout } = await stats(`a.demo a.pcap --by ${by} -t csv`);
      const [head, ...rows] = stdout.trimEnd().split('\n');
      const cells = (line: string) => line.split(',').length;
      // These names contain no commas.
      expect([...new Set(rows.map(cells))]).toEqual([cells(head!)]);
    },
  );
});

describe('as a table', () => {
  it('prints how many rows are left out', async () => {
    const { stdout } = await stats('a.demo --top 2');
    expect(stdout).toMatch(/obj_character .*\n.*obj_de_client_info .*\n {4}11 more /);
  });

  it('covers only the selected ticks', async () => {
    const { stdout } = await stats('a.demo --ticks 9000..9100');
    expect(stdout).not.toContain('file header');
    expect(stdout).toMatch(/^a\.demo {3}demo, [\d,]+ of 63,112 bytes, 0:02\.00, 50 snapshots\n/);
    const none = await stats('a.demo --ticks 1..2');
    expect([none.status, none.stderr]).toEqual([
      2,
      'tw-snap: a.demo: no snapshot in these ticks: it has 8898 to 11782\n',
    ]);
  });
});

describe('refused and damaged input', () => {
  it('a damaged demo is reported after the counts of its readable part', async () => {
    const cut = files['a.demo'].slice(0, 40_000);
    const { status, stdout, stderr } = await stats('cut.demo', { 'cut.demo': cut });
    expect(status).toBe(3);
    expect(stdout).toContain('40,000 bytes');
    expect(stdout).toMatch(/obj_character +[\d,]+ /);
    expect(stderr).toMatch(/^tw-snap: cut\.demo: .*truncated_chunk/);
  });

  it('a damaged file does not prevent the counts of the others', async () => {
    const { status, stdout, stderr } = await stats('none.demo a.demo');
    expect(status).toBe(3);
    expect(stdout).toContain('a.demo   demo');
    expect(stderr).toContain('none.demo');
  });

  it('a single snapshot is refused', async () => {
    const { status, stderr } = await stats('one.huff', { 'one.huff': read('first.huff') });
    expect([status, stderr]).toEqual([3, expect.stringContaining('not a demo or capture')]);
  });

  it('a client that is not in the capture, and --top 0 are refused', async () => {
    expect(await stats('a.pcap --client 1.2.3.4:5')).toMatchObject({ status: 2 });
    expect(await stats('a.demo --top 0')).toMatchObject({ status: 2 });
  });
});

describe('stats --player', () => {
  const json = async (options: string) =>
    JSON.parse((await run(`stats m.demo -t json ${options}`, { 'm.demo': read('vanilla-dm1.demo') })).stdout)[0];

  it('counts the items of a player as --by player does, and the rest as unselected', async () => {
    const [single, all] = [await json('--player corpus'), await json('')];
    const of = (stats: typeof all) => stats.players.find(({ name }: { name: string }) => name === 'corpus');
    expect(of(single)).toEqual(of(all));
    expect(single.players.map(({ name }: { name: string }) => name)).toEqual(['corpus', null]);
    expect(single.bits).toBe(all.bits);
    expect(single.messages.find(({ name }: { name: string }) => name === 'sv_chat').times).toBe(3);
  });

  it('counts the fields of each player, as --player alone does', async () => {
    const all = await json('--by player-field');
    for (const { name, items, bits } of all.players) {
      expect(items.reduce((sum: number, item: { bits: number }) => sum + item.bits, 0)).toBe(bits);
      if (!['corpus', 'stress2'].includes(name)) continue;
      // Of a player alone removed items are counted, too, and events about him: here they belong to no player.
      const alone = (await json(`--player ${name}`)).items.map((item: object) => ({ ...item, removed: 0 }));
      expect(items).toEqual(
        alone.filter((item: { name: string; sent: number }) => item.sent > 0 && !item.name.startsWith('event_')),
      );
    }
    const csv = (await run('stats m.demo --by player-field -t csv', { 'm.demo': read('vanilla-dm1.demo') })).stdout;
    const bits = csv
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => Number(line.split(',')[7]));
    const items = all.items.reduce((sum: number, item: { bits: number }) => sum + item.bits, 0);
    expect(bits.reduce((sum, value) => sum + value, 0)).toBe(items);
  });

  it('names the players for a name that nobody has', async () => {
    const { status, stderr } = await run('stats m.demo --player nobody', { 'm.demo': read('vanilla-dm1.demo') });
    expect([status, stderr]).toEqual([1, expect.stringContaining('there is 0 corpus, 1 stress2, 2 stress3')]);
  });
});
