import { describe, expect, it } from 'vitest';
import { CaptureReplay } from '../../src/recording/capture.ts';
import { FlowParts, IndivisibleError } from '../../src/recording/capture-part.ts';
import type { RecordingEntry } from '../../src/recording/record.ts';
import { BaseBudget, SnapshotHistory } from '../../src/recording/snapshot-history.ts';
import { interleaved } from '../support/interleaved.ts';
import { read } from '../support/samples.ts';

const bytes = read('ddnet-ipv6.pcap');
const capture = interleaved([1, 2, 3, 4].map((client) => ({ bytes, client })));

/** The records with their positions. */
function recordsOf(part?: { index: number; count: number }) {
  const replay = new CaptureReplay({ parts: true }, part);
  const records: { position: number; text: string }[] = [];
  const add = ({ record, stream, frame }: RecordingEntry) =>
    records.push({ position: replay.position, text: `${record} ${stream?.client} ${frame}` });
  for (const entry of replay.feed(capture)) add(entry);
  for (const entry of replay.finish()) add(entry);
  return { records, datagrams: replay.datagrams };
}

describe('the parts of a capture', () => {
  it.each([2, 3, 4])('have all records by their positions: %i', (count) => {
    const parts = Array.from({ length: count }, (_, index) => recordsOf({ index, count }));
    const all = parts.flatMap(({ records }) => records).sort((a, b) => a.position - b.position);
    const whole = recordsOf();
    expect(all).toEqual(whole.records);
    expect(parts.reduce((sum, { datagrams }) => sum + datagrams.connless, 0)).toBe(whole.datagrams.connless);
    const sizes = parts.map(({ records }) => records.length);
    expect(Math.min(...sizes)).toBeGreaterThan(whole.records.length / 5);
  });

  it('have the flows of one client together, and new clients where the least is expected', () => {
    const parts = new FlowParts(2);
    expect(parts.add('a:1', 's:1', true)).toBe(0);
    parts.count(0, 1000);
    expect(parts.add('s:1', 'b:1', false)).toBe(1);
    parts.count(1, 400);
    expect(parts.add('c:1', 's:1', false)).toBe(1);
    parts.count(1, 100);
    // The second part has fewer bytes, but two clients that will go on.
    expect(parts.add('d:1', 's:1', false)).toBe(0);
    expect(parts.add('e:1', 's:1', false)).toBe(1);
    expect(parts.add('a:1', 's:2', true)).toBe(0);
    expect(parts.add('b:1', 's:2', true)).toBe(1);
    expect([parts.has('b:1', 1), parts.has('b:1', 0)]).toEqual([true, false]);
  });

  it('share the memory for bases, and refuse to go on when one exceeds its share', () => {
    keepMegabytes(120, new BaseBudget());
    keepMegabytes(40, new BaseBudget(2));
    expect(() => keepMegabytes(60, new BaseBudget(2))).toThrow('the bases need too much memory');
  });

  it('empty silent histories first, and refuse to go on when one of these is used again', () => {
    const budget = new BaseBudget(2);
    budget.ends = 4;
    const silent = keepMegabytes(40, budget);
    budget.packets += (1 << 16) + 64 * 4;
    silent.requireRecent();
    budget.packets++;
    expect(() => silent.requireRecent()).toThrow('a connection was silent for long');
    keepMegabytes(40, budget);
    expect([silent.newest, budget.bytes < 48 << 20]).toEqual([-1, true]);
    expect(() => silent.requireRecent()).toThrow(IndivisibleError);
    silent.clear();
    silent.requireRecent();
  });
});

/** A history with snapshots of 1 MB. */
function keepMegabytes(megabytes: number, budget: BaseBudget): SnapshotHistory {
  const history = new SnapshotHistory(1000, budget);
  for (let tick = 0; tick < megabytes; tick++) {
    const snapshot = history.spare();
    snapshot.clear(1, 1 << 18);
    history.keep(tick, snapshot);
  }
  return history;
}
