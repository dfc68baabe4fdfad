/*
 * The query language of `--where` and of the page's search box:
 *
 *   obj_character x>800 weapon=ninja        items of a type whose values fulfil conditions
 *   sv_killmsg weapon=grenade               messages
 *   kill killer=corpus                      events; a player's name stands for the number
 *   chat text~gg or chat text~"good game"   either; without `or`, both
 *   obj_character not (x>800 or y>800)
 *   changed weapon                          the value differs from that in the snapshot before
 *
 * `not` binds closest, then `and`, which may be left out, then `or`. A query is plain data: threads get copies of it.
 */

/** A query as it is written. `at` and `to` are where a part of it begins and ends in the text. */
export type Query = QueryPart & { readonly at: number; readonly to: number };

type QueryPart =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Query[] }
  | { readonly kind: 'not'; readonly part: Query }
  /** The name of an item, a message or an event. */
  | { readonly kind: 'name'; readonly word: string }
  /** Text in double quotes: what is in any text of an item, a message or an event. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'changed'; readonly field: string }
  | Condition;

export interface Condition {
  readonly kind: 'condition';
  readonly field: string;
  readonly operator: Operator;
  readonly value: string;
  readonly valueAt: number;
}

/** `~` is contained text. */
export type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=' | '~';

/** What is wrong in a query, and where: characters `at` up to `to` of its text. */
export class QueryError extends Error {
  readonly at: number;
  readonly to: number;

  constructor(message: string, { at, to }: { readonly at: number; readonly to: number }) {
    super(message);
    this.at = at;
    this.to = to;
  }
}

interface Token {
  readonly kind: 'word' | 'text' | 'operator' | '(' | ')' | 'end';
  readonly text: string;
  readonly at: number;
  readonly to: number;
}

const tokenPattern = /\s*(?:"([^"]*)("?)|(==|!=|<=|>=|[=<>~])|([()])|([^\s()"=<>~!]+)|(\S))/y;

function* tokensOf(text: string): Generator<Token, Token> {
  const pattern = new RegExp(tokenPattern);
  for (;;) {
    const found = pattern.exec(text);
    if (!found) return { kind: 'end', text: '', at: text.trimEnd().length, to: text.trimEnd().length + 1 };
    const [whole, quoted, quote, operator, bracket, word, other] = found;
    const to = pattern.lastIndex;
    const at = to - whole.trimStart().length;
    if (quoted !== undefined) {
      if (!quote) throw new QueryError('the quote has no end', { at, to });
      yield { kind: 'text', text: quoted, at, to };
    } else if (operator !== undefined) {
      yield { kind: 'operator', text: operator === '==' ? '=' : operator, at, to };
    } else if (bracket !== undefined) yield { kind: bracket as '(' | ')', text: bracket, at, to };
    else if (word !== undefined) yield { kind: 'word', text: word, at, to };
    else throw new QueryError(`unexpected ${other}: operators are = != < <= > >= ~`, { at, to });
  }
}

/** Deeper, and what reads a query could need more than the stack has. */
const maxDepth = 100;

/** @throws QueryError */
export function parseQuery(text: string): Query {
  const tokens: Token[] = [];
  const source = tokensOf(text);
  for (let next = source.next(); ; next = source.next()) {
    tokens.push(next.value);
    if (next.done) break;
  }
  let read = 0;
  let depth = 0;
  const peek = () => tokens[read]!;
  const take = () => tokens[read++]!;
  const isWord = (word: string) =>
    peek().kind === 'word' && peek().text === word && tokens[read + 1]?.kind !== 'operator';

  /** Parts with a word between them that may be left out. */
  function several(kind: 'and' | 'or', single: () => Query, hasMore: () => boolean): Query {
    const parts = [single()];
    while (hasMore()) parts.push(single());
    const [first] = parts as [Query];
    return parts.length === 1 ? first : { kind, parts, at: first.at, to: parts.at(-1)!.to };
  }
  const taken = (word: string) => isWord(word) && take() !== undefined;
  const either = (): Query => several('or', all, () => taken('or'));
  const all = (): Query =>
    several('and', negated, () => taken('and') || !(['end', ')'].includes(peek().kind) || isWord('or')));

  function negated(): Query {
    if (!isWord('not')) return single();
    const { at, to } = take();
    const part = nested({ at, to }, negated);
    return { kind: 'not', part, at, to: part.to };
  }

  function nested(place: { readonly at: number; readonly to: number }, part: () => Query): Query {
    if (depth >= maxDepth) throw new QueryError(`more than ${maxDepth} brackets and nots inside each other`, place);
    depth++;
    const found = part();
    depth--;
    return found;
  }

  function single(): Query {
    const token = take();
    const { kind, text: word, at, to } = token;
    if (kind === '(') {
      const inner = nested({ at, to }, either);
      const end = take();
      if (end.kind !== ')') throw new QueryError('the bracket has no end', { at, to });
      return { ...inner, at, to: end.to };
    }
    if (kind === 'text' && peek().kind !== 'operator') {
      if (word === '') throw new QueryError('the text is empty', token);
      return { kind: 'text', text: word, at, to };
    }
    if (kind !== 'word' || isKeyword(token)) throw unexpected(token);
    if (word === 'changed' && peek().kind === 'word' && !isKeyword(peek())) {
      const field = take();
      return { kind: 'changed', field: field.text, at, to: field.to };
    }
    if (peek().kind !== 'operator') {
      if (word === 'changed') throw new QueryError('expected a field after changed', { at, to });
      return { kind: 'name', word, at, to };
    }
    const operator = take();
    const value = take();
    if (value.kind !== 'word' && value.kind !== 'text')
      throw new QueryError(`expected a value after ${operator.text}`, { at: operator.at, to: value.to });
    return {
      kind: 'condition',
      field: word,
      operator: operator.text as Operator,
      value: value.text,
      valueAt: value.at,
      at,
      to: value.to,
    };
  }
  const isKeyword = ({ kind, text: word }: Token) => kind === 'word' && ['and', 'or', 'not'].includes(word);

  if (peek().kind === 'end') throw new QueryError('the query is empty', { at: 0, to: 1 });
  const query = either();
  if (peek().kind !== 'end') throw unexpected(peek());
  return query;
}

function unexpected(token: Token): QueryError {
  if (token.kind === 'end') return new QueryError('the query ends here: expected a name, a condition or (', token);
  return new QueryError(`unexpected ${token.text}: expected a name, a condition or (`, token);
}
