import type { Change, Content, Span } from '../../annotate/span.ts';
import { quote } from '../text/escape.ts';
import { shortened } from '../text/line-wrapping.ts';
import { maxInLine, quotedText } from '../text/untrusted-text.ts';

/** Values that are said again in each row they run over; longer ones are only named. */
const shortToken = 24;

/** A span as a word of the dump: `type=6 obj_game_data`, `weapon=1 (gun)`, `x=6 (784 → 790)`; in later rows `name …`. */
export function token(span: Span, units: boolean, isContinued = false): string {
  const text = wholeToken(span, units);
  return isContinued && text.length > shortToken && span.role !== 'gap' ? `${span.label} …` : text;
}

function wholeToken(span: Span, units: boolean): string {
  const { label, value, names, change } = span;
  if (span.role === 'gap') return label === 'gap' ? '(unclaimed)' : `(${label})`;
  if (span.role === 'error') return '(cut)';
  const content = typeof value === 'string' ? (span.role === 'text' ? said(value, units) : value) : valueText(span);
  const meaning = change ? changed(change) : words(span.symbol, units ? span.quantity : undefined);
  return `${label}=${content}${names === undefined ? '' : ` ${names}`}${meaning}`;
}

/** A number as text, a difference with its sign: `784`, `+784`, `-110`; `…` where the bytes hold none. */
export function valueText({ value, isDifference }: Pick<Span, 'value' | 'isDifference'>): string {
  return `${isDifference && typeof value === 'number' && value >= 0 ? '+' : ''}${value ?? '…'}`;
}

/** The ASCII beside it shows the rest. */
function said(text: string, whole: boolean): string {
  const shown = whole ? text : shortened(text, maxInLine);
  return shown === text ? quote(text) : `${quote(shown.slice(0, -1))}…`;
}

function words(...parts: (string | undefined)[]): string {
  const said = parts.filter((part) => part !== undefined);
  return said.length > 0 ? ` (${said.join(', ')})` : '';
}

function changed({ old, new: now, oldSymbol, newSymbol }: Change): string {
  const is = side(now, newSymbol);
  return old === now ? ` (${is})` : ` (${side(old, oldSymbol)} → ${is})`;
}

function side(content: Content, symbol: string | undefined): string {
  const value = typeof content === 'string' ? quotedText(content, maxInLine) : String(content ?? '…');
  return symbol === undefined ? value : `${value} ${symbol}`;
}
