import { describe, expect, it } from 'vitest';
import { CheckedDemoReplay } from '../../../src/recording/demo/checked-demo.ts';
import { healthOf } from '../../../src/recording/health/findings.ts';
import { RecordingSummary } from '../../../src/recording/summary/recording-summary.ts';
import { read } from '../../support/samples.ts';

// map_name[64] is at 72, map_size at 136, type[8] at 144, timestamp[20] at 156.

/** A demo of version 4 of Teeworlds 0.7.5, with its map. */
const demo = read('vanilla-dm1.demo');
const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset);

function changed(change: (bytes: Uint8Array) => void): Uint8Array {
  const bytes = demo.slice();
  change(bytes);
  return bytes;
}

function judged(bytes: Uint8Array) {
  const replay = new CheckedDemoReplay();
  const summary = new RecordingSummary(replay);
  const codes: string[] = [];
  for (const entry of [...replay.feed(bytes), ...replay.finish()]) {
    summary.add(entry);
    if (entry.record === 'diagnostic') codes.push(`${entry.diagnostic.severity} ${entry.diagnostic.code}`);
  }
  const plays = summary.plays.map(({ game, from, play }) => `${game} ${from} ${play}`);
  return { codes, plays, health: healthOf(summary.findings), snapshots: summary.counts.snapshots };
}

const whole = judged(demo);

describe('text fields of the header', () => {
  it('with a NUL after a text of UTF-8 are right', () => {
    expect(whole.codes).toEqual([]);
    expect(whole).toMatchObject({ health: 'healthy', plays: ['DDNet 18.5 plays', 'Teeworlds 0.7.5 plays'] });
  });

  // CDemoHeader::Valid of DDNet 17.4: mem_has_null and str_utf8_check of the net version, map, type and timestamp.
  it.each<[string, number, number, number]>([
    ['map', 72, 64, 0x61],
    ['type', 144, 8, 0x61],
    ['timestamp', 156, 20, 0x30],
    ['map that is not UTF-8', 72, 1, 0xff],
  ])('%s', (_, at, size, byte) => {
    const { codes, plays, health } = judged(changed((bytes) => bytes.fill(byte, at, at + size)));
    expect(codes).toContain('warning header_text');
    expect(plays).toEqual(['DDNet 18.5 refused', 'Teeworlds 0.7.5 plays']);
    expect(health).toBe('unplayable');
  });
});

describe('a size of the map that the header of the map contradicts', () => {
  it.each([-100, -1, 1, 100, 5000])('%i bytes more than it has: the snapshots are read, games find others', (more) => {
    const bytes = changed((bytes) => view(bytes).setInt32(136, view(bytes).getInt32(136) + more));
    const { codes, plays, health, snapshots } = judged(bytes);
    expect(codes).toContain('error map_size');
    // One byte less is a step to Teeworlds, which lets it come before any tick.
    const playsOn = more === -1 ? plays.filter((play) => !play.startsWith('Teeworlds')) : plays;
    for (const play of playsOn) expect(play).toMatch(/(refused|stops)$/);
    expect(plays.length).toBeGreaterThan(1);
    expect(health).toBe('damaged');
    expect(snapshots).toEqual(whole.snapshots);
  });
});
