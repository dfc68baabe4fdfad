import { describe, expect, it } from 'vitest';
import type { RecordingStats } from '../../../src/analysis/stats/recording-stats.ts';
import type { Tally } from '../../../src/analysis/stats/tally.ts';
import { formatOf } from '../../../src/recording/all-formats.ts';
import { CaptureReader } from '../../../src/recording/container/capture/capture-reader.ts';
import { corpusFile, corpusFiles, hasCorpus, samplePcap } from '../../support/corpus.ts';
import { recordingStats } from '../../support/recording-stats.ts';
import { read } from '../../support/samples.ts';
import { seeded } from '../../support/seeded.ts';

/** Without the largest, which take longer than all others together. */
const demos = corpusFiles(/^(?!.*BENCH).*\.demo$/);
const captures = corpusFiles(/^(?!.*(?:34players|vanilla-dm1|sixup)).*\.pcap(ng)?$/);

/** The sums of items, messages and everything else. */
function sumOf({ items, messages, parts }: Tally): number {
  return [...items.all, ...messages.values(), ...parts.values()].reduce((sum, { bits }) => sum + bits, 0);
}

/** The number of bytes of the datagrams, counted in the frames. */
function payloadBytes(bytes: Uint8Array): number {
  const reader = new CaptureReader();
  let sum = 0;
  for (const pieces of [reader.feed(bytes), reader.finish()])
    for (const { kind, start, end } of pieces) if (kind === 'datagram') sum += end - start;
  return sum;
}

function expectConsistent({ tally }: RecordingStats): void {
  for (const item of tally.items.all) {
    expect(item.fields.reduce((sum, { bits }) => sum + bits, 0)).toBe(item.bits);
  }
  const ofItems = tally.items.all.reduce((sum, { bits }) => sum + bits, 0);
  expect(tally.players.all.reduce((sum, { bits }) => sum + bits, 0)).toBe(ofItems);
}

function checkDemo(bytes: Uint8Array): RecordingStats {
  const stats = recordingStats(bytes);
  expect(sumOf(stats.tally)).toBe(8 * bytes.length);
  expect(stats.bytes).toBe(bytes.length);
  expectConsistent(stats);
  return stats;
}

function checkCapture(bytes: Uint8Array): RecordingStats {
  const stats = recordingStats(bytes);
  expect(stats.bytes).toBe(payloadBytes(bytes));
  expect(sumOf(stats.tally)).toBe(8 * stats.bytes);
  expectConsistent(stats);
  return stats;
}

describe('statistics of samples', () => {
  it('a demo: every byte of it is counted, once', () => {
    for (const name of ['vanilla-dm1.demo', 'ddnet-race-player.demo']) checkDemo(read(name));
  });

  it('a capture: every byte of its datagrams is counted, once', () => {
    checkCapture(samplePcap());
  });
});

describe.skipIf(!hasCorpus)('of recordings (needs ../shared)', () => {
  it.each(demos)('%s: every byte is counted, once', (name) => {
    const { tally } = checkDemo(corpusFile(name));
    for (const part of ['excess', 'unread'] as const) expect(tally.parts.get(part)).toBe(undefined);
    expect(tally.parts.has('skipped')).toBe(name.includes('unfinished'));
  });

  it.each(captures)('%s: every byte of the datagrams is counted, once', (name) => {
    const { tally } = checkCapture(corpusFile(name));
    for (const part of ['unread', 'unrebuilt'] as const) expect(tally.parts.get(part)).toBe(undefined);
  });
});

/** Copies with one or two changed bytes, and truncated copies. */
function* damaged(bytes: Uint8Array, times: number): Generator<Uint8Array> {
  const random = seeded(0xbadc0de);
  for (let i = 0; i < times; i++) {
    const copy = bytes.slice(0, i % 4 === 0 ? random() % bytes.length : bytes.length);
    for (let k = 0; k <= i % 2; k++) copy[random() % copy.length] = random();
    yield copy;
  }
}

describe('of a damaged recording every byte is counted, once', () => {
  it.each(['vanilla-dm1.demo', 'ddnet-race-player.demo'])('%s', (name) => {
    const format = formatOf(read(name))!;
    for (const bytes of damaged(read(name), 8)) {
      const stats = recordingStats(bytes, { format });
      expect(stats.bytes).toBe(bytes.length);
      expect(sumOf(stats.tally)).toBe(8 * bytes.length);
      expect(stats.tally.bits).toBe(8 * bytes.length);
    }
  });

  it('a capture', () => {
    const format = formatOf(samplePcap())!;
    for (const bytes of damaged(samplePcap(), 8)) {
      const stats = recordingStats(bytes, { format });
      expect(sumOf(stats.tally)).toBe(8 * stats.bytes);
      expect(stats.tally.bits).toBe(8 * stats.bytes);
    }
  });
});

describe('ticks', () => {
  it('of a demo: its parts add up to the whole', () => {
    const bytes = read('vanilla-dm1.demo');
    const whole = recordingStats(bytes);
    const early = recordingStats(bytes, { range: { from: 0, to: 9999 } });
    const late = recordingStats(bytes, { range: { from: 10_000, to: Infinity } });
    const ofNoTick = whole.tally.parts.get('file_header')!.bits + whole.tally.parts.get('map')!.bits;
    expect(8 * (early.bytes + late.bytes) + ofNoTick).toBe(whole.tally.bits);
    expect(sumOf(early.tally)).toBe(8 * early.bytes);
    expect(early.tally.snapshots.deltas + late.tally.snapshots.deltas).toBe(whole.tally.snapshots.deltas);
  });

  it('of a capture: its parts add up to what a connection has', () => {
    const bytes = samplePcap();
    const client = '[::1]:29911';
    const whole = recordingStats(bytes, { client });
    const parts = [
      { from: -1, to: 600 },
      { from: 601, to: Infinity },
    ].map((range) => recordingStats(bytes, { client, range }));
    expect(parts[0]!.bytes + parts[1]!.bytes).toBe(whole.bytes);
    for (const part of parts) expect(sumOf(part.tally)).toBe(8 * part.bytes);
    const { parts: all } = recordingStats(bytes).tally;
    expect(recordingStats(bytes).bytes - whole.bytes).toBe(all.get('connless_packets')!.bits / 8);
  });
});
