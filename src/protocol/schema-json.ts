import { nestingLimit, tooDeepAt } from '../bytes/nesting.ts';
import { fail, rejectValue } from './schema-check.ts';

/** Parses JSON written by people: an error names the line, and a repeated key is an error. */
export function parseJson(text: string): unknown {
  const tooDeep = tooDeepAt(text);
  if (tooDeep !== undefined) fail(lineAt(text, tooDeep), 'a list in a list in a list…', nestingLimit, tooDeep);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const known = /position (\d+)/.exec(message)?.[1];
    const offset = known === undefined ? (message.includes('end of JSON') ? text.length : 0) : Number(known);
    fail(
      offset > 0 ? lineAt(text, offset) : '',
      message.replace(/ in JSON at.*| is not valid JSON/, ''),
      'JSON',
      offset,
    );
  }
  refuseRepeatedKeys(text);
  return json;
}

/** JSON.parse keeps only the last of equal keys: a field would be lost, and the offsets of those after it would be wrong. */
function refuseRepeatedKeys(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '{') open.push(new Set());
    else if (char === '[') open.push(undefined);
    else if (char === '}' || char === ']') open.pop();
    if (char !== '"') continue;
    const start = at++;
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    let next = at + 1;
    while (' \t\r\n'.includes(text[next] ?? '.')) next++;
    if (text[next] !== ':') continue;
    const key: string = JSON.parse(text.slice(start, at + 1));
    const keys = open.at(-1);
    if (keys?.has(key)) rejectValue(lineAt(text, start), key, 'each key once', start);
    keys?.add(key);
  }
}

function lineAt(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${before.at(-1)!.length + 1}`;
}
