/**
 * The part of Python in which mods declare their protocol (`datasrc/network.py`): assignments of constants, lists and
 * calls. The text is never run. A call of an unknown name, such as `NetIntAny("m_X")`, is a value with its arguments;
 * `declarations.ts` knows what the calls mean. What is not in this part (functions, loops, conditions) is a note with
 * its line, and the value that it would have had is an `Unknown`, so that the elements of a list beside it are still
 * read.
 *
 * ```python
 * Emotes = ["NORMAL", "PAIN"]                          # a list of texts
 * Bits = ["BIT%d" % i for i in range(8)] + ["LAST"]    # arithmetic, comprehensions
 * Objects = [ NetObject("Laser", [ … ]), ]             # calls
 * Objects += [ … ]                                     # and `Objects.append(…)`
 * ```
 *
 * Source: "The Python Language Reference"; Python 2 and 3 agree on this part.
 */
import { type Budget, notValues, Parser, spent } from './expressions.ts';
import { element } from './functions.ts';
import { operate } from './operations.ts';
import { tokensOf, Unreadable } from './tokens.ts';
import { isList, isUnknown, type Module, type Note, unknown, type Value } from './value.ts';

/** Statements that change none of the tables. */
const without: ReadonlySet<string> = new Set('import from print pass assert global return exit quit'.split(' '));
/** Functions and classes are missed only where they are called. */
const definitions: ReadonlySet<string> = new Set(['def', 'class', '@', 'async']);
const blocks: ReadonlySet<string> = new Set('if elif else for while try except finally with'.split(' '));

/**
 * Reads a module.
 * @throws SyntaxProblem where nothing more can be read
 */
export function readModule(source: string): Module {
  const parser = new Parser(tokensOf(source.replace(/\r\n?/g, '\n')));
  const names = new Map<string, Value>();
  const notes: Note[] = [];
  const budget: Budget = { steps: 0 };
  let isInBlock = false;
  const note = (line: number, text: string) => notes.push({ line, text });
  while (!parser.isAtEnd) {
    const { kind, text, line, isIndented } = parser.next;
    if (kind === 'newline' || (kind === 'sign' && text === ';')) parser.take();
    else if (isIndented) {
      if (!isInBlock) note(line, 'an indented line outside of a block is not read');
      isInBlock = true;
      parser.skipLine();
    } else if (kind !== 'text' && (without.has(text) || definitions.has(text))) {
      isInBlock = definitions.has(text);
      parser.skipLine();
    } else if (kind === 'name' && blocks.has(text)) {
      note(line, `what '${text}' decides is not read`);
      isInBlock = true;
      parser.skipLine();
    } else {
      isInBlock = false;
      try {
        statement(parser, names, budget, note);
        if (parser.next.kind !== 'newline' && !parser.is(';')) throw parser.unreadable();
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        note(error.line, error.message);
        parser.skipLine();
      }
    }
  }
  return { names, notes };
}

/** `a = b = 1`, `a, b = 1, 2`, `a: type = 1`, `a += […]`, `a.append(…)`, or a value alone, which has no effect. */
function statement(
  parser: Parser,
  names: Map<string, Value>,
  budget: Budget,
  note: (line: number, text: string) => void,
): void {
  const targets: string[][] = [];
  const isTarget = () => parser.next.kind === 'name' && !notValues.has(parser.next.text);
  const { text: first, line } = parser.next;
  const begin = parser.mark();
  while (isTarget()) {
    const before = parser.mark();
    const some = [parser.take().text];
    while (parser.accept(',') && isTarget()) some.push(parser.take().text);
    if (some.length === 1 && targets.length === 0 && parser.accept(':')) parser.tuple();
    if (!parser.accept('=')) {
      parser.back(before);
      break;
    }
    targets.push(some);
  }
  if (targets.length > 0) {
    const value = parser.tuple()(names, budget);
    for (const some of targets) {
      for (const [i, name] of some.entries()) names.set(name, some.length === 1 ? value : element(value, i, line));
    }
    return;
  }
  parser.back(begin);
  if (isTarget()) {
    parser.take();
    const { text } = parser.next;
    if (/^(\+|-|\*|\/|\/\/|%|<<|>>|&|\||\^|\*\*)=$/.test(text)) {
      parser.take();
      const value = parser.tuple()(names, budget);
      const before = names.get(first) ?? unknown(line, `${first} is not known`);
      names.set(
        first,
        operate(text.slice(0, -1), before, () => value, spent(line, budget)),
      );
      return;
    }
    const list = names.get(first);
    if (isList(list) && parser.accept('.')) {
      const { text: method } = parser.take();
      if (!/^(append|extend|insert)$/.test(method) || !parser.is('(')) throw parser.unreadable();
      const made = parser.tuple()(names, budget);
      const args = method === 'insert' && isList(made) ? made : [made];
      names.set(first, changedList(list, method, args, line));
      return;
    }
    parser.back(begin);
  }
  const alone = parser.tuple()(names, budget);
  if (parser.is('=')) throw parser.unreadable();
  if (typeof alone !== 'string') note(line, 'this statement is not read');
}

function changedList(list: readonly Value[], method: string, args: readonly Value[], line: number): Value {
  const [first = unknown(line, 'nothing is added'), second = unknown(line, 'nothing is added')] = args;
  if (method === 'append') return [...list, first];
  if (method === 'extend')
    return isList(first) ? [...list, ...first] : [...list, isUnknown(first) ? first : unknown(line, 'no list')];
  return typeof first === 'number'
    ? list.toSpliced(first, 0, second)
    : [...list, unknown(line, 'its place is not known')];
}
