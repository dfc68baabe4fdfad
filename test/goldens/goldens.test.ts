import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { runCommand, words, worldOfFiles } from '../support/transcript.ts';

/**
 * What scripts read, pinned: each file has command lines and, below each, the exit status, standard error, and of
 * standard output and of each written file the number of lines, the SHA-256, every key (of CSV the heading) and the
 * first lines. The hash fails with any change; keys and lines show which.
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
  const files = inputs();
  const before = new Set(files.keys());
  const { stdout, stderr, status } = await runCommand(words(command)[0]!, undefined, files, 0);
  const outputs = [...files.keys()].filter((path) => !before.has(path)).sort();
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
function inputs(): Map<string, Uint8Array> {
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

const shownLines = 4;
const shownCharacters = 240;

function digest(text: string): string[] {
  const lines = text.trimEnd().split('\n');
  const isCsv = !/^[[{<]/.test(text);
  const shown = lines.slice(0, shownLines).map((line, i) => `| ${isCsv && i === 0 ? line : cut(line)}`);
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return [`${lines.length} lines, sha256 ${hash}`, ...keysOf(text), ...shown];
}

const cut = (line: string) => (line.length > shownCharacters ? `${line.slice(0, shownCharacters)}…` : line);

/** The paths of all keys of JSON or NDJSON, those of lists with `[]`; nothing for other text. */
function keysOf(text: string): string[] {
  const keys = new Set<string>();
  const collect = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const entry of value) collect(entry, `${path}[]`);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        const own = `${path === '' ? '' : `${path}.`}${key}`;
        keys.add(own);
        collect(inner, own);
      }
    }
  };
  if (!/^[[{]/.test(text)) return [];
  try {
    collect(JSON.parse(text), '');
  } catch {
    for (const line of text.trimEnd().split('\n')) collect(JSON.parse(line), '');
  }
  const all = [...keys].sort();
  const lines: string[] = [];
  for (const key of all) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + key.length < 150) lines[lines.length - 1] = `${last} ${key}`;
    else lines.push(`keys ${key}`);
  }
  return lines;
}
