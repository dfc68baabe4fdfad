import { parseQuery, type Query, QueryError } from '../../../src/analysis/query/parse.ts';
import { printable } from '../../../src/output/text/escape.ts';
import { CommandError, exit } from './errors.ts';
import { parsed } from './options.ts';

/** The query of `--where`, as plain data, and its text, at which errors point. */
export interface Where {
  readonly text: string;
  readonly query: Query;
}

function parseWhere(text: string): Where {
  try {
    return { text, query: parseQuery(text) };
  } catch (error) {
    throw whereError(text, error);
  }
}

/** The option; here, so that commands without it do not load the language. */
export const where = parsed(
  '--where <query>',
  "only what a query selects: 'obj_character x>800 weapon=ninja'",
  parseWhere,
  { group: 'selection' },
);

/** A longer query is not repeated. */
const longest = 500;

/** The error for the user: what is wrong, and below it the query with a mark where it is. */
export function whereError(text: string, error: unknown): unknown {
  if (!(error instanceof QueryError)) return error;
  const { message, at, to } = error;
  // A mark under escaped characters would be elsewhere, and so would one below a line that the terminal wraps.
  const shown = text.replace(/\s/g, ' ');
  const mark = `${' '.repeat(at)}${'^'.repeat(Math.max(1, to - at))}`;
  const lines =
    printable(shown) === shown && shown.length <= longest ? `\n  ${shown}\n  ${mark}` : `, at character ${at + 1}`;
  return new CommandError(exit.usage, `--where: ${printable(message)}${lines}`);
}
