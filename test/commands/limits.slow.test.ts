import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { maxParts } from '../../src/input/pasted/limits.ts';
import { maxSearchBytes, maxSearchedMap } from '../../src/recording/replay/limits.ts';
import { DecodeError } from '../../src/wire/bytes/diagnostic.ts';
import { JsonReader } from '../../src/wire/bytes/json-reader.ts';
import { maxPayloadBytes } from '../../src/wire/payload/encoding-layers.ts';
import { file, zeros } from '../support/bytes.ts';
import { ethernet, ipv4, pcapHeader, pcapRecord, udp, v4 } from '../support/capture-builder.ts';
import { chunk06, ints, packet06 } from '../support/packet-builder.ts';
import { run as runLine } from '../support/run.ts';

/** The limits of docs/speed.md. */
const run = (input: Uint8Array | string, line: string) => runLine(`${line} input`, { input });

const MiB = 1 << 20;
const packedDelta = (items: number) => Uint8Array.from([...ints(0, items, 0), ...zeros(3 * items)]);
/** Where JSON is refused because it has more than 64 levels. */
function tooDeepAt(json: string): number | undefined {
  try {
    new JsonReader('bad_json').parse(json);
  } catch (error) {
    if (error instanceof DecodeError && error.args.expected === 'at most 64 levels') return error.offset;
  }
  return undefined;
}

const nested = (levels: number, inside = '') => `${'['.repeat(levels)}${inside}${']'.repeat(levels)}`;
const snapshotJson = (items: number, each: number) =>
  JSON.stringify({
    kind: 'snapshot',
    items: Array.from({ length: items }, (_, id) => ({ type: 100, id, data: new Array(each).fill(1) })),
  });

describe('a payload', () => {
  it('has at most 256 KiB', async () => {
    expect(maxPayloadBytes).toBe(256 * 1024);
    const item = (size: number) => Uint8Array.from([...ints(0, 1, 0, 100, 1, size), ...new Array(size).fill(1)]);
    const head = item(0).length + 2;
    const fits = await run(item(maxPayloadBytes - head), 'decode -f packed -k delta -p 0.6 -t json');
    expect(fits.stderr).not.toContain('too_large');
    expect(fits.status).toBe(0);
    expect(JSON.parse(fits.stdout).items[0].data).toHaveLength(maxPayloadBytes - head);
    for (const to of ['hexdump', 'table', 'json']) {
      const { status, stderr, stdout } = await run(item(maxPayloadBytes), `decode -f packed -k delta -t ${to}`);
      expect(status).toBe(3);
      expect(stderr).toContain(
        'input_too_large at 0x40000: larger than any snapshot (the games allow 64 KiB); only the first 262,144 bytes were read',
      );
      expect(stdout.length).toBeGreaterThan(0);
    }
  });

  it('is shown whatever its contents are', async () => {
    const removed = Uint8Array.from([
      ...ints(80_000, 0, 0),
      ...Array.from({ length: 80_000 }, (_, i) => ints((5 << 16) + i)).flat(),
    ]);
    for (const bytes of [
      packedDelta(80_000),
      removed,
      new Uint8Array(MiB),
      Uint8Array.from({ length: MiB }, (_, i) => (i * 7919) >> 3),
    ]) {
      for (const args of [
        ['-t', 'table'],
        ['-k', 'delta'],
        ['-f', 'message'],
        ['-f', 'packet', '-t', 'table'],
        ['-f', 'huffman'],
        ['-f', 'ints', '-k', 'delta', '-t', 'json'],
      ]) {
        const { status, stderr } = await run(bytes, `decode ${args.join(' ')}`);
        expect(stderr).not.toContain('internal error');
        expect([0, 3]).toContain(status);
      }
    }
  });

  it('is not a snapshot if it has more than 1,024 items or 64 KiB', async () => {
    expect((await run(snapshotJson(1024, 0), 'decode')).status).toBe(0);
    const { status, stderr } = await run(snapshotJson(1025, 0), 'decode');
    expect([status, stderr]).toEqual([3, expect.stringContaining('too_many_items')]);
    expect((await run(snapshotJson(1, 16_000), 'decode')).status).toBe(0);
    expect((await run(snapshotJson(1, 17_000), 'decode')).stderr).toContain('snapshot_too_large');
  });

  it('of a packet has at most 4 KiB', async () => {
    const packet = (size: number) =>
      packet06([chunk06([...ints(1 << 1), ...new Array(size).fill(97), 0])], {
        compressed: true,
        excess: zeros(4096 - size),
      });
    const { status, stderr } = await run(packet(900), 'decode -f packet -p 0.6');
    expect([status, stderr]).toEqual([3, expect.stringContaining('huffman_output_full')]);
  });

  it('reports at most 200 warnings', async () => {
    // Overlong zeros: 80 00.
    const overlong = Uint8Array.from([
      ...ints(0, 1, 0, 100, 1, 300),
      ...Array.from({ length: 300 }, () => [0x80, 0]).flat(),
    ]);
    const { stdout } = await run(overlong, 'decode -f packed -k delta -p 0.6 -t json');
    const { diagnostics, diagnostics_omitted } = JSON.parse(stdout);
    expect([diagnostics.length, diagnostics_omitted]).toEqual([200, 100]);
  });
});

