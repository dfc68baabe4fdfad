import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { runCommand, words, worldOfFiles } from '../support/transcript.ts';

/**
 * What scripts read, pinned: each file has command lines and, below each, the exit status, standard error, and of
 * standard output and of each written file the number of records, what each key has (how many values, the sum of the
 * numbers, the characters of the texts), and three whole records: the first, the last and the one in the middle. A
 * change shows as a value: of these records, or of the key. What one recording shows of a format, another need not.
 * `UPDATE_GOLDENS=1 npx vitest run test/goldens` writes them anew: read what changed.
 */
const goldens = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.txt'));

it.each(goldens)('%s', async (name) => {
  const path = join(import.meta.dirname, name);
  const written = readFileSync(path, 'utf8');
  const now = await replay(written);
  if (process.env.UPDATE_GOLDENS) writeFileSync(path, now);
  expect(now).toBe(process.env.UPDATE_GOLDENS ? now : written);
});

async function replay(golden: string): Promise<string> {
  const commands = golden.split('\n').filter((line) => line.startsWith('$ '));
  const parts: string[] = [];
  for (const command of commands) parts.push(`${command}\n${await outcomeOf(command.slice(2))}`);
  return parts.join('\n');
}

async function outcomeOf(command: string): Promise<string> {
  const files = new Map(inputs);
  const { stdout, stderr, status } = await runCommand(words(command)[0]!, undefined, files, 0);
  const outputs = [...files.keys()].filter((path) => !inputs.has(path)).sort();
  const errors = stderr === '' ? [] : stderr.trimEnd().split('\n');
  return [
    `exit ${status}`,
    ...(errors.length > 4 ? [...errors.slice(0, 4), `(${errors.length} lines)`] : errors).map((line) => `2> ${line}`),
    ...(stdout.length > 0 ? digest(new TextDecoder().decode(stdout)) : []),
    ...outputs.flatMap((path) => [`file ${path}`, ...digest(new TextDecoder().decode(files.get(path)!))]),
    '',
  ].join('\n');
}

/** The samples, and damaged recordings made of them. */
const inputs = makeInputs();

function makeInputs(): ReadonlyMap<string, Uint8Array> {
  const files = worldOfFiles();
  const sample = (name: string) => files.get(`samples/${name}`)!;
  const half = (bytes: Uint8Array) => bytes.subarray(0, bytes.length >> 1);
  const flipped = (bytes: Uint8Array) => bytes.map((byte, i) => (i > 5000 && i % 5003 === 0 ? byte ^ 0x55 : byte));
  files.set('half.demo', half(sample('vanilla-dm1.demo')));
  files.set('half.pcap', half(sample('ddnet-ipv6.pcap')));
  files.set('flipped.demo', flipped(sample('vanilla-dm1.demo')));
  files.set('flipped.pcap', flipped(sample('vanilla-ctf-timeout.pcap')));
  return files;
}

/** Longer records are shown only where there are no three shorter ones. */
const longRecord = 2000;
const width = 120;

