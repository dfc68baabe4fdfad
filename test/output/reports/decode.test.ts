import { describe, expect, it } from 'vitest';
import { renderTable } from '../../../src/output/reports/decode.ts';
import { plainTheme } from '../../../src/output/text/theme.ts';
import type { Payload } from '../../../src/wire/payload/payload.ts';
import { key, payloadOfInts, snapshotInts, snapshotOf } from '../../support/readers.ts';

const render = (payload: Payload, verbose = false) =>
  renderTable(payload, { name: 'FILE', theme: plainTheme, width: 100, verbose });

/** The paragraphs as cells, without the spacing. */
const cellsOf = (text: string) =>
  text
    .trimEnd()
    .split('\n\n')
    .map((part) => part.split('\n').map((line) => line.trim().split(/ {2,}/)));

describe('a delta', () => {
  it('lists the removed items', () => {
    const [, removed] = cellsOf(render(payloadOfInts([2, 0, 0, key(4, 7), key(63, 1)], 'delta', '0.7')));
    expect(removed).toEqual([
      ['removed', 'obj_pickup 7'],
      ['removed', 'type_63 1'],
    ]);
  });

  it('with its base shows what changed', () => {
    const core = [10, 484, 1068, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 0, 0];
    const step = [0, -292, 3, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0];
    const base = snapshotOf([10, 1, ...core, 10, 0, 0, 0, 0, 0, 0]);
    const [, item] = cellsOf(
      render(payloadOfInts([0, 1, 0, 10, 1, ...step, 0, 0, 0, 1, 0, 0, 0], 'delta', '0.7', base)),
    );
    // 292 units are 9.125 tiles, 3 are 0.09.
    expect(item).toMatchObject([
      ['obj_character 1', '22 ints, key 0x000a0001'],
      ['x', '484 → 192', '-292', '-9.13 tiles'],
      ['y', '1068 → 1071', '+3', '+0.09 tiles'],
      ['jumped', '1 → 3', '+2', '+air_jump'],
      ['weapon', '0 → 1', '+1', 'hammer → gun'],
      ['18 more fields are as before'],
    ]);
  });
});

describe('a snapshot', () => {
  it('shows its checksum', () => {
    const [[head]] = cellsOf(render(payloadOfInts(snapshotInts([4, 7, 1, -3, 0]), 'snapshot', '0.7'))) as [string[][]];
    expect(head).toEqual(['FILE', 'ints · snapshot · 0.7', '28 bytes → 7 ints', '1 item, checksum -2']);
  });

  it('shows fields that an older sender left out, and items that no table names', () => {
    const uuid = [0x76ce455b, 0xf9eb3a48 | 0, 0xadd7e04b | 0, 0x941d045c | 0] as const;
    const payload = payloadOfInts(snapshotInts([0, 0x7fff, ...uuid], [0x7fff, 3, 0, 5], [63, 1, 7]), 'snapshot');
    const [, registration, item, unknown] = cellsOf(render(payload));
    expect(registration![1]).toEqual(['uuid', '76ce455b-f9eb-3a48-add7-e04b941d045c', 'ddnet_character']);
    expect(item![0]).toMatchObject(['ddnet_character 3', expect.stringMatching(/^2 ints, key 0x7fff0003/)]);
    expect(item).toContainEqual(['jumps', '2', 'not sent, the default']);
    expect(unknown).toEqual([
      ['type_63 1', '1 int, key 0x003f0001'],
      ['data[0]', '7'],
    ]);
  });
});
