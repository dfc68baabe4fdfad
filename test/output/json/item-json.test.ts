import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { payloadJson, renderJson } from '../../../src/output/json/item-json.ts';
import { unwrap } from '../../../src/wire/payload/encoding-layers.ts';
import { type Kind, type Payload, readPayload } from '../../../src/wire/payload/payload.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { firstPacked } from '../../support/first.ts';
import { bytes, type Item, key, payloadOfInts, snapshotInts, snapshotOf } from '../../support/readers.ts';

const read = (src: Uint8Array, encoding: 'huffman' | 'packed', kind: Kind = 'delta') =>
  readPayload(unwrap(src, encoding), kind, protocolOf('0.7'));

/** The JSON after printing and parsing, as scripts read it, in its order. */
const seen = (payload: Payload) => JSON.parse(renderJson(payloadJson(payload)));
const inOrder = (json: unknown) => JSON.stringify(json);

describe('a snapshot', () => {
  const seenItems = (items: Item[], version: '0.6' | '0.7' = '0.6') =>
    seen(payloadOfInts(snapshotInts(...items), 'snapshot', version));

  it('has its checksum', () => {
    expect(inOrder(seenItems([[4, 7, 1, -2, 0]], '0.7'))).toBe(
      inOrder({
        ...{ kind: 'snapshot', encoding: 'ints', protocol: '0.7' },
        items: [{ type: 4, name: 'obj_pickup', id: 7, data: [1, -2, 0], fields: { x: 1, y: -2, type: 0 } }],
        crc: -1,
        diagnostics: [],
      }),
    );
  });

  it('names unknown types null, without fields', () => {
    expect(inOrder(seenItems([[63, 1, 5]]).items)).toBe('[{"type":63,"name":null,"id":1,"data":[5]}]');
  });

  it('contains UUIDs', () => {
    const uuid = [0x76ce455b, 0xf9eb3a48 | 0, 0xadd7e04b | 0, 0x941d045c | 0] as const;
    const [registration, user, unknownItem] = seenItems([
      [0, 0x7fff, ...uuid],
      [0x7fff, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 99],
      [0x7ffe, 3, 1],
    ]).items;
    expect(registration.fields).toEqual({ uuid: '76ce455b-f9eb-3a48-add7-e04b941d045c' });
    expect(user).toMatchObject({
      ...{ type: 0x7fff, name: 'ddnet_character', id: 3, uuid: '76ce455b-f9eb-3a48-add7-e04b941d045c' },
      data: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 99],
    });
    // Surplus ints are only in `data`; the fields are those of docs/formats/extended-items.md.
    expect(Object.entries(user.fields)).toEqual(
      'flags freeze_end jumps tele_checkpoint strong_weak_id jumped_total ninja_activation_tick freeze_start target_x target_y tune_zone_override'
        .split(' ')
        .map((name, i) => [name, i + 1]),
    );
    expect(unknownItem).toEqual({ type: 0x7ffe, name: null, id: 3, data: [1] });
  });

  it('contains the fields that are present', () => {
    expect(seenItems([[4, 7, 1, 2]], '0.7').items[0].fields).toEqual({ x: 1, y: 2 });
  });

  it('contains text as strings, and lists', () => {
    // "ab" and "": each byte minus 128, the last one NUL and sent as 0 (docs/formats/fields.md).
    const name = [0xe1e28080 | 0, 0x80808080 | 0, 0x80808080 | 0, 0x80808000 | 0];
    const none = [0x80808080 | 0, 0x80808080 | 0, 0x80808000 | 0];
    const part = [...none.slice(0, 1), ...none.slice(0, 1), ...none.slice(0, 1), ...none];
    const parts = new Array(6).fill(part).flat();
    const { fields } = seenItems(
      [[13, 1, 1, 0, ...name, ...none, 5, ...parts, 1, 0, 1, 0, 1, 0, 1, 2, 3, 4, 5, 6]],
      '0.7',
    ).items[0];
    expect(fields).toEqual({
      ...{ local: 1, team: 0, name: 'ab', clan: '', country: 5, skin_part_names: ['', '', '', '', '', ''] },
      ...{ use_custom_colors: [1, 0, 1, 0, 1, 0], skin_part_colors: [1, 2, 3, 4, 5, 6] },
    });
  });
});

describe('a delta', () => {
  it('lists the removed items', () => {
    const json = seen(payloadOfInts([2, 0, 0, key(4, 7), key(63, 1)], 'delta', '0.7'));
    expect(inOrder(json.removed)).toBe('[{"type":4,"name":"obj_pickup","id":7},{"type":63,"name":null,"id":1}]');
  });

  it('has old and new values, with a base', () => {
    const payload = payloadOfInts(
      [0, 2, 0, 4, 3, 6, 0, 1, 4, 4, 1, 2, 0],
      'delta',
      '0.7',
      snapshotOf([4, 3, 784, 10, 0]),
    );
    const [updated, added] = seen(payload).items;
    expect(updated).toMatchObject({
      data: [790, 10, 1],
      fields: { x: 790, y: 10, type: 1 },
      differences: [6, 0, 1],
      old: { x: 784, y: 10, type: 0 },
    });
    expect(added).not.toHaveProperty('old');
    expect(added).not.toHaveProperty('differences');
  });
});

describe('diagnostics', () => {
  it('are warnings, then the error, with their place', () => {
    const { diagnostics } = seen(read(bytes('00 02 05 04 01 05 06 00'), 'packed'));
    expect(diagnostics.map(({ message, ...rest }: { message: string }) => rest)).toEqual([
      { severity: 'warning', code: 'nonzero_zero', offset: 2 },
      { severity: 'error', code: 'truncated_delta', offset: 8 },
    ]);
    for (const diagnostic of diagnostics) {
      expect(Object.keys(diagnostic)).toEqual(['severity', 'code', 'offset', 'message']);
      expect(diagnostic.message).not.toBe('');
    }
  });

  it('are printed together with the readable part', () => {
    const { items, diagnostics } = seen(read(firstPacked.subarray(0, 18), 'packed'));
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['obj_game_data', 'obj_character']);
    expect(items[1].fields).toEqual({ tick: 1243, x: 784, y: 305, vel_x: 0 });
    expect(diagnostics).toMatchObject([{ severity: 'error', code: 'truncated_varint' }]);
  });
});

describe('any payload', () => {
  it('is JSON without a key twice, and only real numbers', () => {
    const byte = fc.oneof({ weight: 3, arbitrary: fc.nat(12) }, fc.nat(255));
    const encoding = fc.constantFrom('huffman', 'packed' as const);
    const kind = fc.constantFrom<Kind>('delta', 'snapshot');
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 80 }), encoding, kind, (src, how, what) => {
        const json = payloadJson(read(Uint8Array.from(src), how, what));
        expect(JSON.parse(renderJson(json))).toEqual(json);
        expect(renderJson(json)).not.toMatch(/undefined|NaN/);
      }),
      { numRuns: 300 },
    );
  });
});
