import { describe, expect, it } from 'vitest';
import { maxLinkBytes, readPayloadLink, writePayloadLink } from '../../src/input/source/payload-link.ts';
import { type ReportLink, readLink, writeLink } from '../../src/page/views/link.ts';

describe('links to a tick and item of a report', () => {
  it.each<[string, ReportLink]>([
    ['#tick=8170&item=obj_character/0', { tick: 8170, item: 'obj_character/0' }],
    ['#client=127.0.0.1:47011&tick=5', { client: '127.0.0.1:47011', tick: 5 }],
    ['#client=[::1]:1 (2)&tick=5&item=type_31/2', { client: '[::1]:1 (2)', tick: 5, item: 'type_31/2' }],
    ['', {}],
    [
      '#followed=camera&camera=10,-20.5,0.25&showsPaths=true',
      { followed: 'camera', camera: [10, -20.5, 0.25], showsPaths: true },
    ],
    [
      '#followed=7&filter=obj_ a&onlyChanged=false&hidden=chat,others',
      { followed: 7, filter: 'obj_ a', onlyChanged: false, hidden: ['chat', 'others'] },
    ],
    ['#query=x>5&plots=obj_character/0/x,a b/1/c[0]', { query: 'x>5', plots: ['obj_character/0/x', 'a b/1/c[0]'] }],
    ['#repeated=5..9&visible=1..20', { repeated: { from: 5, to: 9 }, visible: { from: 1, to: 20 } }],
  ])('%s is read, written and read again', (hash, link) => {
    expect(readLink(hash)).toEqual(link);
    expect(readLink(writeLink(link))).toEqual(link);
  });

  it.each([
    '#tick=-1',
    '#tick=1e3',
    '#tick=<b>',
    '#item=<img src=x>/0',
    '#item=obj_character',
    '#nothing',
    '#%',
    '#camera=1,2',
    '#camera=1,2,3e9',
    '#followed=<b>',
    '#repeated=9..5',
    '#visible=..',
  ])('ignores the invalid parameter of %s', (hash) => {
    expect(readLink(hash)).toEqual({});
  });

  it('leaves the slash of an item unescaped', () => {
    expect(writeLink({ tick: 8170, item: 'obj_character/0' })).toBe('#tick=8170&item=obj_character/0');
  });
});

describe('links to what is as usual', () => {
  it('leave it out', () => {
    const usual = { followed: 'all', plots: [], visible: { from: 0, to: 9 } } as const;
    const link = { tick: 5, followed: 3, plots: [], visible: { from: 0.5, to: 8.2 } } as const;
    expect(writeLink(link, usual)).toBe('#tick=5&followed=3');
  });
});

describe('links that contain a payload', () => {
  it('are read, written and read back', () => {
    const link = { bytes: Uint8Array.of(0, 3, 0, 0xff), version: '0.7' } as const;
    expect(writePayloadLink(link)).toBe('#hex=000300ff&p=0.7');
    expect(readPayloadLink('#hex=000300FF&p=0.7')).toEqual(link);
    expect(readPayloadLink('#hex=00 03&p=9')).toEqual({ bytes: Uint8Array.of(0, 3), version: undefined });
  });

  it.each(['', '#', '#hex=', '#hex=0', '#hex=0g', '#tick=5', '#hex=<b>'])('%s has no link', (hash) => {
    expect(readPayloadLink(hash)).toBeUndefined();
  });

  it('a long payload has no link', () => {
    expect(writePayloadLink({ bytes: new Uint8Array(maxLinkBytes + 1), version: '0.6' })).toBeUndefined();
  });
});
