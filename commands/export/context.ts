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

/** What a task exports: a run on one thread has one. Plain data, which a thread can be given. */
export interface Task {
  readonly files: readonly string[];
  /** What the names of its parts begin with. */
  readonly name: string;
}

/** What became of a task, as plain data. */
export interface TaskResult {
  readonly status: number;
  readonly files: number;
  readonly failed: number;
  readonly rows: Readonly<Record<string, number>>;
  readonly bytes: number;
  /** The paths of its parts, below the folder. */
  readonly parts: readonly string[];
}
