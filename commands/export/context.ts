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
import { parseShard } from './shard.ts';

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
