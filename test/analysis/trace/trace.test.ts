import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { recordsOf, run as runLine } from '../../support/run.ts';
import { read } from '../../support/samples.ts';
import { seeded } from '../../support/seeded.ts';

const files = {
  'm.demo': read('vanilla-dm1.demo'),
  'r.demo': read('ddnet-race-player.demo'),
  'a.pcap': read('ddnet-ipv6.pcap'),
};
const run = (...line: string[]) => runLine(line, files, { hasNoProgram: true });

/** The codes of all symbols as text, first bit first: read as text, since this reader has nothing of the program's. */
const codes = new Map(
  /const codes = \[([^\]]+)\]/
    .exec(readFileSync('src/wire/codec/huffman-tables.ts', 'utf8'))![1]!
    .split(',')
    .filter((code) => code.trim() !== '')
    .map((code, symbol) => [[...Number(code).toString(2).slice(1)].reverse().join(''), symbol]),
);

/** Bits of a file, from the lowest of each byte up. */
const bitAt = (bytes: Uint8Array, bit: number) => (bytes[bit >> 3]! >> (bit & 7)) & 1;

/** Reads a varint, ESDD DDDD EDDD DDDD …, out of a compressed stream, from a bit on. */
function readVarint(bytes: Uint8Array, from: number): { readonly value: number; readonly bits: number } {
  let at = from;
  const byte = () => {
    for (let code = ''; ; ) {
      code += bitAt(bytes, at++);
      const symbol = codes.get(code);
      if (symbol !== undefined) return symbol;
      if (code.length > 15) throw new Error(`no code at bit ${from}`);
    }
  };
  const first = byte();
  let value = first & 0x3f;
  for (let shift = 6, last = first; last & 0x80; shift += 7) {
    last = byte();
    value |= (last & 0x7f) << shift;
  }
  return { value: first & 0x40 ? ~value : value, bits: at - from };
}

interface Step {
  readonly tick: number;
  readonly base: number;
  readonly value: number | null;
  readonly sent: {
    readonly sending: string;
    readonly ints: number[];
    readonly offset: number | null;
    readonly bit: number;
    readonly bits: number;
  } | null;
}

interface Dumped {
  readonly record: string;
  readonly tick: number;
  readonly items?: readonly {
    readonly name: string;
    readonly id: number;
    readonly fields: Readonly<Record<string, number>>;
  }[];
}

const fieldOf = (record: Dumped | undefined, name: string, id: number, field: string) =>
  record?.items?.find((item) => item.name === name && item.id === id)?.fields[field];

describe('the bits that trace names, read by hand, are what dump says', () => {
  it.each(['m.demo', 'r.demo'] as const)('25 random values of %s', async (file) => {
    const snapshots = (recordsOf((await run('dump', file, '-t', 'ndjson')).stdout) as Dumped[]).filter(
      ({ record }) => record === 'snapshot',
    );
    const byTick = new Map(snapshots.map((snapshot) => [snapshot.tick, snapshot]));
    const next = seeded(54);
    const pick = <T>(all: readonly T[]): T => all[next() % all.length]!;
    let differences = 0;
    for (let i = 0; i < 25; ) {
      const at = pick(snapshots);
      const { name, id, fields } = pick(at.items!);
      const field = pick(Object.keys(fields));
      if (typeof fields[field] !== 'number') continue;
      i++;
      const { status, stdout, stderr } = await run(
        'trace',
        `${file}@${at.tick}`,
        `${name}/${id}.${field}`,
        '-t',
        'json',
      );
      expect([status, stderr], `${name}/${id}.${field} at ${at.tick}`).toEqual([0, '']);
      const trace = JSON.parse(stdout);
      const set: Step = trace.set_by;
      const about = `${name}/${id}.${field} of ${at.tick}, set at ${set.tick}`;
      expect(trace.value, about).toBe(fields[field]);
      expect(set.value, about).toBe(fields[field]);
      // Between the two it never had another value, and before it did, or there was no such item.
      const between = snapshots.filter(({ tick }) => tick >= set.tick && tick <= at.tick);
      for (const record of between) expect(fieldOf(record, name, id, field), about).toBe(fields[field]);
      const before = snapshots[snapshots.indexOf(between[0]!) - 1];
      expect(fieldOf(before, name, id, field), about).not.toBe(fields[field]);
      const { sending, ints, offset, bit, bits } = set.sent!;
      const found = readVarint(files[file], 8 * offset! + bit);
      expect([found.bits, found.value], about).toEqual([bits, ints[0]]);
      const base = sending === 'difference' ? fieldOf(byTick.get(set.base), name, id, field)! : 0;
      expect((base + found.value) | 0, about).toBe(fields[field]);
      if (sending === 'difference') differences++;
    }
    expect(differences).toBeGreaterThan(0);
  });
});

it('the life of a value: every change that dump shows, and only these', async () => {
  const snapshots = (recordsOf((await run('dump', 'm.demo', '-t', 'ndjson')).stdout) as Dumped[]).filter(
    ({ record }) => record === 'snapshot',
  );
  const values = snapshots.map(
    (snapshot) => [snapshot.tick, fieldOf(snapshot, 'obj_character', 0, 'weapon') ?? null] as const,
  );
  const changes = values.filter(([, value], i) => value !== (values[i - 1]?.[1] ?? null));
  const trace = JSON.parse((await run('trace', 'm.demo@last', 'obj_character/0.weapon', '-t', 'json')).stdout);
  expect(trace.changes.map(({ tick, value }: Step) => [tick, value])).toEqual(changes);
  expect(trace.snapshots).toBe(values.filter(([, value]) => value !== null).length);
});

it('of a capture: the packet, and the byte in the delta', async () => {
  const trace = JSON.parse((await run('trace', 'a.pcap@last', 'obj_character/0.tick', '-t', 'json')).stdout);
  const { frame, tick, sent } = trace.set_by;
  expect(sent.offset).toBeNull();
  const dumped = recordsOf((await run('dump', 'a.pcap', '-t', 'ndjson')).stdout);
  expect(dumped.find((entry) => entry.record === 'snapshot' && entry.tick === tick).frame).toBe(frame);
});

it.each([
  ['m.demo@0:20', 'obj_character/0.wepon', "obj_character has no field 'wepon'; did you mean weapon?"],
  ['m.demo@0:20', 'obj_charcter/0.weapon', "no item 'obj_charcter'; did you mean obj_character?"],
  ['m.demo@0:20', 'obj_character.weapon', 'is no value: ITEM/ID.FIELD'],
  ['m.demo@0:20', 'obj_character/55.weapon', 'no snapshot has obj_character/55.weapon'],
  ['m.demo@0:20..0:30', 'obj_character/0.weapon', 'a range is for'],
])('trace %s %s is refused', async (file, value, message) => {
  const { status, stderr } = await run('trace', file, value);
  expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
});

it('names the command that writes the page of the value, which is run, and where the page shows it', async () => {
  const { stdout } = await run('trace', 'm.demo@10398', 'obj_character/2.weapon');
  expect(stdout).toMatch(
    / {2}page {10}tw-snap report m\.demo --ticks 10350\.\.10398 -o page\.html\n {16}page\.html#tick=10398&item=obj_character\/2\n$/,
  );
  expect((await run(...'report m.demo --ticks 10350..10398 -o page.html'.split(' '))).status).toBe(0);
});
