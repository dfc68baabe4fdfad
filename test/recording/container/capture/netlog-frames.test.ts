import { describe, expect, it } from 'vitest';
import type { CaptureFrame } from '../../../../src/recording/container/capture/capture-frame.ts';
import { NetlogReader } from '../../../../src/recording/container/capture/netlog-frames.ts';
import { isNetlog } from '../../../../src/recording/container/detect.ts';
import { type Bytes, file } from '../../../support/bytes.ts';
import { netlogRecord } from '../../../support/capture-builder.ts';
import { framesOf } from '../../../support/capture-frames.ts';

function lineOf({ kind, offset, number, diagnostic, bytes, start, end, dataOffset }: CaptureFrame): string {
  if (kind === 'diagnostic') return `${diagnostic!.code} ${offset}`;
  return `${number} ${kind} at ${offset}, ${dataOffset}: ${bytes.subarray(start, end).join(' ')}`;
}

const read = (bytes: Uint8Array, pieceSize?: number) => framesOf(new NetlogReader(), bytes, lineOf, pieceSize);

const records: Bytes[] = Array.from({ length: 10 }, (_, i) => netlogRecord(i % 2, [0x10, 0, 0, i]));
const lines = records.map(
  (_, i) => `${i + 1} ${i % 2 ? 'other' : 'datagram'} at ${12 * i}, ${12 * i + 8}: 16 0 0 ${i}`,
);

describe('logs of the network', () => {
  it('yield packets and their payloads', () => {
    for (const size of [1, 7, 65536]) expect(read(file(...records), size)).toEqual(lines);
  });

  it('have empty payloads', () => {
    expect(read(file(netlogRecord(1, []), records[0]!))).toEqual([
      '1 other at 0, 8: ',
      '2 datagram at 8, 16: 16 0 0 0',
    ]);
  });

  it('are recognised by a chain of records', () => {
    const is = (...parts: Bytes[]) => isNetlog(file(...parts));
    expect(is(...records)).toBe(true);
    expect(is(records[0]!)).toBe(true);
    expect(is(records[0]!, records[1]!.slice(0, 9))).toBe(false);
    expect(is(records[0]!, records[1]!, records[2]!.slice(0, 5))).toBe(true);
    expect(is(records[0]!, records[1]!, records[2]!.slice(0, 9))).toBe(true);
    expect(is(records[0]!, records[1]!, [2, 0, 0, 0, 4, 0, 0, 0])).toBe(false);
    expect(is([])).toBe(false);
    expect(is(new Array(100).fill(0))).toBe(false);
    expect(is(netlogRecord(1, [1], 1401))).toBe(false);
    expect(is(netlogRecord(0, [1, 2]))).toBe(false);
  });

  it('may end inside a record, where the game was stopped', () => {
    expect(read(file(...records).slice(0, -1))).toEqual([...lines.slice(0, 9), 'truncated_record 108']);
  });

  it('continue after damage', () => {
    const bytes = file(...records);
    bytes[3 * 12 + 6] = 1;
    expect(read(bytes)).toEqual([
      ...lines.slice(0, 3),
      'records_lost 36',
      ...lines.slice(4).map((line) => line.replace(/\d+/, (number) => `${Number(number) - 1}`)),
    ]);
  });

  it('never cause an unexpected error', () => {
    const whole = file(...records);
    for (let size = 0; size <= whole.length; size++) expect(read(whole.slice(0, size), 5).length).toBeLessThan(12);
    for (let bit = 0; bit < 8 * whole.length; bit++) {
      const bytes = whole.slice();
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      expect(read(bytes).length).toBeLessThan(20);
      expect(read(bytes, 3)).toEqual(read(bytes));
    }
  });
});
