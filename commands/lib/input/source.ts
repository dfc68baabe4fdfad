import type { HexForm } from '../../../src/hex/index.ts';

/** An input as its user means it: hex text already turned into bytes. */
export interface Source {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Text that is one: JSON, or no hex. */
  readonly text?: string;
  readonly hex?: HexForm;
  /** Packets of a paste behind the first, which are not read. */
  readonly more?: number;
}
