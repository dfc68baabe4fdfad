import { expect, it } from 'vitest';
import { lookOf } from '../../../src/page/data/skin-colours.ts';
import { unknownPlayer } from '../../../src/recording/events/players.ts';

const bodyOf = (colour: number, version: '0.6' | '0.7') =>
  lookOf({ ...unknownPlayer, partColours: [colour] }, version).colour;

const colourOfSkin = (skin: string) => lookOf({ ...unknownPlayer, skin }, '0.6').colour;

it('a chosen colour has hue, saturation and a lightness above the darkest one', () => {
  // A third of 256 in the hue: green; lightness 0 is the darkest colour that is allowed.
  expect(bodyOf((85 << 16) | (255 << 8), '0.6')).toBe('hsl(120 100% 50%)');
  expect(bodyOf(255, '0.6')).toBe('hsl(0 0% 100%)');
  expect(bodyOf((170 << 16) | (51 << 8), '0.7')).toBe('hsl(240 20% 24%)');
});

it('a skin without a colour has the colour of its picture, an unknown skin always the same colour', () => {
  expect(colourOfSkin('saddo')).toBe(colourOfSkin('kitty_saddo'));
  expect(colourOfSkin('never heard of')).toBe(colourOfSkin('never heard of'));
  expect(colourOfSkin('never heard of')).not.toBe(colourOfSkin('nor of this'));
});
