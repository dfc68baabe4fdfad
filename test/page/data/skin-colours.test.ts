import { expect, it } from 'vitest';
import { colourOfInt, colourOfSkin, darkest06, darkest07 } from '../../../src/page/data/skin-colours.ts';

it('a chosen colour has hue, saturation and a lightness above the darkest one', () => {
  // A third of 256 in the hue: green; lightness 0 is the darkest colour that is allowed.
  expect(colourOfInt((85 << 16) | (255 << 8), darkest06)).toBe('hsl(120 100% 50%)');
  expect(colourOfInt(255, darkest06)).toBe('hsl(0 0% 100%)');
  expect(colourOfInt((170 << 16) | (51 << 8), darkest07)).toBe('hsl(240 20% 24%)');
});

it('a skin without a colour has the colour of its picture, an unknown skin always the same colour', () => {
  expect(colourOfSkin('saddo')).toBe(colourOfSkin('kitty_saddo'));
  expect(colourOfSkin('never heard of')).toBe(colourOfSkin('never heard of'));
  expect(colourOfSkin('never heard of')).not.toBe(colourOfSkin('nor of this'));
});
