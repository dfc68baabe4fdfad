import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { corpusFolder, hasCorpus } from './corpus.ts';

const folders = [
  resolve(import.meta.dirname, '../../samples'),
  ...(hasCorpus ? [corpusFolder, join(corpusFolder, 'ddnet20')] : []),
];

/** All available demos: the samples, and those of the corpus if it exists. */
export const recordedDemos: readonly { readonly name: string; readonly path: string }[] = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.demo'))
    .sort()
    .map((name) => ({ name, path: join(folder, name) })),
);

export const readDemoFile = (path: string): Uint8Array => new Uint8Array(readFileSync(path));

/** A recorded demo by its file name; undefined without the corpus. */
export function recordedDemo(name: string): Uint8Array | undefined {
  const found = recordedDemos.find(({ path }) => basename(path) === name);
  return found && readDemoFile(found.path);
}

/** The numbers that another program counted in a demo of the corpus, by tick; undefined if there are none. */
export function goldenChecksums(
  path: string,
): Map<number, { readonly items: number; readonly crc: number }> | undefined {
  const golden = join(dirname(path), 'golden', `${basename(path)}.crc.ndjson`);
  if (!existsSync(golden)) return undefined;
  const lines = readFileSync(golden, 'utf8').trim().split('\n');
  return new Map(lines.map((line) => JSON.parse(line)).map(({ tick, items, crc }) => [tick, { items, crc }]));
}
