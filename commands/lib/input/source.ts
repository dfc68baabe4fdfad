/** An input as its user means it: pasted text already turned into bytes. */
export interface Source {
  /** With its number and line, where it is one of several. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The text where it was not turned into bytes: JSON, or text that may be a payload by chance. */
  readonly text?: string;
  /** The form of the pasted text: `xxd`, `hex`. */
  readonly form?: string;
}
