import fc from 'fast-check';

/** Texts of any code points. `fc.string({ unit: 'binary' })` takes a second for its table of all of them. */
export const anyText: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.nat(0x7f), fc.nat(0xffff), fc.nat(0x10ffff)), { maxLength: 20 })
  .map((points) => points.map((point) => String.fromCodePoint(point)).join(''));
