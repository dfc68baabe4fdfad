/** 1234567 → `1,234,567`. */
export function thousands(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A number with this many decimals: 1234.5 → `1,234.5`. */
export function numberText(value: number, digits: number): string {
  if (digits === 0) return thousands(Math.round(value));
  const [whole, rest] = value.toFixed(digits).split('.') as [string, string];
  return `${thousands(Number(whole))}.${rest}`;
}

/** `1 byte`, `2 bytes`. */
export function count(value: number, noun: string, plural = `${noun}s`): string {
  return `${thousands(value)} ${value === 1 ? noun : plural}`;
}

/** The texts of the numbers that are not 0. */
export const nonZero = (...texts: readonly (readonly [value: number, text: string])[]): string[] =>
  texts.flatMap(([value, text]) => (value > 0 ? [text] : []));

/** The position of a bit in compressed bytes as byte and bit, `2a.3`; bit 0 is the lowest bit of a byte. */
export const bitAddress = (bit: number) => `${Math.floor(bit / 8).toString(16)}.${bit % 8}`;

/** At least four hexadecimal digits. */
export function address(value: number): string {
  return value.toString(16).padStart(4, '0');
}
