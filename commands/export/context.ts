import type { RowRange } from '../../src/tables/tables.ts';
import type { ChoiceOptions } from '../lib/choice.ts';
import type { FolderOptions } from '../lib/input/folders.ts';
import type { InputOptions } from '../lib/options.ts';
import type { ManyOptions } from '../lib/parallel/many-files.ts';
import type { Shard } from './shard.ts';

export type ExportOptions = InputOptions &
  ManyOptions &
  FolderOptions &
  ChoiceOptions & {
    to: string;
    output?: string;
    tables?: string[];
    type?: string[];
    every?: number;
    changes?: boolean;
    shard?: Shard;
    filesFrom?: string;
  };

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
