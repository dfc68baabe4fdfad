import type { DemoHeader } from '../../../src/container/demo/header.ts';
import type { anyInput, Given } from '../options.ts';

/** How a command divides a demo that is its only input, so that threads can read parts of it. */
export interface Division {
  /** Smaller demos are read as one, unless `--jobs` is given: starting threads costs more than it saves. */
  readonly minBytes: number;
  /** Whether messages are skipped. Then only the other bytes have to be read, which are few in the demo of a server. */
  readonly skipsMessages?: boolean;
  /**
   * The maximum size of all parts that are read while the one before them is written, since their output may have to be kept; each
   * thread has several parts in any case.
   */
  readonly aheadBytes?: number;
  accepts?(header: DemoHeader): boolean;
}

export type DivisionOptions = Partial<Pick<Given<typeof anyInput>, 'from' | 'protocol' | 'client'>> & {
  readonly jobs?: number | undefined;
  readonly follow?: boolean | undefined;
};
