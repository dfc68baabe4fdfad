import { describe, expect, it } from 'vitest';
import { main } from '../../../commands/index.ts';
import { ItemValues } from '../../../src/recording/health/odd-values.ts';
import type { Stream } from '../../../src/recording/replay/stream.ts';
import { describeValue } from '../../../src/wire/annotate/describe.ts';
import { valuesUpTo } from '../../../src/wire/annotate/field-values.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { ItemTypes } from '../../../src/wire/snapshot/item-types.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { mapChange, playerItems, serverCapture, snapshotMessage } from '../../support/made-capture.ts';
import { Recording } from '../../support/recording.ts';

const protocol = protocolOf('0.6');

/** The values of an item with these ints: `flags2=2048 (old_laser)`. */
function valuesOf(name: string, ...ints: readonly number[]): string[] {
  const type = protocol.byName(name)!;
  const data = Int32Array.from(ints);
  return [...valuesUpTo(type, data.length)].map((value) => {
    const { value: number, symbol } = describeValue(value, data, false, new ItemTypes(protocol));
    return `${value.label}=${number}${symbol === undefined ? '' : ` (${symbol})`}`;
  });
}

describe('what DDNet 20.1 sends', () => {
  it('game_info_ex has a sixth int, and with it bit 11 of flags2 is old_laser', () => {
    const values = valuesOf('game_info_ex', 0, 12, 0x800, 0, 8, 65);
    expect(values).toContain('flags2=2048 (old_laser)');
    expect(values).toContain('num_ddrace_teams=65');
  });

  it.each([
    ['3 ints', [0, 10, 0x800]],
    ['5 ints', [0, 13, 0x800, 0, 8]],
  ])('with %s the bit is supports_128_teams, whatever the version field says', (_, ints) => {
    expect(valuesOf('game_info_ex', ...ints)).toContain('flags2=2048 (supports_128_teams)');
  });

  it.each(['obj_pickup', 'ddnet_pickup'])('%s has the powerup freeze', (name) => {
    expect(valuesOf(name, 32, 64, 8, 0)).toContain('type=8 (freeze)');
  });
});

describe('values that no table has', () => {
  const newer = (...recordings: Recording[]) => {
    const found = new ItemValues();
    for (const { records } of recordings)
      for (const record of records)
        if (record.record === 'snapshot')
          found.onSnapshot(record.snapshot!, undefined, record.tick, { protocol, client: '' } as Stream);
    return [...found.newer];
  };

  it('are counted by their kind', () => {
    const recording = new Recording('0.6')
      .tick(1)
      .snapshot(['obj_pickup', 0, { type: 9 }], ['obj_pickup', 1, { type: 9 }], ['obj_pickup', 2, { type: 8 }])
      .snapshot(['game_info_ex', 0, { flags2: 0x3801 }]);
    expect(newer(recording)).toEqual(['obj_pickup.type 9', 'game_info_ex.flags2 0x1000', 'game_info_ex.flags2 0x2000']);
  });

  it('do not include numbers between those of an enumeration', () => {
    expect(newer(new Recording('0.6').tick(1).snapshot(['obj_character', 0, { hook_state: 2, weapon: -1 }]))).toEqual(
      [],
    );
  });

  it('are in the output of info, and marked in that of decode', async () => {
    const items = [
      ...playerItems(0, 'nameless tee'),
      ['obj_pickup', 3, { type: 9 }],
      ['ddnet_player', 0, { flags: 0x8 }],
    ] as const;
    const capture = serverCapture([
      [50001, mapChange('dm1')],
      [50001, snapshotMessage(100, ...items)],
    ]);
    const io = fakeIo({ files: { 'a.pcap': capture } });
    await main(['info', 'a.pcap'], io);
    expect(io.stdout.text).toMatch(
      /newer +than the tables of tw-snap: 2 kinds of values: +obj_pickup.type 9,\s+ddnet_player.flags 0x8/,
    );
    const json = fakeIo({ files: { 'a.pcap': capture } });
    await main(['info', 'a.pcap', '-t', 'json'], json);
    expect(JSON.parse(json.stdout.text)[0].connections[0].newer).toEqual([
      'obj_pickup.type 9',
      'ddnet_player.flags 0x8',
    ]);
  });

  it('are unknown where values have names', () => {
    expect(valuesOf('obj_pickup', 0, 0, 9, 0)).toContain('type=9 (unknown)');
    // An int more than the table has fields.
    const { size } = protocol.byName('ddnet_player')!;
    const ints = Array.from({ length: size }, (_, at) => (at === 0 ? 8 : 0));
    expect(valuesOf('ddnet_player', ...ints, 5)).toEqual(expect.arrayContaining(['flags=8 (0x8)', `data[${size}]=5`]));
  });
});

it('--version --verbose says what was built from what', async () => {
  const io = fakeIo({});
  expect(await main(['--version', '--verbose'], io)).toBe(0);
  expect(io.stdout.text).toMatch(
    /^tw-snap 0\.0\.0-test\ncommit unknown\nNode v\d+[^\n]*\nprotocol tables: .*28baa427\)\n$/,
  );
});
