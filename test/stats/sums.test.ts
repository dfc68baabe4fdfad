import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CaptureReader } from '../../src/container/capture/reader.ts';
import type { RecordingStats } from '../../src/stats/recording-stats.ts';
import { statsOf } from '../../src/stats/stats.ts';
import type { Tally } from '../../src/stats/tally.ts';
import { corpusFile, hasCorpus, samplePcap } from '../support/corpus.ts';
import { read } from '../support/samples.ts';

const folder = fileURLToPath(new URL('../../../shared/corpus/', import.meta.url));
const recordings = hasCorpus ? readdirSync(folder) : [];
const demos = recordings.filter((name) => name.endsWith('.demo'));
const captures = recordings.filter((name) => /\.pcap(ng)?$/.test(name));

/** Of items, messages and all the rest. */
function sumOf({ items, messages, parts }: Tally): number {
  return [...items.all, ...messages.values(), ...parts.values()].reduce((sum, { bits }) => sum + bits, 0);
}

/** Bytes of the datagrams, as the frames have them. */
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
    expect(item.fields.reduce((sum, { estimate }) => sum + estimate, 0)).toBe(item.estimate);
  }
  const ofItems = tally.items.all.reduce((sum, { bits }) => sum + bits, 0);
  expect(tally.players.all.reduce((sum, { bits }) => sum + bits, 0)).toBe(ofItems);
}

function checkDemo(bytes: Uint8Array): RecordingStats {
  const stats = statsOf(bytes);
  expect(sumOf(stats.tally)).toBe(8 * bytes.length);
  expect(stats.bytes).toBe(bytes.length);
  expectConsistent(stats);
  return stats;
}

function checkCapture(bytes: Uint8Array): RecordingStats {
  const stats = statsOf(bytes);
  expect(stats.bytes).toBe(payloadBytes(bytes));
  expect(sumOf(stats.tally)).toBe(8 * stats.bytes);
  expectConsistent(stats);
  return stats;
}

describe('of samples', () => {
  it('a demo: every byte of it is counted, once', () => {
    for (const name of ['vanilla-dm1.demo', 'ddnet-race-player.demo']) checkDemo(read(name));
  });

  it('a capture: every byte of its datagrams is counted, once', () => {
    checkCapture(samplePcap());
  });
});

describe.skipIf(!hasCorpus)('of recordings', () => {
  it.each(demos)(
    '%s: every byte is counted, once',
    (name) => {
      const { tally } = checkDemo(corpusFile(name));
      for (const part of ['excess', 'unread'] as const) expect(tally.parts.get(part)).toBe(undefined);
      expect(tally.parts.has('skipped')).toBe(name.includes('unfinished'));
    },
    60_000,
  );

  it.each(captures)(
    '%s: every byte of the datagrams is counted, once',
    (name) => {
      const { tally } = checkCapture(corpusFile(name));
      for (const part of ['unread', 'unrebuilt'] as const) expect(tally.parts.get(part)).toBe(undefined);
    },
    60_000,
  );
});
