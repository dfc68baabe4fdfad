import { attribute, call, element, method, slice } from './functions.ts';
import { joined, numberOf, operate, texts } from './operations.ts';
import { closing, SyntaxProblem, type Token, tokensOf, Unreadable } from './tokens.ts';
import {
  type Call,
  isList,
  isTrue,
  isUnknown,
  maxChain,
  maxDepth,
  maxLength,
  maxSteps,
  unknown,
  type Value,
} from './value.ts';

/*
 * Expressions of Python, as far as tables of a protocol need them. Parsing makes a function (`Expression`), which is
 * called with the names that have a value then: the element of a comprehension is parsed once and called for each item.
 *
 *   ["BIT%d" % i for i in range(8)]      tokens ─▶ #atom, #postfix, #power, #unary, #operation (weakest sign first) ─▶ Expression
 *                                        Expression(scope, budget) ─▶ Value, or Unknown with a reason and a line
 *
 * There are three ways to fail, and the difference matters:
 * - `Unknown` is a value. What depends on it is unknown too, and all else keeps its value.
 * - `Unreadable` is thrown by the parser and ends with the element of the list (`#recovering`), or with the statement (module.ts).
 * - `SyntaxProblem` ends the file, as does a file that computes too long (`maxSteps`).
 *
 * The text comes from strangers and is never run. Depth, length of lists and texts, chains of operators and steps are
 * bounded (value.ts).
 *
 * Source: "The Python Language Reference", chapter "Expressions".
 */

type Scope = ReadonlyMap<string, Value>;
type Expression = (scope: Scope, budget: Budget) => Value;
export interface Budget {
  steps: number;
}

const comparisons: readonly string[] = ['==', '!=', '<>', '<', '>', '<=', '>=', 'in', 'is', 'not'];

/** The operators with two sides, the weakest first. */
const levels: readonly (readonly string[])[] = [
  ['or'],
  ['and'],
  comparisons,
  ['|'],
  ['^'],
  ['&'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '//', '%', '@'],
];

/** Words that begin what is no value here. */
export const notValues: ReadonlySet<string> = new Set(
  'lambda await yield if else for in not and or is import from'.split(' '),
);