describe('text', () => {
  const hex = (size: number) => `00 01 00${' '.repeat(size - 8)}`;
  const tooLong = 'tw-snap: input: this text is longer than 16 MiB, the limit\n';

  it('of hex has at most 16 MiB', async () => {
    expect((await run(hex(16 * MiB), 'decode')).stderr).not.toContain('longer');
    expect(await run(hex(16 * MiB + 1), 'decode')).toEqual({ status: 3, stdout: '', stderr: tooLong });
  });

  it('of JSON has the same limit, and to be parsed at most 8 MiB', async () => {
    const json = (size: number) => `{"items":[]${' '.repeat(size - 12)}}`;
    expect(await run(json(16 * MiB + 1), 'decode -f json')).toMatchObject({ status: 3, stderr: tooLong });
    expect((await run(json(8 * MiB), 'schema --schema')).status).toBe(0);
    expect(await run(json(8 * MiB + 1), 'schema --schema')).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('found 8388609 characters, expected at most 8388608'),
    });
  });

  it('has at most 100,000 packets', async () => {
    const packets = (count: number) => '10 00 00 00\n'.repeat(count);
    expect(await run(packets(maxParts + 1), 'decode --nth 2')).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('found more in line 100001, column 1; expected at most 100000 packets'),
    });
    expect((await run(packets(maxParts), 'decode --nth 100000')).status).toBe(0);
  });
});

