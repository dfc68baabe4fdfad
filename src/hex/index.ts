export { type PastedBytes, type PastedText, type PasteOptions, readPastedText, refusal } from './pasted-text.ts';
export { looksLikeText, textOf } from './text-encoding.ts';
export { hexText, toHex } from './to-hex.ts';
