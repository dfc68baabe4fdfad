/** The median; of an even number of values the higher one in the middle. */
export const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];

/** @param words the number of columns without figures */
export function markdownTable(head, rows, words = 1) {
  const rule = head.map((_, i) => (i < words ? '---' : '--:'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export const grouped = (number) => Math.round(number).toLocaleString('en-US');
export const digits = (number, count) =>
  Number(number.toPrecision(count)).toLocaleString('en-US', { maximumFractionDigits: 6 });
