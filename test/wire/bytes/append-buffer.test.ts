import { describe, expect, it } from 'vitest';
import { AppendBuffer, maxDecimal, writeDecimal } from '../../../src/wire/bytes/buffers.ts';

describe('writeDecimal', () => {
  const powers = Array.from({ length: 10 }, (_, i) => 10 ** i);
  const ints = [0, ...powers.flatMap((power) => [power - 1, power, power + 1]), 2 ** 31 - 1];

  it.each([...ints, ...ints.map((int) => -int), -(2 ** 31)])('writes the digits of %i', (int) => {
    const bytes = new Uint8Array(1 + maxDecimal);
    const end = writeDecimal(bytes, 1, int);
    expect(new TextDecoder().decode(bytes.subarray(1, end))).toBe(String(int | 0));
    expect(bytes[0]).toBe(0);
  });
});

describe('AppendBuffer', () => {
  it('grows, and appends parts of bytes, text and single bytes', () => {
    const buffer = new AppendBuffer(1);
    const long = Uint8Array.from({ length: 200 }, (_, i) => i);
    buffer.text('ä€');
    buffer.bytes(long, 10, 150);
    buffer.bytes(long, 3, 5);
    buffer.byte(7);
    const expected = [...new TextEncoder().encode('ä€'), ...long.subarray(10, 150), 3, 4, 7];
    expect([...buffer.view()]).toEqual(expected);
    expect([...buffer.flush()]).toEqual(expected);
    expect(buffer.length).toBe(0);
  });
});
