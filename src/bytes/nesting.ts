/** Levels of lists and objects in JSON at most; all that we write or read has 6. Not every engine takes any number. */
export const maxNesting = 64;

export const nestingWords = `at most ${maxNesting} levels`;

/** Where JSON goes deeper than that; of broken JSON as far as it can be told. */
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

/** The closing quotation mark; the end of the text where there is none. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
