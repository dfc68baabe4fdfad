import { expect, test } from 'vitest';
import { PieceMemory } from '../../../../commands/lib/platform/piece-memory.ts';

test('the memory of a piece is used again for the one after the next', () => {
  const memory = new PieceMemory();
  const [first, second, third, fourth] = [8, 8, 4, 8].map((size) => memory.take(size));
  expect(second!.buffer).not.toBe(first!.buffer);
  expect(third!.buffer).toBe(first!.buffer);
  expect(third).toHaveLength(4);
  expect(fourth!.buffer).toBe(second!.buffer);
});

test('a longer piece has memory of its own', () => {
  const memory = new PieceMemory();
  const [first, , third] = [4, 4, 8].map((size) => memory.take(size));
  expect(third!.buffer).not.toBe(first!.buffer);
  expect(third).toHaveLength(8);
});

test('a piece is not overwritten if the next one was taken while that was not allowed', () => {
  let isReusing = false;
  const memory = new PieceMemory(() => isReusing);
  const kept = [memory.take(8), memory.take(8)];
  isReusing = true;
  const later = [8, 8, 8].map((size) => memory.take(size).buffer);
  expect(later).not.toContain(kept[0]!.buffer);
});
