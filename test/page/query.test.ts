import { describe, expect, it } from 'vitest';
import { holds, readQuery } from '../../src/page/search.ts';

describe('the text of the search box', () => {
  it.each([
    ['obj_character x>800', { words: ['obj_character'], conditions: [{ field: 'x', operator: '>', value: '800' }] }],
    ['Hello  world', { words: ['hello', 'world'], conditions: [] }],
    ['"good game" stress', { words: ['good game', 'stress'], conditions: [] }],
    [
      'weapon!=gun health<=3',
      {
        words: [],
        conditions: [
          { field: 'weapon', operator: '!=', value: 'gun' },
          { field: 'health', operator: '<=', value: '3' },
        ],
      },
    ],
    ['status[2]==1', { words: [], conditions: [{ field: 'status[2]', operator: '=', value: '1' }] }],
    ['x> >3 =', { words: ['x>', '>3', '='], conditions: [] }],
    ['"open', { words: ['open'], conditions: [] }],
    ['', { words: [], conditions: [] }],
  ])('%s', (text, query) => {
    expect(readQuery(text)).toEqual(query);
  });

  it('numbers are compared as numbers, names without regard to case', () => {
    const condition = (text: string) => readQuery(`f${text}`).conditions[0]!;
    expect(holds(condition('>800'), 801, undefined)).toBe(true);
    expect(holds(condition('>800'), 800, undefined)).toBe(false);
    expect(holds(condition('>=-5'), -5, undefined)).toBe(true);
    expect(holds(condition('<-5'), -6, undefined)).toBe(true);
    expect(holds(condition('=Grenade'), 3, 'grenade')).toBe(true);
    expect(holds(condition('!=grenade'), 3, 'grenade')).toBe(false);
    expect(holds(condition('!=3'), 3, 'grenade')).toBe(false);
    expect(holds(condition('=brownbear'), 'BrownBear', undefined)).toBe(true);
    expect(holds(condition('>bear'), 'brown', undefined)).toBe(false);
  });
});
