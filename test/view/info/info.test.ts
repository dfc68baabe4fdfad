import { expect, it } from 'vitest';
import { DemoReplay } from '../../../src/recording/demo.ts';
import { DemoSummary } from '../../../src/recording/demo-summary.ts';
import { renderInfo } from '../../../src/view/info/info.ts';
import { plainTheme } from '../../../src/view/text/theme.ts';
import { read } from '../../support/samples.ts';

it('escapes every text of the header', () => {
  const bytes = read('ddnet-race-player.demo');
  const hostile = (count: number) => new TextEncoder().encode('\u001b[31m\r\n').subarray(0, count);
  // Net version, map name, type, timestamp; a NUL behind each.
  for (const [at, room] of [
    [8, 64],
    [72, 64],
    [144, 8],
    [156, 20],
  ] as const) {
    bytes.fill(0, at, at + room);
    bytes.set(hostile(room - 1), at);
  }
  const demo = new DemoSummary();
  const replay = new DemoReplay();
  for (const record of replay.feed(bytes)) demo.add(record);
  for (const record of replay.finish()) demo.add(record);
  demo.finish();
  const text = renderInfo('FILE', bytes.length, demo, plainTheme, 100);
  expect(text).not.toMatch(/[^\P{Cc}\n]/u);
  // The type three times: in the title, with the time, and as a finding.
  expect(text.match(/\\u\{1b\}\[31m/g)?.length).toBe(6);
});
