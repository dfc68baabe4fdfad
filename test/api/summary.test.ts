import { describe, expect, it } from 'vitest';
import { build, item, items, read, readCapture, readDemo, type Snapshot, writeDemo } from '../../src/api/index.ts';
import { type CaptureSummary, type DemoSummary, type Summary, summaryOf } from '../../src/api/match.ts';
import { statsOf } from '../../src/api/unstable.ts';
import type { Field, Fields } from '../../src/output/results/fields.ts';
import { captureFields, demoFields, ghostFields, infoValues } from '../../src/output/results/info.ts';
import { DemoReplay } from '../../src/recording/demo/demo-replay.ts';
import { RecordingSummary } from '../../src/recording/summary/recording-summary.ts';
import { netlogOf } from '../support/capture-builder.ts';
import { corpusFile, hasCorpus } from '../support/corpus.ts';
import { run } from '../support/run.ts';
import { read as sample } from '../support/samples.ts';

const hasCharacter = ({ snapshot }: { snapshot?: Snapshot | undefined }) =>
  snapshot !== undefined && !items(snapshot, '0.6', 'obj_character').next().done;

/** Recordings of each kind: whole ones, and those of which a part or all is unreadable. */
const recordings: readonly (readonly [name: string, bytes: () => Uint8Array])[] = [
  ...['vanilla-dm1.demo', 'ddnet-race-player.demo', 'ddnet-ipv6.pcap', 'duplicate-key.pcap'].map(
    (name) => [name, () => sample(name)] as const,
  ),
  ['cut.demo', () => sample('vanilla-dm1.demo').slice(0, 30_000)],
  ['without header.demo', () => sample('vanilla-dm1.demo').slice(0, 100)],
  ['without connections.pcap', () => sample('ddnet-ipv6.pcap').slice(0, 24)],
  ['a.netlog', () => netlogOf(Array.from({ length: 4 }, () => sample('vanilla-dm1-tick9892.packet')))],
];
const ofCorpus = ['07-vanilla-mapchange.pcap', 'ghosts/06-ddnet20-coverage.gho'];

function areTheSame(values: object, printed: string): void {
  const [{ file, ...expected }] = JSON.parse(printed);
  expect(file).toBeTypeOf('string');
  // As text: the keys have the same order, and all of it is plain data.
  expect(JSON.stringify(values, null, 1)).toBe(JSON.stringify(expected, null, 1));
}

async function sayTheSame(file: Uint8Array): Promise<void> {
  const summary = summaryOf(file);
  areTheSame(summary, (await run('info x -t json', { x: file })).stdout);
  areTheSame(statsOf(file), (await run('stats x -t json', { x: file })).stdout);
  expect(undescribed(summary, fieldsOf(summary))).toEqual([]);
}

/** The keys of values that no field describes. */
function undescribed(values: unknown, fields: Fields, path = ''): string[] {
  return Object.entries(values as object).flatMap(([key, value]) => {
    const field = fields[key] as Field | undefined;
    if (!field) return [path + key];
    if (!field.fields || !value) return [];
    const all: unknown[] = field.kind === 'table' ? value : [value];
    return all.flatMap((row) => undescribed(row, field.fields!, `${path}${key}.`));
  });
}

const fieldsOf = (summary: Summary): Fields => {
  if ('connections' in summary) return captureFields;
  return 'characters' in summary ? ghostFields : demoFields;
};

describe('the library and the command line', () => {
  it.each(recordings)('say the same of %s', (_, bytes) => sayTheSame(bytes()));

  it.skipIf(!hasCorpus).each(ofCorpus)('say the same of %s (needs ../shared)', (name) => sayTheSame(corpusFile(name)));

  it('only say what is described, whatever is counted inside', () => {
    const replay = new DemoReplay();
    const summary = new RecordingSummary(replay);
    for (const entry of replay.feed(sample('vanilla-dm1.demo'))) summary.add(entry);
    const of = () => JSON.stringify(infoValues({ file: '', bytes: 1, summary }));
    const before = of();
    const stream = summary.streams[0]!;
    for (const inside of [summary, summary.header!, summary.map!, stream, stream.peaks, stream.kinds, stream.outcomes])
      Object.assign(inside, { inside: 1 });
    expect(of()).toBe(before);
  });
});

