import type { Diagnostic } from '../../bytes/diagnostic.ts';

/**
 * One part of a demo with its position in the file. The object is reused, so it is valid only until the next frame is
 * read.
 *
 * Source: `src/engine/shared/demo.cpp` and `demo.h` of the games.
 *
 * @example
 * ```ts
 * import { type DemoFrame, DemoReader } from 'tw-snap/recording';
 *
 * const show = ({ kind, tick, offset }: DemoFrame) => `${offset}: ${kind} of tick ${tick}`;
 * for (const frame of new DemoReader().feed(bytes)) console.log(show(frame));
 * ```
 */
export interface DemoFrame {
  /** `unknown` is a chunk of type 0 or a chunk without data, which are skipped. */
  kind: 'header' | 'map' | 'tick' | 'snapshot' | 'message' | 'delta' | 'unknown' | 'diagnostic';
  /** The absolute offset of its first byte, including the head. */
  offset: number;
  /** The absolute offset of its data. */
  dataOffset: number;
  /** The data, `bytes[start]` up to `bytes[end]`; for a map, a piece of it. */
  bytes: Uint8Array;
  start: number;
  end: number;
  /** The current tick, -1 before the first. */
  tick: number;
  /** For ticks: whether a full snapshot follows. */
  keyframe: boolean;
  /** Defined if `kind` is `diagnostic`. */
  diagnostic: Diagnostic | undefined;
}

export function newFrame(bytes: Uint8Array): DemoFrame {
  return {
    kind: 'header',
    offset: 0,
    dataOffset: 0,
    bytes,
    start: 0,
    end: 0,
    tick: -1,
    keyframe: false,
    diagnostic: undefined,
  };
}
