import { describe, expect, it } from 'vitest';
import { corpusFile, corpusFiles } from '../../support/corpus.ts';
import { run } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

// A value has one description: whatever output names it, it is the same. These tests read the outputs, so that it does
// not matter how they are made.

const recordings: [name: string, bytes: () => Uint8Array][] = [
  ...[
    'vanilla-dm1.demo',
    'ddnet-race-player.demo',
    'ddnet-ipv6.pcap',
    'duplicate-key.pcap',
    'vanilla-ctf-timeout.pcap',
  ].map((name): [string, () => Uint8Array] => [name, () => read(name)]),
  ['cut.demo', () => read('vanilla-dm1.demo').slice(0, 30_000)],
  ...corpusFiles(/loss/).map((name): [string, () => Uint8Array] => [name, () => corpusFile(name)]),
];

/** The same key for another thing, in JSON and in tables: a list and its length, an object and a name. */
const otherMeaning = new Set(['players', 'markers', 'messages', 'map', 'version']);

type Values = Readonly<Record<string, unknown>>;

/**
 * The objects of JSON that are rows of a table: a demo, or the connections of a capture with what is said of the file.
 */
function objectsOf(json: string): Values[] {
  const [{ connections, ...file }] = JSON.parse(json);
  return connections ? connections.map((connection: Values) => ({ ...file, ...connection })) : [file];
}

function rowsOf(csv: string): Values[] {
  const [head, ...rows] = csv
    .trimEnd()
    .split('\n')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!,
      ),
    );
  return rows.map((cells) => Object.fromEntries(head!.map((name, i) => [name, cells[i]])));
}

/** A value as a cell of CSV has it. */
const cellOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');

/** Those of the keys that both have. */
function sharedOf(rows: readonly Values[], objects: readonly Values[]) {
  expect(rows.length).toBe(objects.length);
  const keys = Object.keys(rows[0]!).filter((key) => key in objects[0]! && !otherMeaning.has(key));
  const cells = (all: readonly Values[]) =>
    all.map((entry) => Object.fromEntries(keys.map((key) => [key, cellOf(entry[key])])));
  return { keys, rows: cells(rows), objects: cells(objects) };
}

describe('one value in all outputs', () => {
  it.each(recordings.filter(([name]) => name !== 'recordings'))('of info: %s', async (name, bytes) => {
    const files = { [name]: bytes() };
    const objects = objectsOf((await run(`info ${name} -t json`, files)).stdout);
    const csv = sharedOf(rowsOf((await run(`info ${name} -t csv`, files)).stdout), objects);
    expect(csv.keys.length).toBeGreaterThan(10);
    expect(csv.rows).toEqual(csv.objects);
    const table = name.endsWith('.demo') ? 'demos' : 'connections';
    const { stdout } = await run(`export ${name} --tables ${table} -t ndjson`, files);
    const exported = sharedOf(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
      objects,
    );
    expect(exported.keys.length).toBeGreaterThan(5);
    expect(exported.rows).toEqual(exported.objects);
  });

  it.each(recordings.slice(0, 5))('of stats: %s', async (name, bytes) => {
    const files = { [name]: bytes() };
    const [json] = JSON.parse((await run(`stats ${name} -t json`, files)).stdout);
    const csv = async (by: string) => rowsOf((await run(`stats ${name} -t csv --by ${by}`, files)).stdout);
    const second = sharedOf(await csv('second'), json.per_second);
    expect(second.rows).toEqual(second.objects);
    const named = new Map<string, Values>(
      [...json.items, ...json.messages, ...json.parts].map((entry) => [entry.name, entry]),
    );
    for (const row of await csv('type')) {
      const entry = named.get(String(row.name));
      if (!entry) continue;
      const { rows, objects } = sharedOf([row], [entry]);
      expect(rows).toEqual(objects);
    }
  });
});