describe('the summary of a recording', () => {
  it('has what the demo has', () => {
    const file = sample('vanilla-dm1.demo');
    const kinds = [...readDemo(file)].flatMap((entry) => (entry.record === 'snapshot' ? [entry.kind] : []));
    const [keyframes, deltas] = ['snapshot', 'delta'].map((kind) => kinds.filter((entry) => entry === kind).length);
    const summary = summaryOf(file);
    if (summary.format !== 'demo') throw new Error('it is a demo');
    // The types are those of the fields.
    const { map, most_items, players }: DemoSummary = summary;
    expect(map).toMatchObject({ name: 'dm1', size: map!.size_found, crc: map!.crc_found, ok: true });
    const items = [...readDemo(file)].map((entry) => (entry.record === 'snapshot' ? (entry.snapshot?.count ?? 0) : 0));
    expect(most_items).toBe(Math.max(...items));
    expect(players).toContain('stress2');
    expect(summary).toMatchObject({ health: 'healthy', net_version: '0.7 802f1be60a05665f', keyframes, deltas });
  });

  it('compares the checksums that messages of a demo announce, of a file and of records', () => {
    const records = [...readDemo(sample('ddnet-race-player.demo'))];
    const snapshots = records.filter(({ record }) => record === 'snapshot').length;
    const changed = records.findIndex((entry) => entry.record === 'snapshot' && entry.tick > 0 && hasCharacter(entry));
    const entry = records[changed] as Extract<(typeof records)[number], { record: 'snapshot' }>;
    const { id } = [...items(entry.snapshot!, '0.6', 'obj_character')][0]!;
    const { x } = item(entry.snapshot!, '0.6', 'obj_character', id)!.fields;
    const snapshot = build('0.6', entry.snapshot!)
      .set('obj_character', id, { x: x + 1 })
      .build();
    const wrong = writeDemo(records.with(changed, { ...entry, snapshot } as typeof entry));
    for (const [recording, mismatched] of [
      [records, 0],
      [wrong, 1],
      [readDemo(wrong), 1],
    ] as const) {
      const health = mismatched ? 'mismatched' : 'healthy';
      expect(summaryOf(recording)).toMatchObject({ health, matched: snapshots - mismatched, mismatched });
    }
    // The message comes later than the record.
    for (const entry of readDemo(wrong)) if (entry.record === 'snapshot') expect(entry.verdict).toBe('unchecked');
  });

  it('of a demo tells of records what it tells of the file, but for its size', () => {
    const file = sample('vanilla-dm1.demo');
    const { size, ...rest } = summaryOf(file) as DemoSummary;
    expect(size).toBe(file.length);
    expect(rest.plays).toMatchObject([{ game: 'DDNet' }, { game: 'Teeworlds' }]);
    expect(summaryOf(readDemo(file))).toEqual(rest);
  });

  it('comes from a Blob and from records, which do not tell of the datagrams', async () => {
    const file = sample('ddnet-ipv6.pcap');
    const expected = summaryOf(file) as CaptureSummary;
    expect(await summaryOf(new Blob([file]))).toEqual(expected);
    const { size, format, datagrams, connectionless, handshakes, dropped, other, server_info, ...rest } = expected;
    expect([size, format, datagrams, connectionless]).toEqual([file.length, 'pcap', 786, 2]);
    expect(summaryOf(readCapture(file))).toEqual(rest);
    expect(summaryOf([])).toMatchObject({ connections: [], health: 'healthy' });
  });

  it('says what makes a recording suspect', () => {
    const records = [...read(sample('ddnet-ipv6.pcap'))];
    const { stream } = records.find((entry) => entry.record === 'connection')!;
    const diagnostic = { severity: 'warning', code: 'unknown_message', offset: 7, args: { message: 'x' } } as const;
    const odd = {
      record: 'diagnostic',
      stream,
      diagnostic,
      direction: 'to_server',
      frame: 5,
      weight: 'wrong',
    } as const;
    const { health, connections } = summaryOf([...records, odd, odd] as typeof records) as CaptureSummary;
    expect(health).toBe('suspect');
    expect(connections[0]!.oddities).toMatchObject([
      { weight: 'wrong', code: 'unknown_message', direction: 'to_server', count: 2, frame: 5 },
    ]);
    expect(connections[0]).toMatchObject({ players: expect.arrayContaining(['six']) });
  });
});
