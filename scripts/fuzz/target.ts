import type { Material } from './material.ts';
import type { Random } from './random.ts';

/** Notes an input before it is read, so that it can be saved when it breaks something. */
export type Note = (name: string, input: Uint8Array | string) => void;

type Ran = number | undefined;

/** A part of the program, and how inputs for it are made and looked at. */
export interface Target {
  readonly name: string;
  /** How many of all inputs are for it, compared with other targets. */
  readonly share: number;
  /**
   * Makes an input and runs it through; throws where something breaks.
   * @returns milliseconds that it may take beyond what all may, for it had so much to print
   */
  run(random: Random, material: Material, note: Note): Ran | Promise<Ran>;
}
