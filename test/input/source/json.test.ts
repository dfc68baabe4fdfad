import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intsOfJson, readJson } from '../../../src/input/source/json.ts';
import { payloadJson } from '../../../src/output/json/item-json.ts';
import { DecodeError } from '../../../src/wire/bytes/diagnostic.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { firstInts } from '../../support/first.ts';
import { diagnosticsInFull, key, payloadOfInts, snapshotInts } from '../../support/readers.ts';

const snapshot = {
  kind: 'snapshot',
  protocol: '0.7',
  items: [
    { type: 4, name: 'not looked at', id: 7, data: [1, -2, 3], fields: { x: 99 } },
    { type: 0x7fff, id: 0xffff, data: [] },
  ],
};
const delta = { kind: 'delta', removed: [{ type: 4, id: 2 }], items: [{ type: 4, id: 7, data: [1, -2, 3] }] };

const intsOf = (json: unknown, version: '0.6' | '0.7' = '0.7') => [
  ...intsOfJson(readJson(JSON.stringify(json)), protocolOf(version)),
];

describe('the JSON of', () => {
  it('a snapshot results in its ints', () => {
    expect(readJson(JSON.stringify(snapshot)).protocol).toBe('0.7');
    expect(intsOf(snapshot)).toEqual([20, 2, 0, 16, key(4, 7), 1, -2, 3, key(0x7fff, 0xffff)]);
  });

  it('a delta results in its ints, with sizes where none is agreed', () => {
    expect(readJson(JSON.stringify(delta)).protocol).toBe(undefined);
    expect(intsOf(delta)).toEqual([1, 1, 0, key(4, 2), 4, 7, 1, -2, 3]);
    const sized = { kind: 'delta', removed: [], items: [{ type: 23, id: 1, data: [5] }] };
    expect(intsOf(sized)).toEqual([0, 1, 0, 23, 1, 1, 5]);
  });

  it('an empty snapshot or delta results in its counts alone', () => {
    expect(intsOf({ kind: 'snapshot', items: [] })).toEqual([0, 0]);
    expect(intsOf({ kind: 'delta', removed: [], items: [] })).toEqual([0, 0, 0]);
  });

  it('printed JSON results in the same ints again', () => {
    expect(intsOf(payloadJson(payloadOfInts(firstInts, 'delta', '0.7')))).toEqual(firstInts);
    const ints = snapshotInts([0, 0x7fff, 1, 2, 3, 4], [0x7fff, 1, 8], [4, 7, 1, 2, 3]);
    expect(intsOf(payloadJson(payloadOfInts(ints, 'snapshot', '0.7')))).toEqual([...ints]);
  });

  it('any snapshot comes back', () => {
    const item = fc.record({
      type: fc.nat(0x7fff),
      id: fc.nat(0xffff),
      data: fc.array(fc.integer(), { maxLength: 5 }),
    });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 20 }), (items) => {
        const ints = snapshotInts(...items.map(({ type, id, data }) => [type, id, ...data] as const));
        expect(intsOf({ kind: 'snapshot', items })).toEqual([...ints]);
      }),
    );
  });
});

describe('what is wrong', () => {
  const item = (changes: object) => ({ kind: 'snapshot', items: [{ type: 1, id: 2, data: [3], ...changes }] });
  it.each<[string, unknown, string]>([
    ['null', null, 'kind'],
    ['a list', [], 'kind'],
    ['no kind', { items: [] }, 'kind'],
    ['another kind', { kind: 'diff', items: [] }, 'kind'],
    ['an unknown protocol', { kind: 'snapshot', protocol: '0.8', items: [] }, 'protocol'],
    ['no items', { kind: 'snapshot' }, 'items'],
    ['items that are no list', { kind: 'snapshot', items: {} }, 'items'],
    ['a delta without removed', { kind: 'delta', items: [] }, 'removed'],
    ['an item that is none', { kind: 'snapshot', items: [5] }, 'items[0].type'],
    ['a type too high', item({ type: 0x8000 }), 'items[0].type'],
    ['a type too low', item({ type: -0x8001 }), 'items[0].type'],
    ['a type as text', item({ type: '1' }), 'items[0].type'],
    ['an id too high', item({ id: 0x10000 }), 'items[0].id'],
    ['a broken id', item({ id: 1.5 }), 'items[0].id'],
    ['no data', item({ data: undefined }), 'items[0].data'],
    ['an int too high', item({ data: [1, 2 ** 31] }), 'items[0].data[1]'],
    ['an int too low', item({ data: [-(2 ** 31) - 1] }), 'items[0].data[0]'],
    ['an int that is none', item({ data: [null] }), 'items[0].data[0]'],
    ['a removed item without id', { kind: 'delta', removed: [{ type: 1 }], items: [] }, 'removed[0].id'],
  ])('%s is reported with its path', (_, json, path) => {
    expect(diagnosticsInFull(() => void readJson(JSON.stringify(json)))).toMatchObject([
      ['error', 'bad_json', 0, { path }],
    ]);
  });

  it('text that ends early is reported at its end', () => {
    for (const text of ['', '{"kind": ', '{"kind":"snap']) {
      expect(diagnosticsInFull(() => void readJson(text))).toMatchObject([['error', 'bad_json', text.length, {}]]);
    }
  });

  it('broken syntax is reported at the character where it breaks', () => {
    expect(diagnosticsInFull(() => void readJson('{"kind": "snapshot", "items": [1 2]}'))).toMatchObject([
      ['error', 'bad_json', 33, {}],
    ]);
  });

  // V8's message "Unexpected token 'x', … is not valid JSON" contains no position in Node 20.
  it.each([
    ['{"kind": x}', 9],
    ['hello', 0],
  ])('%s is reported with the character where it breaks', (text, offset) => {
    expect(diagnosticsInFull(() => void readJson(text))).toMatchObject([['error', 'bad_json', offset, {}]]);
  });

  // JSON.stringify of such a value overflows the stack.
  it('a value that is nested deep is a DecodeError too', () => {
    const deep = `{"kind":${'['.repeat(1e5)}${']'.repeat(1e5)}}`;
    expect(() => readJson(deep)).toThrow(DecodeError);
  });

  it('data of another size than agreed is refused: a delta has no room to say so', () => {
    for (const data of [[1, 2], [1, 2, 3, 4], []]) {
      const json = { kind: 'delta', removed: [], items: [{ type: 4, id: 0, data }] };
      expect(diagnosticsInFull(() => void intsOf(json))).toMatchObject([
        ['error', 'bad_json', 0, { path: 'items[0].data' }],
      ]);
      expect(intsOf({ kind: 'snapshot', items: json.items })).toHaveLength(4 + data.length);
    }
  });

  it('is never anything but a DecodeError', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        expect(diagnosticsInFull(() => void intsOfJson(readJson(text), protocolOf('0.6'))).length).toBeLessThanOrEqual(
          1,
        );
      }),
    );
    const kinds = fc.constantFrom('snapshot', 'delta', 1);
    const any = fc.oneof(
      fc.anything(),
      fc.array(fc.record({ type: fc.anything(), id: fc.nat(), data: fc.anything() })),
    );
    fc.assert(
      fc.property(fc.record({ kind: kinds, removed: any, items: any }), (json) => {
        const text = JSON.stringify(json, (_, value) => (typeof value === 'bigint' ? 0 : value));
        expect(diagnosticsInFull(() => void intsOfJson(readJson(text), protocolOf('0.6'))).length).toBeLessThanOrEqual(
          1,
        );
      }),
    );
  });
});
