import { expect, it } from 'vitest';
import { intsOfUuid, uuidOfInts } from '../../../src/wire/protocol/texts.ts';

it('uuidOfInts reads the ints that a cut item lacks as zeros', () => {
  expect(uuidOfInts([0x12345678])).toBe('12345678-0000-0000-0000-000000000000');
});

it('uuidOfInts distinguishes UUIDs with the same first int', () => {
  const uuids = ['76ce455b-f9eb-3a48-add7-e04b941d045c', '76ce455b-0000-0000-0000-000000000001'];
  expect([...uuids, ...uuids].map((uuid) => uuidOfInts(intsOfUuid(uuid)))).toEqual([...uuids, ...uuids]);
});
