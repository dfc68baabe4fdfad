import { describe, expect, it } from 'vitest';
import { linesOf, recordsOf, runWriting } from '../support/run.ts';
import { read } from '../support/samples.ts';

/*
 * Kinds × formats × commands: for each kind of thing that a recording has, every command that searches or selects, in
 * every format, has rows or refuses with a reason. A third thing, an empty output without a word, looks like a
 * recording without that kind.
 */
const files = {
  'a.pcap': read('vanilla-ctf-timeout.pcap'),
  'i.pcap': read('ddnet-ipv6.pcap'),
  'm.demo': read('vanilla-dm1.demo'),
  'r.demo': read('ddnet-race-player.demo'),
};

type File = keyof typeof files;

/** Kinds of items and messages, and the table of export with them. */
const types: readonly (readonly [file: File, type: string, table: string])[] = [
  ['m.demo', 'obj_character', 'obj_character'],
  ['m.demo', 'obj_character', 'positions'],
  ['r.demo', 'ddnet_character', 'ddnet_character'],
  ['a.pcap', 'obj_flag', 'obj_flag'],
  ['m.demo', 'sv_killmsg', 'kills'],
  ['m.demo', 'sv_chat', 'chat'],
  ['m.demo', 'sv_emoticon', 'messages'],
  ['r.demo', 'sv_chat', 'finishes'],
  ['a.pcap', 'map_change', 'messages'],
  ['i.pcap', 'client_version', 'messages'],
];

/** Kinds of events. */
const events: readonly (readonly [file: File, kind: string])[] = [
  ['m.demo', 'kill'],
  ['m.demo', 'chat'],
  ['m.demo', 'change_team'],
  ['m.demo', 'fire'],
  ['m.demo', 'emoticon'],
  ['m.demo', 'death'],
  ['i.pcap', 'jump'],
  ['i.pcap', 'action'],
  ['m.demo', 'action'],
  ['r.demo', 'finish'],
  ['r.demo', 'tune'],
  ['r.demo', 'start_race'],
  ['a.pcap', 'game_phase'],
  ['a.pcap', 'connect'],
  ['a.pcap', 'accept'],
  ['a.pcap', 'enter'],
  ['a.pcap', 'close'],
  ['a.pcap', 'silence'],
  ['a.pcap', 'connection'],
  ['i.pcap', 'announcement'],
];

/** Queries that name no kind, or several. */
const queries: readonly (readonly [file: File, query: string])[] = [
  ['m.demo', 'x>100'],
  ['m.demo', 'corpus'],
  ['m.demo', 'sv_killmsg or obj_character'],
  ['m.demo', 'kill or obj_character'],
  ['m.demo', 'kill or chat'],
  ['m.demo', 'sv_chat text~nice'],
];

/** The lines of standard output below a heading of CSV, or the rows of the files that were written. */
async function rowsOf(words: readonly string[]) {
  const given = new Set(Object.keys(files));
  const { status, stdout, stderr, files: all } = await runWriting(words, files);
  const written = [...all].filter(([path]) => !given.has(path) && !path.endsWith('dictionary.csv'));
  const isCsv = words.includes('csv');
  const lines = stdout === '' ? 0 : linesOf(stdout).length - (isCsv ? 1 : 0);
  return { status, stderr, rows: lines + written.length };
}

/** Rows, or a refusal: a sentence on standard error, and status 2. */
async function isAnswered(words: readonly string[]): Promise<'rows' | 'refused'> {
  const { status, stderr, rows } = await rowsOf(words);
  const what = `${words.join(' ')}\n${status} ${stderr}`;
  if (status === 2) {
    expect(stderr, what).toMatch(/^tw-snap: .{20}/);
    expect(rows, what).toBe(0);
    return 'refused';
  }
  expect(status, what).toBe(0);
  expect(rows, what).toBeGreaterThan(0);
  return 'rows';
}

const dumped = ['text', 'ndjson', 'csv', 'hexdump'];
const counted = ['table', 'markdown', 'json', 'ndjson', 'csv'];
const exported = ['csv', 'ndjson'];

