/** Control characters, direction marks, zero-width and unassigned ones: what could hide or change the text around it. */
const unsafe = /["\\\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

const short: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Text from strangers, in quotes, safe to print. */
export function quote(text: string): string {
  return `"${escapeText(text)}"`;
}

/** The same without quotes. */
export function escapeText(text: string): string {
  return text.replace(unsafe, (char) => short[char] ?? `\\u{${char.codePointAt(0)!.toString(16)}}`);
}
