import { escapeText, quote } from './escape.ts';
import { shortened } from './line-wrapping.ts';

/** Columns of a name at most; the games' have 15 bytes. */
const maxName = 24;
/** Columns of what is said at most. */
const maxText = 1000;
/** The same where it is one of many values on a line. */
export const maxInLine = 64;

/** A name from strangers: escaped, and cut where it is longer than names are. */
export const nameText = (name: string): string => escapeText(shortened(name, maxName));
export const quotedName = (name: string): string => quote(shortened(name, maxName));

/** Words from strangers. */
export const textInLine = (text: string, width = maxText): string => escapeText(shortened(text, width));
export const quotedText = (text: string, width = maxText): string => quote(shortened(text, width));
