import { expect } from 'vitest';

interface Part {
  readonly start: number;
  readonly end: number;
}

/** The parts are adjacent, none is empty, and together they cover the bytes up to `end`. */
export function expectPartition(parts: readonly Part[], end: number): void {
  let at = 0;
  for (const part of parts) {
    expect(part.start).toBe(at);
    expect(part.end).toBeGreaterThan(at);
    at = part.end;
  }
  expect(at).toBe(end);
}
