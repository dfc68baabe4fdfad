/** The most levels of lists and objects in JSON. Our own JSON has 6; some engines overflow their stack with many. */
export const maxNesting = 64;

export const nestingLimit = `at most ${maxNesting} levels`;

/** The offset where JSON is nested deeper than that, undefined if it is not. Invalid JSON is accepted. */
export function tooDeepAt(text: string): number | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') at = stringEnd(text, at);
    else if (char === '{' || char === '[') {
      if (++depth > maxNesting) return at;
    } else if (char === '}' || char === ']') depth--;
  }
  return undefined;
}

/** The offset of the closing quotation mark; the end of the text if there is none. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