export class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get next(): Token {
    return this.#tokens[this.#at]!;
  }

  get isAtEnd(): boolean {
    return this.next.kind === 'end';
  }

  mark(): number {
    return this.#at;
  }

  back(mark: number): void {
    this.#at = mark;
  }

  take(): Token {
    const token = this.next;
    if (!this.isAtEnd) this.#at++;
    return token;
  }

  is(text: string): boolean {
    return this.next.text === text && (this.next.kind === 'sign' || this.next.kind === 'name');
  }

  accept(text: string): boolean {
    const found = this.is(text);
    if (found) this.#at++;
    return found;
  }

  expect(text: string): void {
    if (!this.accept(text)) throw this.unreadable();
  }

  unreadable(): Unreadable {
    const { kind, text, line } = this.next;
    const shown = kind === 'newline' || kind === 'end' ? 'the end of the line' : `'${text.slice(0, 40)}'`;
    return new Unreadable(line, `${shown} is not read here`);
  }

  /** Skips to the end of the line, or in brackets to the next comma or the bracket's end. */
  skip(): void {
    for (let depth = 0; !this.isAtEnd; this.#at++) {
      const { kind, text } = this.next;
      if (depth === 0 && (kind === 'newline' || (kind === 'sign' && /^[,)\]};]$/.test(text)))) return;
      if (kind !== 'sign') continue;
      if (text in closing) depth++;
      else if (/^[)\]}]$/.test(text)) depth--;
    }
  }

  skipLine(): void {
    while (!this.isAtEnd && this.next.kind !== 'newline') this.#at++;
    this.take();
  }

  /** `a`, or the tuple `a, b`. */
  tuple(): Expression {
    const first = this.expression();
    if (!this.is(',')) return first;
    const all = [first];
    while (this.accept(',') && this.next.kind !== 'newline' && !this.is('=')) all.push(this.expression());
    return listOf(all);
  }

  expression(): Expression {
    if (++this.#depth > maxDepth) throw new Unreadable(this.next.line, `more than ${maxDepth} levels are not read`);
    try {
      const value = this.#operation(0);
      if (!this.is('if')) return value;
      this.take();
      const condition = this.#operation(0);
      this.expect('else');
      const other = this.expression();
      return (scope, budget) => {
        const decided = condition(scope, budget);
        return isUnknown(decided) ? decided : (isTrue(decided) ? value : other)(scope, budget);
      };
    } finally {
      this.#depth--;
    }
  }

  #operation(level: number): Expression {
    const signs = levels[level];
    if (!signs) return this.#unary();
    if (signs === comparisons && this.is('not')) return this.#negation();
    let left = this.#operation(level + 1);
    for (let count = 0; signs.some((sign) => this.is(sign)); count++) {
      // `a < b < c` is not `(a < b) < c`.
      if (signs === comparisons && count > 0) throw this.unreadable();
      const { text, line } = this.take();
      if (count > maxChain) throw new Unreadable(line, 'too many operators are not read');
      let operator = text;
      if (text === 'is' && this.accept('not')) operator = 'is not';
      if (text === 'not') operator = 'not in';
      if (operator === 'not in') this.expect('in');
      const [first, second] = [left, this.#operation(level + 1)];
      left = (scope, budget) =>
        operate(operator, first(scope, budget), () => second(scope, budget), spent(line, budget));
    }
    return left;
  }

  #negation(): Expression {
    let times = 0;
    while (this.accept('not')) times++;
    const value = this.#operation(levels.indexOf(comparisons));
    return (scope, budget) => {
      const of = value(scope, budget);
      return isUnknown(of) ? of : Number(isTrue(of) === (times % 2 === 0));
    };
  }

  #unary(): Expression {
    const before: Token[] = [];
    while (['-', '+', '~'].some((sign) => this.is(sign))) before.push(this.take());
    if (before.length > maxChain) throw new Unreadable(this.next.line, 'too many operators are not read');
    const value = this.#power();
    return (scope, budget) =>
      before.reduceRight<Value>(
        (of, { text, line }) => {
          if (isUnknown(of)) return of;
          if (typeof of !== 'number') return unknown(line, `'${text}' needs a number`);
          if (text === '+') return of;
          return text === '-' ? -of : -of - 1;
        },
        value(scope, budget),
      );
  }

  #power(): Expression {
    const base = this.#postfix();
    if (!this.is('**')) return base;
    const { line } = this.take();
    if (++this.#depth > maxDepth) throw new Unreadable(line, `more than ${maxDepth} levels are not read`);
    const exponent = this.#unary();
    this.#depth--;
    return (scope, budget) => operate('**', base(scope, budget), () => exponent(scope, budget), spent(line, budget));
  }

  #postfix(): Expression {
    let value = this.#atom();
    for (let count = 0; ; count++) {
      const of = value;
      const { line } = this.next;
      if (count > maxDepth) throw new Unreadable(line, `more than ${maxDepth} levels are not read`);
      if (this.accept('.')) {
        const { kind, text } = this.take();
        if (kind !== 'name') throw this.unreadable();
        const call = this.is('(') ? this.#arguments() : undefined;
        value = (scope, budget) =>
          call
            ? method(of(scope, budget), text, call(scope, budget), spent(line, budget))
            : attribute(of(scope, budget), text, line);
      } else if (this.accept('[')) {
        const from = this.is(':') ? undefined : this.expression();
        const isSlice = this.accept(':');
        const to = isSlice && !this.is(']') ? this.expression() : undefined;
        this.expect(']');
        value = (scope, budget) =>
          isSlice
            ? slice(of(scope, budget), from?.(scope, budget) ?? null, to?.(scope, budget) ?? null, line)
            : element(of(scope, budget), from!(scope, budget), line);
      } else return value;
    }
  }

  #atom(): Expression {
    const { kind, text, line, isTemplate } = this.next;
    if (kind === 'number') {
      this.take();
      const number = numberOf(text);
      return () => number ?? unknown(line, `${text} is no whole number`);
    }
    if (kind === 'text') {
      this.take();
      const first = isTemplate ? templateOf(text, line) : () => text;
      if (this.next.kind !== 'text') return first;
      const all = [first];
      while (this.next.kind === 'text') {
        const part = this.take();
        all.push(part.isTemplate ? templateOf(part.text, part.line) : () => part.text);
      }
      return (scope, budget) =>
        joined(
          all.map((part) => part(scope, budget)),
          line,
        );
    }
    if (kind === 'name') {
      if (notValues.has(text)) throw this.unreadable();
      this.take();
      if (!this.is('('))
        return (scope) => constants.get(text) ?? scope.get(text) ?? unknown(line, `${text} is not known`);
      const args = this.#arguments();
      return (scope, budget) => call(text, args(scope, budget), spent(line, budget));
    }
    if (this.accept('[')) return this.#list(']');
    if (this.accept('(')) return this.#list(')');
    throw this.unreadable();
  }

  /** A list, a comprehension, a tuple, or one expression in brackets. */
  #list(end: string): Expression {
    const all: Expression[] = [];
    let isTuple = end === ']';
    while (!this.is(end)) {
      const isSpread = this.accept('*');
      const { line } = this.next;
      const expression = this.#recovering();
      if (!isSpread && all.length === 0 && this.is('for')) {
        const made = this.#comprehension(expression);
        this.expect(end);
        return made;
      }
      all.push(isSpread ? spreadOf(expression, line) : expression);
      if (this.accept(',')) isTuple = true;
      else if (!this.is(end)) throw this.unreadable();
    }
    this.expect(end);
    return isTuple || all.length !== 1 ? listOf(all) : all[0]!;
  }

  /** An element; what is not read of it makes it unknown, not the list. */
  #recovering(): Expression {
    const depth = this.#depth;
    try {
      return this.expression();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.#depth = depth;
      this.skip();
      return () => unknown(error.line, error.message);
    }
  }

  /** `… for name in list if condition`, and further ones. */
  #comprehension(each: Expression): Expression {
    const { line } = this.next;
    if (++this.#depth > maxDepth) throw new Unreadable(line, `more than ${maxDepth} levels are not read`);
    this.expect('for');
    const names = [this.take()];
    while (this.accept(',')) names.push(this.take());
    if (names.some(({ kind }) => kind !== 'name')) throw this.unreadable();
    this.expect('in');
    const list = this.#operation(0);
    const conditions: Expression[] = [];
    while (this.accept('if')) conditions.push(this.#operation(0));
    const inner = this.is('for') ? this.#comprehension(each) : listOf([each]);
    this.#depth--;
    return (scope, budget) => {
      const over = list(scope, budget);
      if (!isList(over)) return isUnknown(over) ? over : unknown(line, "'for' needs a list");
      const all: Value[] = [];
      for (const item of over) {
        const parts = names.length === 1 ? [item] : isList(item) ? item : [];
        if (parts.length !== names.length) return unknown(line, "the names of 'for' do not fit its list");
        const own = new Map([...scope, ...names.map(({ text }, i) => [text, parts[i]!] as const)]);
        spent(line, budget);
        const decided = conditions.map((condition) => condition(own, budget));
        const undecided = decided.find(isUnknown);
        if (undecided) return undecided;
        if (!decided.every(isTrue)) continue;
        const made = inner(own, budget);
        if (!isList(made)) return made;
        all.push(...made);
        if (all.length > maxLength) return unknown(line, `a list of more than ${maxLength}`);
      }
      return all;
    };
  }

  #arguments(): (scope: Scope, budget: Budget) => Pick<Call, 'args' | 'named'> {
    const args: Expression[] = [];
    const named: (readonly [string, Expression])[] = [];
    this.expect('(');
    while (!this.is(')')) {
      const { kind, text, line } = this.next;
      if (kind === 'name' && this.#tokens[this.#at + 1]?.text === '=') {
        this.take();
        this.take();
        named.push([text, this.#recovering()]);
      } else if (this.accept('*')) args.push(spreadOf(this.#recovering(), line));
      else if (this.accept('**')) {
        this.skip();
        args.push(() => unknown(line, "'**' is not read here"));
      } else {
        const expression = this.#recovering();
        args.push(this.is('for') ? this.#comprehension(expression) : expression);
      }
      if (!this.accept(',') && !this.is(')')) throw this.unreadable();
    }
    this.expect(')');
    const list = listOf(args);
    return (scope, budget) => ({
      args: list(scope, budget) as readonly Value[],
      named: new Map(named.map(([name, value]) => [name, value(scope, budget)])),
    });
  }
}

const constants: ReadonlyMap<string, Value> = new Map([
  ['True', 1],
  ['False', 0],
  ['None', null],
]);

/** The elements of a list in a list: `*more`. */
const spreads = new WeakSet<Expression>();
function spreadOf(of: Expression, line: number): Expression {
  const spread: Expression = (scope, budget) => {
    const all = of(scope, budget);
    return isList(all) || isUnknown(all) ? all : unknown(line, "'*' needs a list");
  };
  spreads.add(spread);
  return spread;
}

const listOf =
  (all: readonly Expression[]): Expression =>
  (scope, budget) =>
    all.flatMap((expression): Value[] => {
      const value = expression(scope, budget);
      return spreads.has(expression) && isList(value) ? [...value] : [value];
    });

/** A line, at which one more step is counted. */
export function spent(line: number, budget: Budget): number {
  if (++budget.steps > maxSteps)
    throw new SyntaxProblem(line, `more than ${maxSteps} steps`, 'tables that are computed sooner');
  return line;
}

/** `f"BIT{i}"`: the expressions in braces. */
function templateOf(text: string, line: number): Expression {
  const parts = text.split(/(\{\{|\}\}|\{[^{}]*\})/).map((part): Expression => {
    if (part === '{{' || part === '}}') return () => part[0]!;
    if (!/^\{/.test(part)) return () => part;
    const inner = part.slice(1, -1);
    if (/[:!]/.test(inner)) return () => unknown(line, `'${part}' is not read here`);
    const parser = new Parser(tokensOf(inner, line));
    const value = parser.expression();
    return (scope, budget) => texts(value(scope, budget), line);
  });
  return (scope, budget) =>
    joined(
      parts.map((part) => part(scope, budget)),
      line,
    );
}

/** An expression of C with names of constants, as in `'NUM_WEAPONS-1'`; undefined if it is none. */
export function evaluated(text: string, names: Scope): number | undefined {
  try {
    const parser = new Parser(tokensOf(text));
    const value = parser.expression()(names, { steps: 0 });
    return parser.next.kind === 'newline' && typeof value === 'number' ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxProblem) return undefined;
    throw error;
  }
}
