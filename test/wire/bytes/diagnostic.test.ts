import { expect, it } from 'vitest';
import { DecodeError } from '../../../src/wire/bytes/diagnostic.ts';

it('the message of an error has its code, offset and values in words, or is the one that is stated', () => {
  const error = new DecodeError('truncated_delta', 3, { expected: 5, found: 3 });
  const text = 'truncated delta at offset 3 (expected 5, found 3)';
  expect(error.message).toBe(text);
  expect(String(error)).toBe(`DecodeError: ${text}`);
  expect(error.stack?.split('\n')[0]).toMatch(text);
  expect(new DecodeError('bad_id', 0).message).toBe('bad id at offset 0');
  expect(new DecodeError('bad_id', 0, {}, 'byte 0: stated').message).toBe('byte 0: stated');
});
