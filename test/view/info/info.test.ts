import { expect, it } from 'vitest';
import { DemoReplay } from '../../../src/recording/demo.ts';
import { RecordingSummary } from '../../../src/recording/recording-summary.ts';
import { renderInfo } from '../../../src/view/info/info.ts';
import { plainTheme } from '../../../src/view/text/theme.ts';
import { read } from '../../support/samples.ts';

it('escapes every text of the header', () => {
  const bytes = read('ddnet-race-player.demo');
  const hostile = (count: number) => new TextEncoder().encode('\u001b[31m\r\n').subarray(0, count);
  // Net version, map name, type, timestamp; a NUL after each.
  for (const [at, room] of [
    [8, 64],
    [72, 64],
    [144, 8],
    [156, 20],
  ] as const) {
    bytes.fill(0, at, at + room);
    bytes.set(hostile(room - 1), at);
  }
  const replay = new DemoReplay();
  const summary = new RecordingSummary(replay);
  for (const record of replay.feed(bytes)) summary.add(record);
  for (const record of replay.finish()) summary.add(record);
  const text = renderInfo(
    { file: 'FILE', bytes: bytes.length, summary },
    { theme: plainTheme, width: 100, verbose: false },
  );
  expect(text).not.toMatch(/[^\P{Cc}\n]/u);
  // The type three times: in the title, with the time, and as a finding.
  expect(text.match(/\\u\{1b\}\[31m/g)?.length).toBe(6);
});