describe.each(types)('of %s: %s, in the table %s', (file, type, table) => {
  const isItem = !/^(sv_|map_|client_)/.test(type);

  it.each(dumped)('dump -t %s', async (format) => {
    expect(await isAnswered(['dump', file, '--type', type, '-t', format])).toBe('rows');
    await isAnswered(['dump', file, '--where', type, '-t', format]);
  });

  it.each(counted)('stats -t %s', async (format) => {
    expect(await isAnswered(['stats', file, '--type', type, '-t', format])).toBe('rows');
    expect(await isAnswered(['stats', file, '--where', type, '-t', format])).toBe('rows');
  });

  it.each(exported)('export -t %s', async (format) => {
    expect(await isAnswered(['export', file, '--tables', table, '-t', format])).toBe('rows');
    expect(await isAnswered(['export', file, '--tables', table, '--where', type, '-t', format])).toBe('rows');
    expect(await isAnswered(['export', file, '--tables', table, '--where', type, '-t', format, '-o', 'out'])).toBe(
      'rows',
    );
  });

  it('slice, report, decode', async () => {
    const out = file.endsWith('.pcap') ? 'out-%d.pcapng' : 'out-%d.demo';
    await isAnswered(['slice', file, '--where', type, '-o', out]);
    expect(await isAnswered(['report', file, '--where', type, '-o', 'out.html'])).toBe('rows');
    // A snapshot has items alone. The flag is seen for a few ticks.
    const moment = type === 'obj_flag' ? 586 : 'last';
    const found = ['decode', `${file}@${moment}`, '-k', 'snapshot', '--type', type];
    if (isItem) expect(await isAnswered(found)).toBe('rows');
  });
});

describe.each(events)('of %s: the event %s', (file, kind) => {
  it.each(dumped)('dump -t %s', async (format) => {
    const isShown = format === 'text' || format === 'ndjson';
    const given = ['dump', file, '--events', '--type', kind, '-t', format];
    expect(await isAnswered(given)).toBe(isShown ? 'rows' : 'refused');
    await isAnswered(['dump', file, '--where', kind, '-t', format]);
  });

  it('slice, report, stats, export', async () => {
    const out = file.endsWith('.pcap') ? 'out-%d.pcapng' : 'out-%d.demo';
    expect(await isAnswered(['slice', file, '--around', kind, '-o', out])).toBe('rows');
    await isAnswered(['slice', file, '--where', kind, '-o', out]);
    expect(await isAnswered(['report', file, '--where', kind, '-o', 'out.html'])).toBe('rows');
    for (const format of counted) await isAnswered(['stats', file, '--where', kind, '-t', format]);
    for (const format of exported) await isAnswered(['export', file, '--where', kind, '-t', format, '-o', 'out']);
  });
});

it('a kind is as often in dump, slice, info and export', async () => {
  const recordsIn = async (file: string, kind: string) => {
    const { stdout } = await runWriting(['dump', file, '--events', '--type', kind, '-t', 'ndjson'], files);
    return recordsOf(stdout);
  };
  for (const [file, kind, table] of [
    ['m.demo', 'kill', 'kills'],
    ['r.demo', 'finish', 'finishes'],
    ['m.demo', 'chat', 'chat'],
    ['i.pcap', 'chat', 'chat'],
    ['a.pcap', 'connection', 'connection_events'],
  ] as const) {
    const found = await recordsIn(file, kind);
    const { stdout } = await runWriting(['export', file, '--tables', table, '-t', 'ndjson'], files);
    expect([file, kind, found.length]).toEqual([file, kind, recordsOf(stdout).length]);
    const all = recordsOf((await runWriting(['dump', file, '--events', '-t', 'ndjson'], files)).stdout);
    const kinds = new Set(found.map(({ event }) => event));
    expect(all.filter(({ event }) => kinds.has(event)).length).toBe(found.length);
    // Those of one tick are one file.
    const cuts = await runWriting(['slice', file, '--around', kind, '-o', 'cut-%d'], files);
    const ticks = new Set(found.map(({ tick, time }) => tick ?? time));
    expect([...cuts.files.keys()].filter((path) => path.startsWith('cut-')).length).toBeLessThanOrEqual(found.length);
    if (file.endsWith('.demo'))
      expect([...cuts.files.keys()].filter((path) => path.startsWith('cut-')).length).toBe(ticks.size);
    expect((await runWriting(['info', file, '--where', kind], files)).status).toBe(0);
  }
});

describe.each(queries)('of %s: %s', (file, query) => {
  it.each(dumped)('dump -t %s', async (format) => {
    await isAnswered(['dump', file, '--where', query, '-t', format]);
  });

  it.each(counted)('stats -t %s', async (format) => {
    await isAnswered(['stats', file, '--where', query, '-t', format]);
  });

  it('slice, report, export', async () => {
    await isAnswered(['slice', file, '--where', query, '-o', 'out-%d.demo']);
    await isAnswered(['report', file, '--where', query, '-o', 'out.html']);
    await isAnswered(['export', file, '--where', query, '-t', 'ndjson', '-o', 'out']);
  });
});
