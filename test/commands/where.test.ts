import { describe, expect, it } from 'vitest';
import { recordsOf, run as runLine, runWriting } from '../support/run.ts';
import { read } from '../support/samples.ts';

const files = {
  'm.demo': read('vanilla-dm1.demo'),
  'r.demo': read('ddnet-race-player.demo'),
  'a.pcap': read('ddnet-ipv6.pcap'),
};
const run = (...line: string[]) => runLine(line, files, { hasNoProgram: true });

interface Item {
  readonly name: string;
  readonly id: number;
  readonly fields: Readonly<Record<string, number>>;
}
interface Dumped {
  readonly record: string;
  readonly tick: number;
  readonly name: string;
  readonly client?: string;
  readonly fields: Readonly<Record<string, number | string>>;
  readonly items?: readonly Item[];
}

const whole = new Map<string, readonly Dumped[]>();
async function dumped(file: string): Promise<readonly Dumped[]> {
  if (!whole.has(file)) whole.set(file, recordsOf((await run('dump', file, '-t', 'ndjson')).stdout));
  return whole.get(file)!;
}

/** The items and messages of a dump, each with its tick. */
const contentsOf = (records: readonly Dumped[]) =>
  records.flatMap(({ record, tick, name, fields, items = [] }) => {
    if (record === 'message') return [JSON.stringify([tick, name, fields])];
    return record === 'snapshot' ? items.map((item) => JSON.stringify([tick, item.name, item.id, item.fields])) : [];
  });

/** The same with a test of its own, on what dump prints without a query. */
async function expected(file: string, isItem: (item: Item) => boolean, isMessage = (_: Dumped) => false) {
  const records = (await dumped(file)).map((record) => ({ ...record, items: record.items?.filter(isItem) ?? [] }));
  return contentsOf(
    records.filter((record) => record.record === 'snapshot' || (record.record === 'message' && isMessage(record))),
  );
}

const character = ({ name }: Item) => name === 'obj_character';
const flagsOf = ({ fields }: Item) => fields.player_flags ?? 0;

