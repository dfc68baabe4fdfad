import { InvalidArgumentError } from 'commander';
import { crc32 } from '../../src/codec/crc32.ts';
import type { RowRange } from '../../src/tables/tables.ts';
import {
  common,
  fileSelection,
  flag,
  type Given,
  nameList,
  parsed,
  recordingInput,
  text,
  to,
  wholeNumber,
} from '../lib/options.ts';

export const definition = {
  usage: '[options] <file...> -o <folder>',
  arguments: { '[file...]': "demos, captures or folders; '-' for standard input" },
  options: {
    tables: nameList('--tables <names>', 'only these tables, separated by commas'),
    every: parsed(
      '--every <ticks>',
      'only snapshots that are at least this many ticks apart, per stream',
      wholeNumber(1, Infinity, 'a number of ticks from 1'),
    ),
    changes: flag('--changes', 'only rows that differ from the preceding row of the item'),
    shard: parsed(
      '--shard <K/N>',
      'only share K of N of the files, K from 0; the same files on every machine',
      parseShard,
    ),
    ...recordingInput,
    include: common.include,
    filesFrom: text('--files-from <file>', "a list of files, one per line; '-' for standard input", { group: 'input' }),
    type: nameList('--type <names>', 'only items of these types, separated by commas', { group: 'selection' }),
    ...fileSelection,
    to: to(['parquet', 'csv', 'ndjson'], 'format of the tables'),
    output: text('-o, --output <folder>', 'the folder to write, with a subfolder for each table', { group: 'output' }),
    strict: common.strict,
    jobs: common.jobs,
  },
  help: `
Examples:
  tw-snap export match.demo -o tables
  tw-snap export match.demo --tables kills -t csv
  tw-snap export demos/*.demo --shard 0/2 -o tables`,
};

export type ExportOptions = Given<(typeof definition)['options']>;

/**
 * The files of one export task; with one thread there is only one task. It is plain data, which can be sent to a
 * thread.
 */
export interface Task {
  readonly files: readonly string[];
  /** The first part of its part names. */
  readonly name: string;
  /** The rows that it writes, if several tasks read the same file. */
  readonly range?: RowRange;
}

/** The result of a task, as plain data. */
export interface TaskResult {
  readonly status: number;
  readonly files: number;
  readonly failed: number;
  readonly rows: Readonly<Record<string, number>>;
  readonly bytes: number;
  /** The paths of its parts, relative to the folder. */
  readonly parts: readonly string[];
}

/** One of `count` shares of the files. The hash of a file's path decides which share it belongs to. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

export const wholeInput: Shard = { index: 0, count: 1 };

/** `0/4` to `3/4`. */
export function parseShard(text: string): Shard {
  const match = /^(\d{1,6})\/(\d{1,6})$/.exec(text);
  const [index, count] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || index >= count) throw new InvalidArgumentError('Expected K/N with K from 0 to N - 1.');
  return { index, count };
}

const hash = (text: string): number => crc32(new TextEncoder().encode(text)) >>> 0;

/** The files of a shard, chosen by their paths, so that every machine gets the same result. */
export const filesOfShard = (files: readonly string[], { index, count }: Shard): readonly string[] =>
  count === 1 ? files : files.filter((file) => hash(file) % count === index);

/** Names the parts of a run after the shard and its inputs, so that a repeated run replaces its parts. */
export const runName = (files: readonly string[], { index, count }: Shard): string =>
  `part-${index}of${count}-${hash(files.join('\n')).toString(16).padStart(8, '0')}`;

/** Divides files into groups of similar total size; the same files always result in the same groups. */
export function groupsOf(files: readonly string[], count: number, sizeOf: (file: string) => number): string[][] {
  const groups = Array.from({ length: count }, () => ({ files: [] as string[], bytes: 0 }));
  const sized = files.map((file, i) => ({ file, i, bytes: sizeOf(file) }));
  for (const { file, bytes } of sized.sort((a, b) => b.bytes - a.bytes || a.i - b.i)) {
    const smallest = groups.reduce((least, group) => (group.bytes < least.bytes ? group : least));
    smallest.files.push(file);
    smallest.bytes += bytes;
  }
  const order = new Map(files.map((file, i) => [file, i]));
  return groups
    .map((group) => group.files.sort((a, b) => order.get(a)! - order.get(b)!))
    .filter((group) => group.length > 0);
}
