import type { TickRange } from '../../src/protocol/ticks.ts';
import type { ReportData } from '../../src/report/report-data.ts';
import type { InputContext } from '../lib/input/context.ts';
import type { InputOptions } from '../lib/options.ts';
import type { Budget } from './budget.ts';

export type ReportOptions = InputOptions & {
  output?: string;
  ticks?: TickRange;
  limit: number;
  base?: string;
  map?: string;
  empty?: boolean;
};

/** The settings of a report. */
export interface ReportContext extends InputContext {
  readonly options: ReportOptions;
  readonly budget: Budget;
}

export interface Report {
  readonly reportData: ReportData;
  readonly status: number;
}

/** The last part of a path. */
export const nameOf = (path: string) => path.replace(/^.*[/\\]/s, '') || path;
