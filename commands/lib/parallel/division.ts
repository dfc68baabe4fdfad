import type { DemoHeader } from '../../../src/container/demo/header.ts';
import type { CapturePart } from '../../../src/recording/capture-part.ts';
import type { DemoRange } from '../../../src/recording/demo-range.ts';
import type { InputOptions } from '../options.ts';

/**
 * A part of a recording that a thread reads on its own: of a demo the ticks from one keyframe to another, of a capture the connections of
 * some clients.
 */
export type RecordingPart = DemoRange | CapturePart;

/** How a command divides a recording that is its only input, so that threads can read parts of it. */
export interface Division {
  readonly demo: {
    /** Smaller demos are read as one, unless `--jobs` is given: the threads would start in vain. */
    readonly minBytes: number;
    /** Whether messages are skipped. Then only the other bytes have to be read, which are few in the demo of a server. */
    readonly skipsMessages?: boolean;
    /**
     * The maximum size of all parts that are read while the one before them is written, since their output may have to be kept; each
     * thread has several parts in any case.
     */
    readonly aheadBytes?: number;
    accepts?(header: DemoHeader): boolean;
  };
  /** By default captures are not divided. With fewer threads, one is as fast; `--jobs` divides them nevertheless. */
  readonly capture?: { readonly minBytes: number; readonly minThreads?: number } | undefined;
}

export type DivisionOptions = Pick<InputOptions, 'from' | 'protocol' | 'client'> & {
  readonly jobs?: number;
  readonly follow?: boolean;
};

export const isOfCapture = (part: RecordingPart): part is CapturePart => 'count' in part;

export const isFirst = (part: RecordingPart): boolean =>
  isOfCapture(part) ? part.index === 0 : part.start === undefined;
