import type { ChecksumResults, ConnectionResults, FailedChecksum } from '../../analysis/explain/checksum-results.ts';
import type { CheckedOutcome, ChecksumCounts } from '../../recording/health/checksums.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { nameText, suspectText } from '../phrases/cause-phrases.ts';
import { excessText, failureTitle } from '../phrases/recording-phrases.ts';
import { type Column, columns } from '../text/columns.ts';
import { type Table, tableOf } from '../text/drawn-table.ts';
import { shellWord } from '../text/escape.ts';
import { count, nonZero, thousands } from '../text/number.ts';
import { printSections, type Section } from '../text/sections.ts';
import { asIs, type Theme, type ViewStyle } from '../text/theme.ts';
import { failureTexts } from './info-rows.ts';

const maxCauses = 10;
const maxSuspects = 5;
/** The maximum number of causes below the row of a file. */
const maxInRow = 3;

/**
 * Compares the snapshots of each connection with their announced checksums, and lists suspected items for mismatches.
 * @param isFollowed whether the failures were already printed while the capture was followed
 */
export function renderCaptureChecksums(
  sums: ChecksumResults,
  file: string | undefined,
  style: ViewStyle,
  isFollowed = false,
): string {
  const { theme, width, verbose } = style;
  const shown = isFollowed ? [] : alike(sums.failures).slice(0, verbose ? Infinity : maxCauses);
  const { mismatched, damaged } = sums.total;
  const more = isFollowed ? 0 : sums.failures.length - shown.reduce((sum, { length }) => sum + length, 0);
  const counted = isFollowed ? 0 : mismatched + damaged - sums.failures.length;
  const hasCause = mismatched + damaged > 0 && file !== undefined;
  const sections: Section[] = [
    { table: table(sums, theme, width) },
    { lines: sums.connections.flatMap((connection) => notes(connection, theme)) },
    ...shown.map((failures) => ({ lines: failureLines(failures, file, style) })),
    { lines: more > 0 ? [theme.dim(`… ${thousands(more)} more (-v)`)] : [] },
    {
      lines:
        counted > 0 ? [theme.dim(`… ${thousands(counted)} more ${counted === 1 ? 'is' : 'are'} only counted`)] : [],
    },
    { lines: hasCause ? [`${theme.dim('the cause:')} tw-snap explain ${shellWord(file)}`] : [] },
  ];
  return printSections(sections, style);
}

/** What is wrong with a file, below its row in a table of files; each cause once. */
export function failureRows(
  failures: readonly FailedChecksum[],
  name: string,
  { theme, verbose }: ViewStyle,
): string[] {
  const shown = alike(failures).slice(0, verbose ? Infinity : maxInRow);
  const more = failures.length - shown.reduce((sum, { length }) => sum + length, 0);
  return [
    ...shown.map((failures) => `${theme.error('✗')} ${failuresTitle(failures, theme)}`),
    ...(more > 0 ? [theme.dim(`… ${thousands(more)} more: tw-snap explain ${shellWord(name)}`)] : []),
  ];
}

export const renderFailure = (failure: FailedChecksum, file: string | undefined, style: ViewStyle): string =>
  `${failureLines([failure], file, style).join('\n')}\n`;

/** `4,554 snapshots: 4,553 match, 1 mismatched, plus 268 empty` */
export function checksumsLine(counts: ChecksumCounts, theme: Theme): string {
  const { snapshots, matched, empty } = counts;
  const parts = [
    `${thousands(matched)} match`,
    ...failureTexts(counts, theme, ''),
    ...nonZero([empty, `plus ${thousands(empty)} empty`]),
  ];
  return `${count(snapshots, 'snapshot')}: ${parts.join(', ')}`;
}

type Row = Pick<ConnectionResults, 'counts'> & Partial<ConnectionResults>;

function table({ connections, total }: ChecksumResults, theme: Theme, width: number): Table {
  const number = (head: string, key: CheckedOutcome, style = asIs): Column<Row> => ({
    head,
    cell: ({ counts }) => (counts[key] > 0 ? style(thousands(counts[key])) : '0'),
  });
  const client = ({ stream }: Row) => (stream ? theme.strong(stream.client) : count(connections.length, 'connection'));
  const all: readonly Column<Row>[] = [
    { head: 'client', align: 'left', cell: client },
    { head: 'version', align: 'left', cell: ({ stream }) => stream?.version ?? '' },
    number('snapshots', 'snapshots'),
    number('matched', 'matched', theme.added),
    number('empty', 'empty'),
    number('no base', 'missing_base', theme.warning),
    ...(total.missing_part > 0 ? [number('no part', 'missing_part', theme.warning)] : []),
    ...(total.damaged > 0 ? [number('damaged', 'damaged', theme.error)] : []),
    number('mismatched', 'mismatched', theme.error),
  ];
  const spare = [
    'version',
    ...(total.empty === 0 ? ['empty'] : []),
    ...(total.missing_base === 0 ? ['no base'] : []),
    'snapshots',
  ];
  const rows: readonly Row[] = connections.length > 1 ? [...connections, { counts: total }] : connections;
  return tableOf(all, rows, { spare, limit: width });
}

