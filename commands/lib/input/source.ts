/** An input after pasted text was turned into bytes. */
export interface Source {
  /** Contains the number and line of one of several byte strings. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The text if it was not turned into bytes: JSON, or text that may happen to be a payload. */
  readonly text?: string;
  /** The form of the pasted text: `xxd`, `hex`. */
  readonly form?: string;
  /** The line of the pasted text where it begins, unless the name contains it. */
  readonly line?: number;
  /** The line of the pasted text with a mark such as `[snip]` that replaces the rest. */
  readonly cutLine?: number;
}
