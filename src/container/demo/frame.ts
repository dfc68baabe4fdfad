import type { Diagnostic } from '../../bytes/diagnostic.ts';

/**
 * One part of a demo, with its place in the file. The same object is filled for each: valid until the next one is asked for.
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
  /** Unknown are chunks of type 0 and those without data: they are skipped. */
  kind: 'header' | 'map' | 'tick' | 'snapshot' | 'message' | 'delta' | 'unknown' | 'diagnostic';
  /** Absolute offset of its first byte, head included. */
  offset: number;
  /** Absolute offset of its data. */
  dataOffset: number;
  /** Its data, `bytes[start]` up to `bytes[end]`; of the map, a piece of it. */
  bytes: Uint8Array;
  start: number;
  end: number;
  /** The current tick, -1 before the first. */
  tick: number;
  /** Of ticks: whether a full snapshot follows. */
  keyframe: boolean;
  /** Set where `kind` is `diagnostic`. */
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
