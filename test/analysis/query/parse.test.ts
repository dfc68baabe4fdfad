import { describe, expect, it } from 'vitest';
import { parseQuery, type Query, QueryError } from '../../../src/analysis/query/parse.ts';

/** A query in words, with brackets around everything. */
function shown(query: Query): string {
  switch (query.kind) {
    case 'name':
      return query.word;
    case 'text':
      return `"${query.text}"`;
    case 'changed':
      return `changed ${query.field}`;
    case 'condition':
      return `${query.field}${query.operator}${query.value}`;
    case 'not':
      return `not(${shown(query.part)})`;
    default:
      return `(${query.parts.map(shown).join(` ${query.kind} `)})`;
  }
}

describe('a query', () => {
  it.each([
    ['obj_character', 'obj_character'],
    ['obj_character x>800', '(obj_character and x>800)'],
    ['obj_character and x > 800', '(obj_character and x>800)'],
    ['a or b c', '(a or (b and c))'],
    ['a b or c and d or e', '((a and b) or (c and d) or e)'],
    ['not a b', '(not(a) and b)'],
    ['not not a', 'not(not(a))'],
    ['not (a or b) c', '(not((a or b)) and c)'],
    ['(a)', 'a'],
    ['changed weapon', 'changed weapon'],
    ['obj_character changed weapon x<=-5', '(obj_character and changed weapon and x<=-5)'],
    ['changed=1', 'changed=1'],
    ['killer="good name"', 'killer=good name'],
    ['text~gg', 'text~gg'],
    ['"good game" sv_chat', '("good game" and sv_chat)'],
    ['x==1', 'x=1'],
    ['x!=1', 'x!=1'],
    ['status[2]>=1', 'status[2]>=1'],
    ['tune_params[gravity]=50', 'tune_params[gravity]=50'],
    ['obj_character/0', 'obj_character/0'],
    ['player_flags=chatting|ready', 'player_flags=chatting|ready'],
  ])('%s is %s', (text, expected) => {
    expect(shown(parseQuery(text))).toBe(expected);
  });

  // The characters at which the error points.
  it.each([
    ['', 'the query is empty', ''],
    ['   ', 'the query is empty', ' '],
    ['(a', 'the bracket has no end', '('],
    ['a)', 'unexpected )', ')'],
    ['a and', 'the query ends here', ''],
    ['a or or b', 'unexpected or', 'or'],
    ['not', 'the query ends here', ''],
    ['x>', 'expected a value after >', '>'],
    ['x> >3', 'expected a value after >', '> >'],
    ['"open', 'the quote has no end', '"open'],
    ['""', 'the text is empty', '""'],
    ['changed', 'expected a field after changed', 'changed'],
    ['a ! b', 'unexpected !', '!'],
    ['=3', 'unexpected =', '='],
  ])("'%s': %s", (text, message, part) => {
    try {
      parseQuery(text);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(QueryError);
      const { at, to, message: said } = error as QueryError;
      expect(said).toContain(message);
      expect(text.slice(at, to)).toBe(part);
    }
  });
});
