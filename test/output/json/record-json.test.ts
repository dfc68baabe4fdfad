import { expect, it } from 'vitest';
import { itemsJson } from '../../../src/output/json/item-json.ts';
import { RecordLines } from '../../../src/output/json/record-json.ts';
import { jsonText } from '../../../src/output/text/escape.ts';
import { CaptureReplay } from '../../../src/recording/capture/capture-replay.ts';
import { DemoReplay } from '../../../src/recording/demo/demo-replay.ts';
import type { RecordingEntry } from '../../../src/recording/replay/record.ts';
import { ItemTypes } from '../../../src/wire/snapshot/item-types.ts';
import { read } from '../../support/samples.ts';

const textOf = (line: string | Uint8Array) => (typeof line === 'string' ? line : new TextDecoder().decode(line));

const all = { all: true, item: () => true, message: () => true };
const some = { all: false, item: (_: unknown, type: number) => type === 9, message: () => false };

it.each([
  ['ddnet-race-player.demo', () => new DemoReplay()],
  ['duplicate-key.pcap', () => new CaptureReplay()],
] as const)(
  'a line of %s is JSON, the same whatever was written before it, with the items of its snapshot',
  (name, makeReplay) => {
    for (const selection of [all, some].flatMap((filter) => [true, false].map((changes) => ({ filter, changes })))) {
      const replay = makeReplay();
      const lines = new RecordLines(selection);
      let written = 0;
      const check = (entry: RecordingEntry) => {
        const text = textOf(lines.add(entry));
        expect(text).toBe(textOf(new RecordLines(selection).add(entry)));
        if (text === '') return;
        const json = JSON.parse(text);
        expect(text).toBe(`${jsonText(json)}\n`);
        written++;
        if (entry.record !== 'snapshot' || !entry.snapshot || selection.changes || selection.filter !== all) return;
        const { snapshot, stream } = entry;
        const types = new ItemTypes(stream.protocol).onSnapshot(snapshot);
        const items = itemsJson({ snapshot, types });
        expect(JSON.stringify(json.items)).toBe(JSON.stringify(items));
      };
      for (const entry of replay.feed(read(name))) check(entry);
      for (const entry of replay.finish()) check(entry);
      expect(written).toBeGreaterThan(10);
    }
  },
);
