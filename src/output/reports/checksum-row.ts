import type { HealthState } from '../../recording/health/health.ts';
import { aligned } from '../text/columns.ts';
import { pathText } from '../text/escape.ts';
import { minWrapWidth, wordsIn, wrap } from '../text/layout.ts';
import { type MarkdownColumn, markdownHead, markdownRow } from '../text/markdown.ts';
import { healthStyle, type ViewStyle } from '../text/theme.ts';

const fileColumns = (fileWidth: number): readonly MarkdownColumn[] => [
  { head: 'file', align: 'left', width: fileWidth },
  { head: 'health', align: 'left', width: 10 },
  { head: 'checksums', align: 'left' },
];

/** The head of the rows of files in markdown; text has none. */
export const checksumHeading = ({ isMarkdown, fileWidth }: RowStyle): string =>
  isMarkdown ? `${markdownHead(fileColumns(fileWidth)).join('\n')}\n` : '';

type RowStyle = ViewStyle & { readonly fileWidth: number };

/** A file in one row, with its health, and the lines below it. */
export function renderChecksumRow(
  name: string,
  state: HealthState | undefined,
  text: string,
  below: readonly string[],
  { theme, limit, isMarkdown, fileWidth }: RowStyle,
): string {
  const health = healthStyle(state ?? 'healthy', theme)(aligned(state ?? '', 10));
  const room = (limit ?? Infinity) - fileWidth - 16;
  const texts = room < minWrapWidth ? [text] : wrap(wordsIn(text), room);
  const head = `${theme.strong(aligned(pathText(name), fileWidth))}   ${health}`;
  if (isMarkdown)
    return `${markdownRow([pathText(name), state ?? '', [text, ...below].join('\n')], fileColumns(fileWidth))}\n`;
  const lines = [
    ...texts.map((line, i) => `${i === 0 ? head : ' '.repeat(fileWidth + 13)}   ${line}`),
    ...below.map((line) => `  ${line}`),
  ];
  return `${lines.join('\n')}\n`;
}