describe('dump --where selects what a test of the printed values selects', () => {
  it.each<[string, string, (item: Item) => boolean, ((record: Dumped) => boolean)?]>([
    ['m.demo', 'obj_character x>800 y<700', (item) => character(item) && item.fields.x! > 800 && item.fields.y! < 700],
    ['m.demo', 'obj_character weapon=grenade', (item) => character(item) && item.fields.weapon === 3],
    ['m.demo', 'obj_character not weapon=grenade', (item) => character(item) && item.fields.weapon !== 3],
    ['m.demo', 'obj_character weapon!=grenade', (item) => character(item) && item.fields.weapon !== 3],
    [
      'm.demo',
      'obj_character (x>1500 or y>1000) vel_x<0',
      (item) => character(item) && (item.fields.x! > 1500 || item.fields.y! > 1000) && item.fields.vel_x! < 0,
    ],
    ['m.demo', 'character/1', (item) => character(item) && item.id === 1],
    // corpus has the number 0, stress2 the number 1 throughout.
    ['m.demo', 'obj_character id=corpus', (item) => character(item) && item.id === 0],
    ['m.demo', 'obj_character player=STRESS2', (item) => character(item) && item.id === 1],
    ['m.demo', 'obj_character hooked_player=stress3', (item) => character(item) && item.fields.hooked_player === 2],
    [
      'm.demo',
      'obj_pickup type=4 or obj_flag',
      ({ name, fields }) => name === 'obj_flag' || (name === 'obj_pickup' && fields.type === 4),
    ],
    [
      'm.demo',
      'sv_chat message~hello',
      () => false,
      ({ name, fields }) => name === 'sv_chat' && String(fields.message).includes('hello'),
    ],
    [
      'm.demo',
      'sv_killmsg weapon=grenade',
      () => false,
      ({ name, fields }) => name === 'sv_killmsg' && fields.weapon === 3,
    ],
    [
      'm.demo',
      'sv_killmsg victim=corpus',
      () => false,
      ({ name, fields }) => name === 'sv_killmsg' && fields.victim === 0,
    ],
    ['m.demo', 'x>2000', ({ fields }) => fields.x! > 2000],
    ['m.demo', 'sv_emoticon or obj_flag', ({ name }) => name === 'obj_flag', ({ name }) => name === 'sv_emoticon'],
    ['r.demo', 'ddnet_player', ({ name }) => name === 'ddnet_player'],
    [
      'r.demo',
      'ddnet_character freeze_end>0',
      ({ name, fields }) => name === 'ddnet_character' && fields.freeze_end! > 0,
    ],
    ['r.demo', 'obj_character player_flags=playing', (item) => character(item) && (flagsOf(item) & 1) === 1],
    ['a.pcap', 'obj_character x>0', (item) => character(item) && item.fields.x! > 0],
    ['a.pcap', 'sv_tuneparams or sv_motd', () => false, ({ name }) => name === 'sv_tuneparams' || name === 'sv_motd'],
  ])('%s %s', async (file, query, isItem, isMessage) => {
    const { status, stdout } = await run('dump', file, '-t', 'ndjson', '--where', query);
    const found = contentsOf(stdout === '' ? [] : recordsOf(stdout));
    expect(status).toBe(found.length > 0 ? 0 : 1);
    expect(found).toEqual(await expected(file, isItem, isMessage));
  });

  it('changed: what differs from the snapshot before, not what was not there', async () => {
    for (const file of ['m.demo', 'a.pcap']) {
      let before = new Map<string, number>();
      const changes: string[] = [];
      for (const { record, tick, items } of await dumped(file)) {
        if (record !== 'snapshot' || !items) continue;
        const now = new Map(items.filter(character).map(({ id, fields }) => [String(id), fields.weapon!]));
        for (const [id, weapon] of now) if (before.has(id) && before.get(id) !== weapon) changes.push(`${tick} ${id}`);
        before = now;
      }
      const { stdout } = await run('dump', file, '-t', 'ndjson', '--where', 'obj_character changed weapon');
      const records = recordsOf(stdout) as Dumped[];
      const found = records.flatMap(({ tick, items }) => items?.map(({ id }) => `${tick} ${id}`) ?? []);
      expect(found, file).toEqual(changes);
    }
  });
});

it('a query about events prints events, as --events does', async () => {
  const all = recordsOf((await run('dump', 'm.demo', '--events', '-t', 'ndjson')).stdout);
  const kills = all.filter(({ event, fields }) => event === 'kill' && fields.victim?.name === 'corpus');
  expect(kills).toHaveLength(2);
  expect(recordsOf((await run('dump', 'm.demo', '-t', 'ndjson', '--where', 'kill victim=corpus')).stdout)).toEqual(
    kills,
  );
  const text = await run('dump', 'm.demo', '--where', 'kill victim=corpus');
  expect(text.stdout).toContain('10260   0:27.24   corpus killed by self');
  const fired = recordsOf((await run('dump', 'm.demo', '-t', 'ndjson', '--where', 'fire weapon=grenade')).stdout);
  expect(new Set(fired.map(({ event, fields }) => `${event} ${fields.weapon}`))).toEqual(new Set(['fire 3']));
});

