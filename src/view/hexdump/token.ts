import type { Change, Content, Span } from '../../annotate/span.ts';
import { quote } from '../text/escape.ts';
import { shortened } from '../text/layout.ts';
import { maxInLine, valueInLine } from '../text/untrusted-text.ts';

/** Longer tokens are shown only by name in the further rows that they cover. */
const shortToken = 24;

/** A span as text in the dump: `type=6 obj_game_data`, `weapon=1 (gun)`, `x=6 (784 → 790)`; in later rows `name …`. */
export function token(span: Span, units: boolean, isContinued = false): string {
  const text = wholeToken(span, units);
  return isContinued && text.length > shortToken && span.role !== 'gap' ? `${span.label} …` : text;
}

function wholeToken(span: Span, units: boolean): string {
  const { label, value, names, change } = span;
  if (span.role === 'gap') return label === 'gap' ? '(unclaimed)' : `(${label})`;
  if (span.role === 'error') return '(cut)';
  const content =
    typeof value === 'string' ? (span.role === 'text' ? quotedValue(value, units) : value) : valueText(span);
  const meaning = change ? changeText(change) : inParentheses(span.symbol, units ? span.quantity : undefined);
  return `${label}=${content}${names === undefined ? '' : ` ${names}`}${meaning}`;
}

/** A number as text; a difference has a sign: `784`, `+784`, `-110`. The text is `…` if the bytes do not contain the value. */
export function valueText({ value, isDifference }: Pick<Span, 'value' | 'isDifference'>): string {
  return `${isDifference && typeof value === 'number' && value >= 0 ? '+' : ''}${value ?? '…'}`;
}

/** The text in quotes. It is shortened unless `whole` is set, because the ASCII column shows the rest. */
function quotedValue(text: string, whole: boolean): string {
  const shown = whole ? text : shortened(text, maxInLine);
  return shown === text ? quote(text) : `${quote(shown.slice(0, -1))}…`;
}

function inParentheses(...parts: (string | undefined)[]): string {
  const known = parts.filter((part) => part !== undefined);
  return known.length > 0 ? ` (${known.join(', ')})` : '';
}

function changeText({ old, new: now, oldSymbol, newSymbol }: Change): string {
  const is = valueWithSymbol(now, newSymbol);
  return old === now ? ` (${is})` : ` (${valueWithSymbol(old, oldSymbol)} → ${is})`;
}

function valueWithSymbol(content: Content, symbol: string | undefined): string {
  const value = valueInLine(content);
  return symbol === undefined ? value : `${value} ${symbol}`;
}
