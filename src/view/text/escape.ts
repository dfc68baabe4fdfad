/** Control characters, direction marks, invisible and unassigned ones: all that could hide or change the text around them. */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A character by its number: `\u{1b}`. */
export const escaped = (char: string): string => `\\u{${char.codePointAt(0)!.toString(16)}}`;

/** Our own text with untrusted text in it, safe to print. */
export function printable(text: string): string {
  return text.replace(unsafe, (char) => short[char] ?? escaped(char));
}

/** Most texts: nothing needs escaping. */
const plain = /^[ -[\]-~]*$/;

/** Untrusted text, safe to print; its own backslashes differ from those of escapes. */
export function escapeText(text: string): string {
  return plain.test(text) ? text : printable(text.replaceAll('\\', '\\\\'));
}

/** Untrusted text in quotes. */
export function quote(text: string): string {
  return `"${escapeText(text).replaceAll('"', '\\"')}"`;
}

/** Characters that JSON.stringify keeps although a terminal would act on them. */
const unsafeInJson = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** A value as JSON that is safe to print, too: the same value, more of it escaped. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(unsafeInJson, (char) =>
    char.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}
