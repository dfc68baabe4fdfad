import type { Content } from '../../annotate/span.ts';
import { escapeText, quote } from './escape.ts';
import { shortened } from './layout.ts';

/** The longest name, in columns; the games allow 15 bytes. */
const maxName = 24;
/** The longest text, in columns. */
export const maxText = 1000;
/** The longest text among other values on a line. */
export const maxInLine = 64;

/** An untrusted name: escaped, and shortened if it is longer than names can be. */
export const nameText = (name: string): string => escapeText(shortened(name, maxName));
export const quotedName = (name: string): string => quote(shortened(name, maxName));

/** Untrusted text: escaped and shortened. */
export const textInLine = (text: string, width = maxText): string => escapeText(shortened(text, width));
export const quotedText = (text: string, width = maxText): string => quote(shortened(text, width));

/** A value among others on a line. */
export const valueInLine = (content: Content): string =>
  typeof content === 'string' ? quotedText(content, maxInLine) : String(content ?? '…');