function notes(
  { stream: { client, undecodable, rejectedPackets }, counts }: ConnectionResults,
  theme: Theme,
): string[] {
  const lines = nonZero(
    [undecodable, `${count(undecodable, 'packet')} can't be read to the end`],
    [rejectedPackets, `${count(rejectedPackets, 'packet')} rejected: the games drop them`],
    [counts.matched > 0 ? 0 : counts.missing_base, 'no full snapshot was captured, and deltas alone make none'],
  );
  return lines.map((line) => `${theme.warning('!')} ${theme.strong(client)}  ${line}`);
}

/** The failures of each client that have the same suspects or the same error, so that a cause is said once. */
function alike(failures: readonly FailedChecksum[]): readonly (readonly FailedChecksum[])[] {
  const groups = new Map<string, FailedChecksum[]>();
  for (const failure of failures) {
    const { client, crc, cause, suspects } = failure;
    const key = [client, crc === undefined, cause?.code, ...suspects.map(suspectText)].join('\n');
    getOr(groups, key, () => []).push(failure);
  }
  return [...groups.values()];
}

/** Of several: `10.0.0.7:50000  20 snapshots, ticks 226 to 264, frames 17 to 36: rebuilt 1,153,102,463 too few` */
function failuresTitle(failures: readonly FailedChecksum[], theme: Theme): string {
  const first = failures[0]!;
  const last = failures.at(-1)!;
  if (failures.length === 1) return failureTitle(first, theme);
  const frames = first.frame > 0 ? `, frames ${first.frame} to ${last.frame}` : '';
  const where = `${theme.strong(first.client)}  ${count(failures.length, 'snapshot')}, ticks ${first.tick} to ${last.tick}${frames}`;
  return `${where}: ${failuresText(failures)}`;
}

/** What is wrong with several of one cause. */
function failuresText(failures: readonly FailedChecksum[]): string {
  const { crc, expected } = failures[0]!;
  if (crc === undefined) return 'damaged';
  const excess = new Set(failures.map((failure) => (failure.crc! - failure.expected) | 0));
  const [only = 0] = excess;
  return excess.size === 1 ? `rebuilt ${excessText(only)}` : `the first announced ${expected}, rebuilt ${crc}`;
}

/** The details of failed snapshots of one cause, and the command that shows the first. */
function failureLines(
  failures: readonly FailedChecksum[],
  file: string | undefined,
  { theme, limit, verbose }: ViewStyle,
): string[] {
  const maxLines = verbose ? Infinity : maxSuspects;
  const { client, tick, crc, suspects, touched } = failures[0]!;
  const rows = suspects
    .slice(0, maxLines)
    .map((suspect) => [suspectText(suspect), suspect.isLikely ? theme.strong('most likely') : theme.dim('possible')]);
  const where =
    file === undefined ? '' : `tw-snap decode ${shellWord(`${file}@${tick}`)} --client ${shellWord(client)}`;
  return [
    `${theme.error('✗')} ${failuresTitle(failures, theme)}`,
    ...columns(rows, ['left', 'left'], { indent: '    ', limit }),
    ...(crc === undefined || suspects.some(({ isLikely }) => isLikely)
      ? []
      : [touchedLine(touched, failures.length > 1 ? 'the first' : 'it', maxLines)]),
    ...(where === '' ? [] : [`    ${theme.dim('see it:')} ${where}`]),
  ];
}

function touchedLine(touched: FailedChecksum['touched'], which: string, maxLines: number): string {
  if (touched.length === 0) return `    ${which} changes no item`;
  const shown = touched.slice(0, maxLines).map(nameText);
  const more = touched.length - shown.length;
  return `    ${which} changes ${count(touched.length, 'item')}: ${shown.join(', ')}${more > 0 ? `, and ${more} more (-v)` : ''}`;
}
