import { expect, it } from 'vitest';
import { edited, writeDemo } from '../../../src/api/edit.ts';
import { readDemo } from '../../../src/api/index.ts';
import { infoColumns } from '../../../src/output/results/info.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { fieldAt } from '../../../src/wire/snapshot/item-fields.ts';
import { recordsOf, run } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

const demo = read('vanilla-dm1.demo');
const objectOf = async (bytes: Uint8Array) =>
  recordsOf((await run('info a.demo -t ndjson', { 'a.demo': bytes })).stdout)[0];

it('says whether a demo is only cut, and how much of its map is there', async () => {
  // The header of version 4 has 432 bytes; then the 6,793 of the map follow.
  expect(await objectOf(demo)).toMatchObject({ cut: false, map: { size: 6793, size_found: 6793, ok: true } });
  const half = demo.subarray(0, demo.length >> 1);
  expect(await objectOf(half)).toMatchObject({ cut: true, health: 'damaged' });
  const twoPlaces = half.map((byte, i) => (i > 20_000 && i < 20_040 ? byte ^ 0x55 : byte));
  expect(await objectOf(twoPlaces)).toMatchObject({ cut: false, health: 'damaged' });
});

it("has the results for the checksums of a player's demo, as checksum has", async () => {
  const files = { 'a.demo': read('ddnet-race-player.demo') };
  const [sums] = recordsOf((await run('checksum a.demo -t ndjson --summary', files)).stdout);
  expect(sums.matched).toBeGreaterThan(0);
  const { matched, mismatched } = await objectOf(files['a.demo']);
  expect({ matched, mismatched }).toEqual({ matched: sums.matched, mismatched: sums.mismatched });
  expect(await objectOf(demo)).not.toHaveProperty('matched');
});

it('has the value that no client takes, also if it is the only one', async () => {
  const character = protocolOf('0.7').byName('obj_character')!;
  let tick = -1;
  const odd = writeDemo(
    edited(readDemo(demo), {
      snapshot(snapshot, entry) {
        const at = Array.from(snapshot.keys).findIndex((_, i) => snapshot.type(i) === character.type);
        if (tick >= 0 || at < 0) return false;
        tick = entry.tick;
        // NetIntRange("m_Weapon", 0, 'NUM_WEAPONS-1') of 0.7.5, which is 5.
        snapshot.data[snapshot.offsets[at]! + fieldAt(character, 'weapon')!] = 6;
        return true;
      },
    }),
  );
  expect((await objectOf(odd)).odd_values).toEqual([
    { item: 'obj_character', field: 'weapon', value: 6, min: 0, max: 5, count: 1, tick },
  ]);
});

/** The value in JSON and the cell in CSV of what has the same name. */
it.each(['vanilla-dm1.demo', 'ddnet-race-player.demo', 'ddnet-ipv6.pcap', 'duplicate-key.pcap'])(
  'JSON and CSV agree about %s',
  async (name) => {
    const files = { [name]: read(name) };
    const [object] = recordsOf((await run(`info ${name} -t ndjson`, files)).stdout);
    const [head, row] = (await run(`info ${name} -t csv`, files)).stdout.split('\n');
    expect(head).toBe(Object.keys(infoColumns).join(','));
    // No cell before these has a comma.
    const cells = row!.split(',');
    const columns = head!.split(',').slice(0, 12);
    const connection = object.connections?.[0];
    const compared = columns
      .filter((key) => !['error', 'map', 'messages'].includes(key))
      .map((key, i, all) => {
        const value = (key in (connection ?? {}) && !(key in object) ? connection : object)[key];
        return [all[i], String(value ?? ''), cells[columns.indexOf(key)]];
      });
    expect(compared.length).toBe(9);
    for (const [key, value, cell] of compared) if (value !== '') expect([key, cell]).toEqual([key, value]);
  },
);