function digest(text: string): string[] {
  if (/^[[{]/.test(text)) return digestOfRecords(...jsonRecords(text));
  const lines = text.trimEnd().split('\n');
  const [head, ...rows] = lines;
  const names = head!.split(',');
  const cells = !text.startsWith('<') && /^\w+(,\w+)*$/.test(head!) ? rows.map(cellsOf) : [];
  // Tables for people and other text have columns of their own kind: transcripts and tests show them whole.
  if (cells.length === 0 || cells.some(({ length }) => length !== names.length)) {
    return [`${lines.length} lines, ${text.length} characters`, ...chosen(lines).map((line) => `| ${line}`)];
  }
  const shown = chosen(rows).map((row) => `| ${row}`);
  return [`${rows.length} rows`, `| ${head}`, ...profileOf(cells, (row, to) => to.addRow(names, row)), ...shown];
}

/** The cells of a line of CSV: numbers, texts, and null for empty ones. */
const cellsOf = (row: string): (number | string | null)[] =>
  row.includes('"') ? quotedCellsOf(row) : row.split(',').map((text) => cellOf(text, false));

const quotedCellsOf = (row: string) =>
  [...row.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => {
    return cellOf(quoted ?? plain!, quoted !== undefined);
  });

function cellOf(text: string, isQuoted: boolean): number | string | null {
  if (text === '') return null;
  return !isQuoted && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** The elements of an array, or the lines of NDJSON, and the JSON of each. */
function jsonRecords(text: string): [records: readonly unknown[], json: readonly string[]] {
  try {
    const all = JSON.parse(text);
    const records = Array.isArray(all) ? all : [all];
    return [records, records.map((record) => JSON.stringify(record))];
  } catch {
    const lines = text.trimEnd().split('\n');
    return [lines.map((line) => JSON.parse(line)), lines];
  }
}

function digestOfRecords(records: readonly unknown[], json: readonly string[]): string[] {
  return [
    `${records.length} records`,
    ...profileOf(records, (record, to) => to.add(record)),
    ...chosen(json)
      .flatMap((record) => wrapped(JSON.parse(record), '').split('\n'))
      .map((line) => `| ${line}`),
  ];
}

/** The first record, the one in the middle and the last. */
function chosen(records: readonly string[]): string[] {
  const short = records.filter((record) => record.length <= longRecord);
  const from = short.length < 3 ? records : short;
  return [...new Set([0, from.length >> 1, from.length - 1])].flatMap((i) => from[i] ?? []);
}

/** JSON whose lists and objects are one line if they fit into it. Of longer lists three elements are shown. */
function wrapped(value: unknown, indent: string): string {
  const line = JSON.stringify(value);
  if (indent.length + line.length <= width || typeof value !== 'object' || value === null) return line;
  const deeper = `${indent} `;
  if (!Array.isArray(value)) {
    const parts = Object.entries(value).map(([key, one]) => `${deeper}${JSON.stringify(key)}:${wrapped(one, deeper)}`);
    return `{\n${parts.join(',\n')}\n${indent}}`;
  }
  const shown = chosen(value.map((one) => JSON.stringify(one))).map((one) => deeper + wrapped(JSON.parse(one), deeper));
  return `[ of ${value.length}\n${shown.join(',\n')}\n${indent}]`;
}

/** The values of a key, and the keys below it. */
class Profile {
  values = 0;
  sum = 0;
  characters = 0;
  readonly #below = new Map<string, Profile>();
  readonly #path: string;
  readonly #keys: Map<string, Profile>;

  /** @param keys those that have values, by their paths */
  constructor(path: string, keys: Map<string, Profile>) {
    this.#path = path;
    this.#keys = keys;
  }

  add(value: unknown): void {
    if (Array.isArray(value)) for (const entry of value) this.#of('[]').add(entry);
    else if (typeof value === 'object' && value !== null)
      for (const key in value) this.#of(key).add((value as Record<string, unknown>)[key]);
    else {
      if (this.values++ === 0) this.#keys.set(this.#path, this);
      if (typeof value === 'string') this.characters += value.length;
      else this.sum += Number(value);
    }
  }

  addRow(names: readonly string[], cells: readonly unknown[]): void {
    for (const [i, name] of names.entries()) this.#of(name).add(cells[i]);
  }

  #of(key: string): Profile {
    const known = this.#below.get(key);
    if (known) return known;
    const path = key === '[]' || this.#path === '' ? this.#path + key : `${this.#path}.${key}`;
    const found = new Profile(path, this.#keys);
    this.#below.set(key, found);
    return found;
  }
}

/** What each key of records has: how many values, the sum of the numbers, the characters of the texts. */
function profileOf<One>(records: readonly One[], add: (record: One, to: Profile) => void): string[] {
  const keys = new Map<string, Profile>();
  const all = new Profile('', keys);
  for (const record of records) add(record, all);
  const texts = [...keys]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { values, sum, characters }]) => {
      const numbers = sum === 0 ? '' : ` sum ${Number(sum.toPrecision(12))}`;
      return `${key} ${values}${numbers}${characters === 0 ? '' : ` ${characters} characters`}`;
    });
  const lines: string[] = [];
  for (const text of texts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + text.length < width) lines[lines.length - 1] = `${last}; ${text}`;
    else lines.push(`  ${text}`);
  }
  return lines;
}
