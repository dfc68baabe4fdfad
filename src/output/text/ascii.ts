/** The signs of our own texts beyond ASCII; most take as many columns, so that tables stay as they are. */
const signs: Readonly<Record<string, string>> = {
  ...{ '→': '->', '·': '-', '…': '~', '✗': 'x', '✓': '+', '×': 'x', '−': '-', '’': "'", µ: 'u', '°': 'd' },
  ...{ '▏': ' ', '▎': ' ', '▍': ' ', '▌': '#', '▋': '#', '▊': '#', '▉': '#', '█': '#' },
  ...{ '▁': '_', '▂': '.', '▃': '-', '▄': '=', '▅': '+', '▆': '*', '▇': '%' },
};

/** No literal: a bundle in ASCII is held in a byte a character. */
const anySign = new RegExp(`[${Object.keys(signs).join('')}]`, 'g');

/** A text without these signs, for terminals that cannot show them. Names and chat stay as they are. */
export const inAscii = (text: string): string => text.replace(anySign, (sign) => signs[sign]!);
