import { describe, expect, it } from 'vitest';
import { findingText } from '../../../src/output/phrases/finding-phrases.ts';
import {
  diagnosticFinding,
  type FindingSeverity,
  Findings,
  finding,
  healthOf,
  judgeFindings,
  RecordFindings,
  statusOf,
} from '../../../src/recording/health/findings.ts';
import { TickJudge } from '../../../src/recording/judge/tick-judge.ts';
import type { DiagnosticEntry, RecordingEntry, SnapshotEntry } from '../../../src/recording/replay/record.ts';

const wrong = finding('mismatched_snapshots', 'wrong', { count: 2 });
const missing = finding('missing_snapshots', 'warning', { count: 3 });
const crash = diagnosticFinding({ severity: 'warning', code: 'not_played', offset: 8, args: {} });
const error = diagnosticFinding({
  severity: 'error',
  code: 'truncated_chunk',
  offset: 8,
  args: { found: 1, expected: 2 },
});

describe('findings', () => {
  it.each<readonly [severity: FindingSeverity, usual: number, strict: number]>([
    ['note', 0, 0],
    ['warning', 0, 1],
    ['wrong', 1, 1],
    ['refused', 2, 2],
    ['unread', 3, 3],
  ])('%s: exit status %i, with --strict %i; the worst one decides', (severity, usual, strict) => {
    const entry = finding('explained', severity);
    expect([statusOf([entry]), statusOf([entry], true)]).toEqual([usual, strict]);
    expect(statusOf([entry, finding('explained', 'note')])).toBe(usual);
  });

  it('give a recording its health, the worst one', () => {
    expect(healthOf([])).toBe('healthy');
    expect(healthOf([missing])).toBe('incomplete');
    // A limit that was reached.
    for (const code of ['too_many_connections', 'connections_not_listed', 'limit_reached'] as const)
      expect(healthOf([finding(code, 'warning')])).toBe('incomplete');
    expect(healthOf([wrong, missing])).toBe('mismatched');
    expect(healthOf([missing, crash, wrong])).toBe('unplayable');
    expect(healthOf([wrong, crash, error])).toBe('damaged');
  });

  it('are limited, but keep what decides', () => {
    const found = new Findings(2);
    for (const finding of [missing, missing, missing, missing, wrong, error]) found.add(finding);
    expect(found.all).toEqual([missing, missing, wrong, error]);
  });

  it('of records are counted for snapshots, and listed for the rest', () => {
    const found = new RecordFindings(1);
    const stream = { client: '1.2.3.4:5' } as DiagnosticEntry['stream'];
    const diagnostic = { severity: 'error', code: 'huffman_no_eof', offset: 3, args: {} } as const;
    const packet = { record: 'diagnostic', stream, frame: 12, direction: 'to_client', diagnostic } as DiagnosticEntry;
    const dropped = {
      ...packet,
      frame: 13,
      diagnostic: { ...diagnostic, severity: 'warning', code: 'wrong_token' } as const,
    };
    const snapshot = { record: 'snapshot', verdict: 'missing_base', tick: 2, base: 1 } as RecordingEntry;
    for (const entry of [packet, packet, snapshot, dropped, snapshot]) found.add(entry);
    const listed = found.all.map(({ code, severity, count }) => [code, severity, count]);
    expect([listed, found.omitted]).toEqual([
      [
        ['huffman_no_eof', 'unread', 1],
        ['wrong_token', 'note', 1],
        ['missing_snapshots', 'warning', 2],
      ],
      1,
    ]);
    expect(findingText(found.all[0]!, '')).toBe("packet 12 can't be read to its end: huffman_no_eof");
    expect(structuredClone(found.all)).toEqual(found.all);
  });

  it('of a demo are its ranges in doubt, and the signs that no checksum answers', () => {
    const judge = new TickJudge();
    const stream = { client: '' };
    const warning = { severity: 'warning', code: 'excess_ints', offset: 77, args: { found: 9, read: 8 } } as const;
    const about = { record: 'diagnostic', stream, tick: 52, chunk: 'delta', diagnostic: warning };
    judge.add(about as unknown as DiagnosticEntry);
    for (const tick of [52, 54])
      judge.add({ record: 'snapshot', stream, tick, kind: 'delta', snapshot: {} } as SnapshotEntry);
    judge.finish();
    const found = judgeFindings(judge);
    expect(found.map((each) => findingText(each, ''))).toEqual([
      'ticks 52 to 54 are in doubt, 2 snapshots: excess_ints at 0x004d: 9 ints left over after the last item',
      '1 sign of damage',
    ]);
    expect([healthOf(found), statusOf(found)]).toEqual(['suspect', 1]);
    expect(structuredClone(found)).toEqual(found);
  });

  it('are sentences in the view, and plain data elsewhere', () => {
    expect(structuredClone(error)).toEqual(error);
    expect(findingText(error, 'a.demo')).toBe('truncated_chunk at 0x0008: the file ends inside a chunk: 1 of 2 bytes');
    const sent = finding('unexpected_checksum', 'wrong', { place: { tick: 7 }, args: { crc: 5, expected: 6 } });
    expect(findingText(sent, 'a.demo')).toBe('a.demo@7: the checksum is 5; expected 6');
    expect(findingText(wrong, 'a.demo')).toBeUndefined();
  });
});