describe('the other commands', () => {
  it.each(['stats m.demo', 'export m.demo -o out'])('%s refuses a query that is about events alone', async (line) => {
    const { status, stderr } = await run(...line.split(' '), '--where', 'join');
    expect([status, stderr]).toEqual([2, expect.stringContaining('the query is about events alone')]);
  });

  it('stats counts what is selected, and the rest as unselected', async () => {
    const [selected] = JSON.parse(
      (await run('stats', 'm.demo', '-t', 'json', '--where', 'obj_character weapon=grenade')).stdout,
    );
    const [all] = JSON.parse((await run('stats', 'm.demo', '-t', 'json')).stdout);
    expect(selected.items.map(({ name }: Item) => name)).toEqual(['obj_character']);
    expect(selected.file_bytes).toBe(all.file_bytes);
  });

  it('export writes the rows of dump', async () => {
    const query = 'obj_character weapon=grenade';
    const single = await run('export', 'm.demo', '--tables', 'obj_character', '-t', 'csv', '--where', query);
    const rows = single.stdout.trimEnd().split('\n').length - 1;
    expect(rows).toBe((await expected('m.demo', (item) => character(item) && item.fields.weapon === 3)).length);
    const kills = await run(
      'export',
      'm.demo',
      '--tables',
      'kills',
      '-t',
      'ndjson',
      '--where',
      'sv_killmsg weapon=grenade',
    );
    expect(recordsOf(kills.stdout).map(({ tick }) => tick)).toEqual([9322]);
  });

  it('info lists the recordings in which something is found', async () => {
    const listed = async (query: string) =>
      recordsOf((await run('info', 'm.demo', 'r.demo', 'a.pcap', '-t', 'ndjson', '--where', query)).stdout).map(
        ({ file }) => file,
      );
    expect(await listed('kill victim=corpus')).toEqual(['m.demo']);
    expect(await listed('ddnet_character')).toEqual(['r.demo', 'a.pcap']);
    expect(await listed('obj_character')).toEqual(['m.demo', 'r.demo', 'a.pcap']);
  });

  it('slice cuts around all that is selected', async () => {
    const line = [
      'slice',
      'm.demo',
      '--where',
      'obj_character weapon=grenade',
      '--before',
      '1s',
      '--after',
      '1s',
      '-o',
      'cut-%d.demo',
    ];
    const { files: written, status } = await runWriting(line, files);
    expect(status).toBe(0);
    const ticks = (await dumped('m.demo'))
      .filter(({ items }) => items?.some((item) => character(item) && item.fields.weapon === 3))
      .map(({ tick }) => tick);
    const cuts = [...written].filter(([path]) => path.startsWith('cut-'));
    // A gap of more than two seconds and a tick divides.
    const gaps = ticks.filter((tick, i) => i > 0 && tick - 50 > ticks[i - 1]! + 51).length;
    expect(cuts).toHaveLength(1 + gaps);
    const { stdout } = await runLine('info cut-1.demo -t json', { 'cut-1.demo': cuts[0]![1] });
    const [info] = JSON.parse(stdout);
    expect(info.first_tick).toBe(ticks[0]! - 50);
  });

  it('report searches for it at first', async () => {
    expect((await run('report', 'm.demo', '--where', 'kill victim=corpus')).status).toBe(0);
    expect((await run('report', 'm.demo', '--where', 'kill kilr=corpus')).stderr).toContain('did you mean killer?');
  });
});

describe('an error points at what is wrong', () => {
  it.each([
    ['obj_character wepon=ninja', "obj_character has no field 'wepon'; did you mean weapon?", '                ^^^^^'],
    ['obj_charcter', "no item, message or event 'obj_charcter'; did you mean obj_character?", '  ^^^^^^^^^^^^'],
    ['weapon=nina', "weapon is never 'nina'; did you mean ninja?", '         ^^^^'],
    ['obj_character x=left', "x is never 'left'; it is a number", '                  ^^^^'],
    ['weapon>ninja', "> needs a number, not 'ninja'", '         ^^^^^'],
    ['sv_chat x>1', "sv_chat has no field 'x'", '          ^'],
    ['weapon', "no item, message or event 'weapon'; it is a field: weapon=VALUE, or changed weapon", '  ^^^^^^'],
    ['sv_killmsg changed weapon', 'changed is for fields of items; sv_killmsg is none', '             ^^^^^^^^^^^^^^'],
    ['obj_character changed wepon', "obj_character has no field 'wepon'", '                        ^^^^^'],
    ['obj_character sv_chat', 'nothing is all of these', '  ^^^^^^^^^^^^^^^^^^^^^'],
    ['(obj_flag', 'the bracket has no end', '  ^'],
  ])('%s', async (query, message, mark) => {
    const { status, stderr, stdout } = await run('dump', 'm.demo', '--where', query);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr.split('\n')[0]).toContain(`tw-snap: --where: ${message}`);
    expect(stderr.split('\n').slice(1)).toEqual([`  ${query}`, mark, '']);
  });
});
