import { describe, expect, it } from 'vitest';
import { DemoReader } from '../../../src/recording/container/demo/demo-reader.ts';
import { DemoReplay } from '../../../src/recording/demo/demo-replay.ts';
import type { RecordingEntry } from '../../../src/recording/replay/record.ts';
import type { ReadOptions } from '../../../src/recording/replay/replay.ts';
import { read } from '../../support/samples.ts';

const demo = read('vanilla-dm1.demo');
const named = (entry: RecordingEntry) => `${entry.record} ${'tick' in entry ? entry.tick : ''}`;

function all(options: ReadOptions = {}): string[] {
  const replay = new DemoReplay(options);
  // Records of snapshots are valid only until the next one is requested.
  return [...Array.from(replay.feed(demo), named), ...Array.from(replay.finish(), named)];
}

describe('the records of a demo', () => {
  it.each<ReadOptions>([{}, { parts: true }])('are all there when reading stops after each of them: %j', (options) => {
    const replay = new DemoReplay(options);
    const found: string[] = [];
    for (const entry of replay.feed(demo)) {
      found.push(named(entry));
      break;
    }
    for (let isMore = true; isMore; ) {
      isMore = false;
      for (const entry of replay.finish()) {
        found.push(named(entry));
        isMore = true;
        break;
      }
    }
    expect(found).toEqual(all(options));
  });

  it('end for an iterator once they have ended, whatever is added later', () => {
    const replay = new DemoReplay();
    const [first, second] = [demo.subarray(0, demo.length >> 1), demo.subarray(demo.length >> 1)];
    const records = replay.feed(first);
    expect([...records].length).toBeGreaterThan(100);
    const later = replay.feed(second);
    expect(records.next()).toEqual({ value: undefined, done: true });
    expect(later.next().done).toBe(false);
  });

  it('have the payload as a view of the file, also after the fields of the record were read', () => {
    const frames = Array.from(new DemoReader().feed(demo), (frame) => ({ ...frame }));
    const chunks = frames.filter(({ kind }) => kind === 'snapshot' || kind === 'delta');
    let i = 0;
    for (const entry of new DemoReplay().feed(demo)) {
      if (entry.record !== 'snapshot') continue;
      const { kind, start, end } = chunks[i++]!;
      expect([entry.kind, entry.payloadKind, entry.bytes]).toEqual([kind, kind, end - start]);
      expect(entry.payload).toEqual(demo.subarray(start, end));
    }
    expect(i).toBe(chunks.length);
  });
});
