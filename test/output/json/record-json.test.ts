import { expect, it } from 'vitest';
import { RecordLines, recordJson } from '../../../src/output/json/record-json.ts';
import { jsonText } from '../../../src/output/text/escape.ts';
import { CaptureReplay } from '../../../src/recording/capture/capture-replay.ts';
import { DemoReplay } from '../../../src/recording/demo/demo-replay.ts';
import type { RecordingEntry } from '../../../src/recording/replay/record.ts';
import { read } from '../../support/samples.ts';

const all = { all: true, item: () => true, message: () => true };
const some = { all: false, item: (_: unknown, type: number) => type === 9, message: () => false };

it.each([
  ['ddnet-race-player.demo', () => new DemoReplay()],
  ['duplicate-key.pcap', () => new CaptureReplay()],
] as const)('a line of %s is the text of its object', (name, makeReplay) => {
  for (const selection of [all, some].flatMap((filter) => [true, false].map((changes) => ({ filter, changes })))) {
    const replay = makeReplay();
    const lines = new RecordLines(selection);
    let written = 0;
    const check = (entry: RecordingEntry) => {
      const line = lines.add(entry);
      const text = typeof line === 'string' ? line : new TextDecoder().decode(line);
      const json = recordJson(entry, selection);
      expect(text).toBe(json ? `${jsonText(json)}\n` : '');
      if (json) written++;
    };
    for (const entry of replay.feed(read(name))) check(entry);
    for (const entry of replay.finish()) check(entry);
    expect(written).toBeGreaterThan(10);
  }
});
