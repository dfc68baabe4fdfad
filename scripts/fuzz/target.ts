import type { Material } from './material.ts';
import type { Random } from './random.ts';

/** Notes an input before it is read, so that it can be saved if it breaks something. */
export type Note = (name: string, input: Uint8Array | string) => void;

type Ran = number | undefined;

/** A part of the program with a generator and checks for its inputs. */
export interface Target {
  readonly name: string;
  /** The share of all inputs relative to other targets. */
  readonly share: number;
  /**
   * Makes an input and runs it; throws if something breaks.
   * @returns the additional milliseconds that it may take because of its long output
   */
  run(random: Random, material: Material, note: Note): Ran | Promise<Ran>;
}
