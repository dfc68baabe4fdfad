import { expect, it } from 'vitest';
import { columns } from '../../src/view/columns.ts';

it('a long table has the same columns from its first row to its last', () => {
  const rows = Array.from({ length: 1000 }, (_, i) => [`${i}`, i === 700 ? 'wide'.repeat(5) : '日本', `${i * i}`]);
  const lines = columns(rows, ['right', 'left', 'right'], '');
  // 3 digits, 20 letters, 6 digits; two wide characters take four columns.
  expect(lines[0]).toBe(`  0   日本${' '.repeat(16)}        0`);
  expect(lines[700]).toBe(`700   ${'wide'.repeat(5)}   490000`);
  expect(lines[999]).toBe(`999   日本${' '.repeat(16)}   998001`);
  expect(lines).toHaveLength(1000);
});
