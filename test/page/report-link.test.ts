import { describe, expect, it } from 'vitest';
import { readLink, writeLink } from '../../src/page/link.ts';

describe('links to a tick and item of a report', () => {
  it.each([
    ['#tick=8170&item=obj_character/0', { tick: 8170, item: 'obj_character/0' }],
    ['#client=127.0.0.1:47011&tick=5', { client: '127.0.0.1:47011', tick: 5 }],
    ['#client=[::1]:1 (2)&tick=5&item=type 31/2', { client: '[::1]:1 (2)', tick: 5, item: 'type 31/2' }],
    ['', {}],
  ])('%s is read, written and read again', (hash, link) => {
    expect(readLink(hash)).toEqual(link);
    expect(readLink(writeLink(link))).toEqual(link);
  });

  it.each(['#tick=-1', '#tick=1e3', '#tick=<b>', '#item=<img src=x>/0', '#item=obj_character', '#nothing', '#%'])(
    'ignores the invalid parameter of %s',
    (hash) => {
      expect(readLink(hash)).toEqual({});
    },
  );

  it('leaves the slash of an item unescaped', () => {
    expect(writeLink({ tick: 8170, item: 'obj_character/0' })).toBe('#tick=8170&item=obj_character/0');
  });
});
