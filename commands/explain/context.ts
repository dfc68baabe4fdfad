import type { InputOptions, OutputOptions } from '../lib/options.ts';
import type { ManyOptions } from '../lib/parallel/many-files.ts';

/** `output` is a folder. */
export type ExplainOptions = InputOptions & OutputOptions & ManyOptions & { expect?: number };

/** What was found in an input: plain data, since a worker may return it. */
export interface Outcome {
  readonly status: number;
  readonly text: string;
  readonly json: object;
}