describe('JSON', () => {
  it('has at most 8 MiB', async () => {
    const json = (size: number) => `{"kind":"snapshot","items":[]${' '.repeat(size - 30)}}`;
    expect((await run(json(8 * MiB), 'decode')).status).toBe(0);
    const { status, stderr } = await run(json(8 * MiB + 2), 'decode');
    expect([status, stderr]).toEqual([3, expect.stringContaining('expected at most 8388608')]);
  });

  it('is accepted up to 64 levels deep', () => {
    expect(tooDeepAt(nested(64))).toBeUndefined();
    expect(tooDeepAt(nested(65))).toBe(64);
    expect(tooDeepAt('[]'.repeat(1000))).toBeUndefined();
    // Brackets in strings do not nest, and a quotation mark after a backslash does not end a string.
    expect(tooDeepAt(JSON.stringify(['['.repeat(100), `"${'['.repeat(100)}`, '\\\\']))).toBeUndefined();
    expect(tooDeepAt(`"${'['.repeat(100)}`)).toBeUndefined();
  });

  it.each([65, 1_000_000])('of %i levels is a clear error', async (levels) => {
    const json = (inside: string) => `{"kind":"delta","removed":[],"items":${inside}}`;
    const at = '{"kind":"delta","removed":[],"items":'.length + 63;
    const expected = `tw-snap: input: bad_json at 0x${at.toString(16).padStart(4, '0')}: this JSON is not a snapshot or delta: line 1, column ${at + 1}: found lists in lists in lists, expected at most 64 levels\n`;
    expect(await run(json(nested(levels)), 'decode')).toMatchObject({ status: 3, stderr: expected });
    // Never closed.
    expect(await run(json('['.repeat(levels)), 'decode')).toMatchObject({ status: 3, stderr: expected });
    const schema = await run(`{"items":${nested(levels)}}`, 'schema --schema');
    expect(schema).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('bad_schema at 0x0048: line 1, column 73'),
    });
  });

  it('has at most 262,144 ints', async () => {
    const { status, stderr } = await run(snapshotJson(3, 100_000), 'decode');
    expect(status).toBe(3);
    expect(stderr).toBe(
      'tw-snap: input: bad_json at 0x0000: this JSON is not a snapshot or delta: items: found 300006 ints, expected at most 262144\n',
    );
  });

  it('of a schema has at most 16,384 items, and an item as many ints', async () => {
    const items = (count: number, fields: object) =>
      JSON.stringify({
        items: Array.from({ length: count }, (_, i) => ({ name: `item_${i}`, uuid_name: `i${i}@mod`, fields })),
      });
    expect((await run(items(16_385, {}), 'schema --schema')).stderr).toContain(
      'items: found 16385 items, expected at most 16384',
    );
    expect((await run(items(1, { all: { list: 16_384, of: 'int' } }), 'schema --schema')).status).toBe(0);
    const { status, stderr } = await run(items(1, { all: { list: 16_385, of: 'int' } }), 'schema --schema');
    expect([status, stderr]).toEqual([3, expect.stringContaining('16384')]);
  });
});

describe('a capture', () => {
  const packet = (size: number) => ethernet(v4, ipv4(udp(zeros(100)))).concat(zeros(size));
  const capture = (size: number, snapLength: number) =>
    file(pcapHeader({ snapLength }), pcapRecord(packet(100)), pcapRecord(packet(size)), pcapRecord(packet(100)));

  it('has packets of at most 256 KiB, or 1 MiB if its header allows that', async () => {
    const lost = (output: { stderr: string; stdout: string }) =>
      /record framing is lost/.test(output.stderr + output.stdout);
    expect(lost(await run(capture(250_000, 65_535), 'info'))).toBe(false);
    expect(lost(await run(capture(300_000, 65_535), 'info'))).toBe(true);
    expect(lost(await run(capture(300_000, MiB), 'info'))).toBe(false);
    expect(lost(await run(capture(MiB + 1, 2 * MiB), 'info'))).toBe(true);
    expect((await run(capture(300_000, 65_535), 'info')).status).toBe(3);
  });
});

const announcing = new URL('../../../shared/cases/verdicts/tick-off-by-one.demo', import.meta.url);

describe.skipIf(!existsSync(announcing))('a demo (needs ../shared)', () => {
  /** The demo has no map; zeros in place of one. */
  function withMap(bytes: number): Uint8Array {
    const demo = new Uint8Array(readFileSync(announcing));
    // Version 6: a header of 176 bytes, 260 of markers, 48 of the sum of the map.
    const start = 484;
    const made = new Uint8Array(demo.length + bytes);
    made.set(demo.subarray(0, start));
    made.set(demo.subarray(start), start + bytes);
    new DataView(made.buffer).setUint32(136, bytes);
    return made;
  }

  it.each([0, 17, (maxSearchedMap + maxSearchBytes) / MiB + 1])(
    'with a map of %i MiB: announced checksums are compared',
    async (size) => {
      const { stdout } = await run(withMap(size * MiB), 'checksum -t json');
      const [{ health, announced, matched }] = JSON.parse(stdout);
      expect([health, announced, matched]).toEqual(['suspect', 103, 26]);
    },
  );
});
