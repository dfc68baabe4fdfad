import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explain, explainDelta, explainLog } from '../../src/api/explain.ts';
import { apply, DecodeError, Delta, decode } from '../../src/api/index.ts';

const sample = (name: string) => new Uint8Array(readFileSync(join(import.meta.dirname, '../../samples', name)));

describe('explain', () => {
  it('names the item that the faulty server adds twice', () => {
    const { failures, explained, shown, fits } = explain(sample('duplicate-key.pcap'));
    expect([failures, explained, fits]).toEqual([20, 20, []]);
    expect(shown).toMatchObject([{ cause: 'duplicate_key', items: [{ type: 11, id: 0, player: 'racer' }] }]);
  });

  it('returns the same result for a file in pieces', () => {
    const bytes = sample('duplicate-key.pcap');
    const pieces = [bytes.subarray(0, 10), bytes.subarray(10, 5000), bytes.subarray(5000)];
    expect(explain(pieces)).toEqual(explain(bytes));
  });

  it('has nothing to explain in a healthy demo, and names the lost ticks of one that is cut', () => {
    const demo = sample('vanilla-dm1.demo');
    expect(explain(demo)).toMatchObject({ failures: 0, shown: [], fits: [], undecided: [] });
    expect(explain(demo)).not.toHaveProperty('demo');
    expect(explain(demo.subarray(0, 40_000))).toHaveProperty('demo.lost');
  });

  it('rejects input that is not a recording', () => {
    expect(() => explain(new Uint8Array(100))).toThrow(DecodeError);
  });
});

it('explainDelta: an item that is in the base is sent in full', () => {
  const base = decode(sample('ddnet-race-tick956.snapshot.huff'));
  if (base.kind !== 'snapshot') throw new Error('the sample is a snapshot');
  const { snapshot } = base;
  // A pickup of the base, with its own values as differences.
  const at = snapshot.keys.subarray(0, snapshot.count).findIndex((_, i) => snapshot.type(i) === 4);
  const ints = [0, 1, 0, 4, snapshot.id(at), ...snapshot.item(at)];
  const delta = new Delta();
  delta.read(Int32Array.from(ints), ints.length, (type) => (type === 4 ? snapshot.size(at) : 0));
  const announced = snapshot.checksum();
  expect(explainDelta(snapshot, delta, announced, '0.6').shown).toMatchObject([
    { cause: 'sent_in_full', items: [{ type: 4, id: snapshot.id(at) }] },
  ]);
  const rebuilt = apply(snapshot, delta).checksum();
  expect(explainDelta(snapshot, delta, rebuilt, '0.6').shown).toEqual([]);
});

it('explainLog: the lines of ddnet #11999 allow an item that occurs twice', () => {
  const line = (tick: number, announced: number) =>
    `snapshot crc error #1 - tick=${tick} wantedcrc=${announced} gotcrc=${announced - 128} compressed_size=900 delta_tick=-1`;
  const { runs } = explainLog(['chat: hello', line(100, 5000), line(102, 5010)].join('\n'));
  expect(runs).toHaveLength(1);
  expect(runs[0]!.causes[0]).toBe('duplicate_key');
});
