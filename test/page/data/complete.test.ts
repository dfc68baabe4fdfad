import { expect, it } from 'vitest';
import { completionsOf } from '../../../src/page/data/complete.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';

const protocol = protocolOf('0.7');

it('a word becomes types of items, messages and events', () => {
  expect(completionsOf('obj_ch', protocol)).toEqual(['obj_character_core', 'obj_character']);
  expect(completionsOf('sv_emotic', protocol)).toEqual(['sv_emoticon']);
  expect(completionsOf('finis', protocol)).toContain('finish');
});

it('after a type, a word becomes its fields, and what is before stays', () => {
  expect(completionsOf('obj_character heal', protocol)).toEqual(['obj_character health']);
  expect(completionsOf('obj_character health<3 and obj_character we', protocol)[0]).toBe(
    'obj_character health<3 and obj_character weapon',
  );
});

it('offers nothing for a value, for nothing, and for what is complete', () => {
  expect(completionsOf('obj_character weapon=', protocol)).toEqual([]);
  expect(completionsOf('', protocol)).toEqual([]);
  expect(completionsOf('sv_emoticon', protocol)).toEqual([]);
});
