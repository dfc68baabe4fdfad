/*
 * The tuned numbers of this room: what each trades. `scripts/pasted-forms.sh` makes the texts of
 * test/input/pasted/pasted with the tools that people use; test/input/pasted reads them, and shows a change of a rule
 * there. No number was varied alone: all rules are guesses.
 */

// --- rules: is this text bytes, or does it only look like them? ---

/** The bytes of a list among other text that is not marked as bytes. Lower: coordinates and dates become bytes. */
export const shortestInText = 6;
/**
 * The distance between the start of the text, or of an assigned value, and the opening bracket of a list, in
 * characters.
 */
export const maxHead = 300;
/** Fewer decimal numbers may be a version, a date or a score. */
export const fewestDecimals = 4;
/** Numbers beyond a byte are the ints of a delta or snapshot if there are this many. Fewer may be a position or a date. */
export const fewestInts = 4;
/** The characters by which a text is judged to be decimal numbers, before all of it is read. */
export const decimalSample = 4000;
/** Shorter texts are not read as base64: they may be words. */
export const shortestBase64 = 8;
/** Lines with fewer bytes than this, shorter than any packet, form one byte string. */
export const shortestPart = 3;

// --- bounds of memory ---

/** Memory. The bytes of a byte string in which a few characters can represent any number of bytes, as `*` of a dump. */
export const maxBytes = 1 << 24;
/** Memory. The byte strings of a text. */
export const maxParts = 100_000;
