import { readFileSync } from 'node:fs';
import { textOfBytes } from './system-path.ts';

/**
 * The arguments of the program. Node replaces bytes that are not UTF-8 by U+FFFD; Linux has them as they were given.
 * @param argv as in `process`: the program and the script come first
 */
export function commandLine(argv: readonly string[]): readonly string[] {
  const args = argv.slice(2);
  if (!args.some((arg) => arg.includes('\ufffd'))) return args;
  let given: Buffer;
  try {
    given = readFileSync('/proc/self/cmdline');
  } catch {
    return args;
  }
  const all = argumentsOf(given);
  // Options of Node come before the script.
  return all.length >= argv.length ? all.slice(-args.length) : args;
}

/** Each argument ends with NUL. */
function argumentsOf(given: Buffer): string[] {
  const all: string[] = [];
  let start = 0;
  for (let end = given.indexOf(0); end >= 0; end = given.indexOf(0, start)) {
    all.push(textOfBytes(given.subarray(start, end)));
    start = end + 1;
  }
  return all;
}
