import { describe, expect, it } from 'vitest';
import { recognise } from '../../../src/input/source/recognise-payload.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { run } from '../../support/run.ts';
import { decode, golden, names, read, samples } from '../../support/samples.ts';

it('all exist, each with its golden, and are named in the README', () => {
  expect(samples.length).toBeGreaterThan(10);
  const others = names.filter((name) => !samples.includes(name) && !samples.includes(name.replace(/\.json$/, '')));
  const recordings = others.filter((name) => /\.(demo|pcap|log)$/.test(name));
  const schemas = [
    'mod-schema.json',
    'infclass-schema.json',
    'kaizo-schema.json',
    'mod-network.py',
    'mod-network.json',
    'mod-network-next.py',
    'mod-network-next.json',
  ];
  const known = ['README.md', 'budget.json', ...schemas, ...recordings];
  expect(others.filter((name) => !known.includes(name))).toEqual([]);
  const readme = new TextDecoder().decode(read('README.md'));
  expect([...samples, ...recordings].filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});

describe.each(samples)('%s', (name) => {
  it('decodes to its golden', async () => {
    const { status, stdout } = await run(`decode -t json ${name}`, { [name]: read(name) });
    expect([status, JSON.parse(stdout)]).toEqual([0, golden(name)]);
  });

  it('decodes to its golden from standard input', async () => {
    const { status, stdout } = await decode(read(name), '-t', 'json', '-');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual(golden(name));
  });

  it('keeps the order of keys that its golden has', async () => {
    const { stdout } = await decode(read(name), '-t', 'json');
    expect(JSON.stringify(JSON.parse(stdout))).toBe(JSON.stringify(golden(name)));
  });
});

// The JSON of a packet is for scripts only.
it.each(samples.filter((name) => golden(name).kind !== 'packet'))(
  '%s decodes to the same from its own JSON',
  async (name) => {
    const { status, stdout } = await decode(read(`${name}.json`), '-t', 'json');
    expect(status).toBe(0);
    expect(contentsOf(JSON.parse(stdout))).toEqual(contentsOf(golden(name)));
  },
);

it('the samples first.* are the same in four encodings', () => {
  const [hex, huff, ints, packed] = ['hex', 'huff', 'ints', 'packed'].map((ending) => golden(`first.${ending}`));
  expect([hex, huff, ints, packed].map(({ encoding }) => encoding)).toEqual(['packed', 'huffman', 'ints', 'packed']);
  for (const other of [hex, huff, ints]) expect(contentsOf(other)).toEqual(contentsOf(packed));
});

/** Recorded deltas with their bases. The games announced the same checksums as the corpus lists. */
const pairs = [
  ['ddnet-dm1-tick2786.snapshot.huff', 'ddnet-dm1-tick2788.delta.huff', 841254473],
  ['ddnet-race-tick956.snapshot.huff', 'ddnet-race-tick958.delta.packed', 333080975],
  ['ddnet-tutorial-tick3948.snapshot.ints', 'ddnet-tutorial-tick3950.delta.huff', -100035984],
  ['sixup-tick2576.snapshot.huff', 'sixup-tick2578.delta.huff', 1620877530],
  ['vanilla-dm1-tick9324.snapshot.packed', 'vanilla-dm1-tick9326.delta.huff', -130217150],
] as const;

describe.each(pairs)('%s and %s', (base, delta, crc) => {
  it('make the snapshot that was recorded', () => {
    const snapshot = recognise(read(base), {}, protocolOf).payload.body;
    const { payload } = recognise(read(delta), {}, protocolOf, snapshot as never);
    expect(payload.diagnostics.all).toEqual([]);
    expect(payload.result?.checksum()).toBe(crc);
  });

  it('have the name of every item, with its differences and its old and new values', async () => {
    const line = `decode --strict -t json --base ${base} ${delta}`;
    const { status, stdout } = await run(line, { [base]: read(base), [delta]: read(delta) });
    expect(status).toBe(0);
    const { removed, items, diagnostics } = JSON.parse(stdout);
    expect(diagnostics).toEqual([]);
    for (const { name } of [...removed, ...items]) expect(name).toMatch(/^[a-z]\w+$/);
    const asSent = golden(delta).items as { data: number[] }[];
    for (const [i, { data, differences }] of items.entries()) expect(differences ?? data).toEqual(asSent[i]!.data);
    for (const { fields, old, differences } of items.filter((item: object) => 'old' in item)) {
      const ints = Object.values(fields).flat();
      if (ints.length !== differences.length || ints.some((int) => typeof int !== 'number')) continue;
      expect(
        Object.values(old)
          .flat()
          .map((int, k) => ((int as number) + differences[k]) | 0),
      ).toEqual(ints);
    }
  });
});

/** The part of the JSON that does not depend on the encoding. */
function contentsOf({ encoding, diagnostics, ...rest }: Record<string, unknown>) {
  const codes = (diagnostics as { severity: string; code: string }[]).map(({ severity, code }) => [severity, code]);
  return { ...rest, codes };
}
