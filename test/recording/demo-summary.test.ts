import { describe, expect, it } from 'vitest';
import { protocolOf } from '../../src/protocol/registry.ts';
import { DemoReplay } from '../../src/recording/demo.ts';
import { DemoSummary } from '../../src/recording/demo-summary.ts';
import type { RecordingEntry } from '../../src/recording/record.ts';
import { demoMessage } from '../support/recording.ts';
import { read } from '../support/samples.ts';

const summaryOf = (records: Iterable<RecordingEntry>) => {
  const summary = new DemoSummary();
  for (const record of records) summary.add(record);
  summary.finish();
  return summary;
};

const begun = (): DemoSummary => {
  const summary = new DemoSummary();
  summary.add({
    record: 'header',
    header: { markers: [] },
    stream: { protocol: protocolOf('0.6') },
  } as unknown as RecordingEntry);
  return summary;
};

const diagnostic = (code: string, severity = 'error') =>
  ({ record: 'diagnostic', tick: 1, diagnostic: { severity, code, offset: 7, args: {} } }) as unknown as RecordingEntry;

describe('a summary', () => {
  it('counts unknown messages by number or UUID, up to a limit of kinds', () => {
    const summary = begun();
    const message = (numbers: readonly number[]) => {
      const bytes = Uint8Array.from(numbers);
      summary.add({ record: 'message', bytes, message: demoMessage('0.6', bytes) } as unknown as RecordingEntry);
    };
    message([0xba, 1, 0, 0]);
    expect(summary.messages.get('unknown 61')).toBe(1);
    for (let i = 0; i < 1200; i++) message([0, i & 0xff, i >> 8, ...new Array(14).fill(9), 0, 0, 0]);
    expect(summary.messages.size).toBeLessThanOrEqual(1001);
    expect(summary.messageCount).toBe(1201);
    expect(summary.messages.get('unknown others')).toBeGreaterThan(100);
  });

  it('keeps so many diagnostics, and counts the others', () => {
    const summary = begun();
    for (let i = 0; i < 1500; i++) summary.add(diagnostic('chunk_type', 'warning'));
    expect([summary.diagnostics.length, summary.moreDiagnostics, summary.health.state]).toEqual([1000, 500, 'healthy']);
  });

  it.each([
    [['truncated_chunk'], 'cut'],
    [['truncated_map'], 'cut'],
    [['framing_lost'], 'damaged'],
    [['truncated_chunk', 'framing_lost'], 'damaged'],
  ])('of %j is %s', (codes, state) => {
    const summary = begun();
    for (const code of codes) summary.add(diagnostic(code));
    expect(summary.health).toEqual({ state, at: codes.map(() => 7) });
  });

  it('without a header is unreadable, without a map knows nothing of it', () => {
    const summary = new DemoSummary();
    summary.add(diagnostic('truncated_header'));
    expect([summary.health.state, summary.mapIsRight, summary.seconds]).toEqual(['unreadable', undefined, 0]);
    expect(begun().mapIsRight).toBeUndefined();
  });

  it('holds the map against its sums', () => {
    const whole = () =>
      [...new DemoReplay().feed(read('vanilla-dm1.demo'))].filter(
        ({ record }) => record === 'header' || record === 'map',
      );
    const [header, ...map] = whole() as [RecordingEntry & { record: 'header' }, ...RecordingEntry[]];
    expect(summaryOf([header, ...map]).mapIsRight).toBe(true);
    const other = (over: object) => ({ ...header, header: { ...header.header, ...over } });
    expect(summaryOf([other({ mapCrc: 1 }), ...map]).mapIsRight).toBe(false);
    expect(summaryOf([other({ sha256: '00'.repeat(32) }), ...map]).mapIsRight).toBe(false);
  });
});
