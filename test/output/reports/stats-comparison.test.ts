import { describe, expect, it } from 'vitest';
import { liveLine, renderLiveStats } from '../../../src/output/reports/stats.ts';
import { plainTheme } from '../../../src/output/text/theme.ts';
import { samplePcap } from '../../support/corpus.ts';
import { recordingStats } from '../../support/recording-stats.ts';
import { run } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

const files = { 'old.demo': read('vanilla-dm1.demo'), 'new.demo': read('ddnet-race-player.demo'), text: 'no demo' };

const stats = (line: string) => run(`stats ${line}`, files);

/** The cells of the row with this label. */
function cellsOf(text: string, label: string): string[] {
  const line = text.split('\n').find((text) => text.trimStart().startsWith(`${label} `));
  return line!.trim().split(/ {2,}/);
}

describe('stats OLD NEW', () => {
  it('shows bytes per snapshot, as the counts of each file give them', async () => {
    const { stdout: text, status } = await stats('old.demo new.demo');
    const [old, other] = await Promise.all(
      ['old.demo', 'new.demo'].map(async (file) => JSON.parse((await stats(`${file} -t json`)).stdout)[0]),
    );
    const bytes = [old, other].map(({ items, snapshots }) => {
      const { bits } = items.find(({ name }: { name: string }) => name === 'obj_character');
      return bits / 8 / (snapshots.full + snapshots.deltas);
    }) as [number, number];
    const [, before, after, difference] = cellsOf(text, 'obj_character');
    expect([before, after]).toEqual(bytes.map((value) => value.toFixed(2)));
    expect(difference).toBe((bytes[1] - bytes[0]).toFixed(2));
    expect(status).toBe(0);
  });

  it('has the whole of both files in its last row', async () => {
    const { stdout: text } = await stats('old.demo new.demo');
    // 63,112 bytes in 1,369 snapshots, and 28,427 bytes in 122.
    expect(cellsOf(text, 'all').slice(1, 3)).toEqual([(63112 / 1369).toFixed(2), (28427 / 122).toFixed(2)]);
  });

  it('lists no rows for a file and itself', async () => {
    const { stdout: text } = await stats('old.demo old.demo');
    const labels = text
      .split('\n')
      .slice(4)
      .map((line) => line.trim().split(/ {2,}/)[0])
      .filter(Boolean);
    expect(labels).toEqual(['items', 'messages', 'around them', 'all']);
  });

  it('shows the other file where one cannot be read; exit 3', async () => {
    const { stdout: text, status } = await stats('text old.demo');
    expect(text).toMatch(/^old\.demo {3}demo, 63,112 bytes/);
    expect(status).toBe(3);
  });
});

it('the line of a growing capture has the rates of its last whole second', () => {
  const report = { file: 'a.pcap', container: 'pcap', fileBytes: 1, stats: recordingStats(samplePcap()) };
  // As `info` counts them: 25 a second.
  expect(liveLine({ report, clients: 1, mismatched: 0 }, plainTheme)).toMatch(
    /^0:18\.89 {3}1 client {3}25 snapshots\/s {3}[1-9]\d* items {3}[\d.]+ KB\/s {3}0 mismatched$/,
  );
  const look = { theme: plainTheme, width: 100, height: 30, verbose: false };
  const screen = renderLiveStats({ report, clients: 1, mismatched: 0 }, look).join('\n');
  expect(screen).toMatch(/^ +obj_character /m);
  // Fields would leave no room for the other items.
  expect(screen).not.toMatch(/^ +vel_x /m);
});
