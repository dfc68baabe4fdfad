import type { FileCheck } from '../../src/view/ci/file-check.ts';
import type { FolderOptions } from '../lib/input/folders.ts';
import type { InputOptions, OutputOptions } from '../lib/options.ts';
import type { CheckOptions } from '../lib/output/checks.ts';
import type { ManyOptions } from '../lib/parallel/many-files.ts';

/** `output` is a folder. */
export type ExplainOptions = InputOptions &
  OutputOptions &
  ManyOptions &
  CheckOptions &
  FolderOptions & { expect?: number };

/** The result for an input, as plain data, since a worker may return it. */
export interface Outcome {
  readonly status: number;
  readonly text: string;
  readonly json: object;
  readonly check: Omit<FileCheck, 'status'>;
}
