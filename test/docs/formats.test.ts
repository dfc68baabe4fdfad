import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packInts } from '../../src/api/codec.ts';
import { ByteBuffer } from '../../src/wire/bytes/buffers.ts';
import { decompress } from '../../src/wire/codec/huffman.ts';
import { extendedItems } from '../../src/wire/protocol/items.ts';
import { protocolOf, type Version } from '../../src/wire/protocol/registry.ts';

const root = join(import.meta.dirname, '../..');
const pages = ['docs/FORMATS.md', ...readdirSync(join(root, 'docs/formats')).map((name) => `docs/formats/${name}`)];
const textOf = (page: string) => readFileSync(join(root, page), 'utf8');

describe.each(pages)('%s', (page) => {
  const text = textOf(page);

  it('has at most 350 lines', () => {
    expect(text.split('\n').length).toBeLessThanOrEqual(350);
  });

  const blocks = [...text.matchAll(/^```demo ([^\n]+)\n([\s\S]*?)^```$/gm)];
  if (blocks.length === 0) return;
  it('shows the bytes of the samples that it names', () => {
    for (const [, source = '', rows = ''] of blocks) {
      const bytes = bytesOf(source);
      for (const row of rows.trimEnd().split('\n')) {
        if (row === '...') continue;
        const [, offset = '', hex = ''] = /^([\da-f]{4}) {2}((?:[\da-f]{2} ?)+?)(?: {2}.*)?$/.exec(row) ?? [];
        expect(hex, `${source}: ${row}`).not.toBe('');
        const at = Number.parseInt(offset, 16);
        const count = hex.trim().split(' ').length;
        expect(hexOf(bytes.subarray(at, at + count)), `${source}: ${row}`).toBe(hex.trim());
      }
    }
  });
});

/** `FILE`, `FILE huffman`, or `FILE huffman N` for data that is compressed after N bytes. */
function bytesOf(source: string): Uint8Array {
  const [file = '', layer, skipped = '0'] = source.split(' ');
  const bytes = readFileSync(join(root, file));
  if (layer === undefined) return bytes;
  expect(layer).toBe('huffman');
  const out = new ByteBuffer();
  decompress(bytes, Number(skipped), bytes.length, out, () => {}, 1 << 16);
  return out.bytes.subarray(0, out.length);
}

const hexOf = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');

const cellsOf = (row: string) =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

it('lists the agreed sizes that the protocols have', () => {
  const page = textOf('docs/formats/snapshots.md');
  const rows = [...page.matchAll(/^(0\.[567]) {2}1 to (\d+) +([\d ]+)$/gm)];
  expect(rows).toHaveLength(3);
  for (const [, version, last, sizes = ''] of rows) {
    const { sizeOf } = protocolOf(version as Version);
    const types = Array.from({ length: Number(last) + 4 }, (_, i) => i + 1);
    expect(types.map(sizeOf)).toEqual(types.map((type) => Number(sizes.split(' ')[type - 1] ?? 0)));
  }
});

it('lists the extended items with their fields and defaults', () => {
  const rows = [...textOf('docs/formats/extended-items.md').matchAll(/^\| `.*$/gm)].map(([row]) => cellsOf(row));
  const listed = new Map(rows.map(([name = '', uuidName, fields]) => [name.replaceAll('`', ''), [uuidName, fields]]));
  for (const { name, uuidName, fields } of extendedItems) {
    if (name === 'ddnet_character_display_info') continue;
    const shown = fields.map(
      (field) =>
        field.name +
        (field.ints > 1 ? `[${field.ints}]` : '') +
        (field.defaultValue === undefined ? '' : ` (${field.defaultValue})`),
    );
    expect(listed.get(name), name).toEqual([`\`${uuidName}\``, shown.join(', ')]);
  }
  expect(listed.size).toBe(extendedItems.length - 1);
});

it('states how many bytes ints take', () => {
  const rows = [...textOf('docs/formats/varint.md').matchAll(/^\| (\d) \| (-[\d,]+) to ([\d,]+) \|$/gm)];
  expect(rows).toHaveLength(4);
  for (const [, size, lowest = '', highest = ''] of rows)
    for (const end of [lowest, highest]) {
      const value = Number(end.replaceAll(',', ''));
      expect(packInts(Int32Array.of(value))).toHaveLength(Number(size));
      expect(packInts(Int32Array.of(value + Math.sign(value)))).toHaveLength(Number(size) + 1);
    }
});

it('states for every diagnostic code when the code is reported', () => {
  const source = readFileSync(join(root, 'src/wire/bytes/diagnostic.ts'), 'utf8');
  const codes = [...source.slice(0, source.indexOf('export type Args')).matchAll(/\| '(\w+)'/g)].map(
    ([, code]) => code!,
  );
  const tables = textOf('docs/formats/tolerated.md');
  expect(codes.length).toBeGreaterThan(60);
  const all = `${tables}${textOf('docs/formats/expected.md')}`;
  const missing = codes.filter((code) => !all.includes(`\`${code}\``));
  expect(missing, 'codes without a row in tolerated.md or in src/recording/games/expectations.ts').toEqual([]);
  const named = [...tables.matchAll(/^\|.*\|$/gm)].flatMap(([row]) => [...row.matchAll(/`([a-z\d]+(?:_[a-z\d]+)+)`/g)]);
  const fields = ['data_size', 'num_items'];
  expect(named.map(([, name = '']) => name).filter((name) => !codes.includes(name) && !fields.includes(name))).toEqual(
    [],
  );
});
