import type { CheckedStream, ChecksumResults } from '../../src/explain/checksum-results.ts';
import { isOfClient } from '../../src/recording/record.ts';
import type { DatagramCounts } from '../../src/recording/replay.ts';
import { maxFindings } from '../../src/view/ci/file-check.ts';
import { checksumsLine, renderCaptureChecksums } from '../../src/view/table/capture-checksum.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { failureTitle } from '../../src/view/text/failure-title.ts';
import { count, thousands } from '../../src/view/text/number.ts';
import { plainTheme } from '../../src/view/text/theme.ts';
import { exit } from '../lib/errors.ts';
import type { Opened } from '../lib/input/open.ts';
import { outputStyle } from '../lib/output/output.ts';
import { addFinding, type ChecksumContext, note, type Outcome } from './context.ts';

/** The checksums of a capture. */
export interface CheckedCapture {
  readonly results: ChecksumResults;
  /** Its connections, also those without snapshots. */
  readonly streams: readonly CheckedStream[];
  readonly dropped: DatagramCounts['dropped'] | undefined;
}

/** The name of the file for a command line; undefined for standard input. */
export const fileOf = ({ path }: Pick<Opened, 'path'>) => (path === '-' ? undefined : path);

/** If a smaller share of a capture's snapshots matches, the checksums are not significant. */
const hardlyAny = 0.1;

/** Concludes a capture from its checksums. */
export async function concludeCapture(
  opened: Pick<Opened, 'name' | 'path'>,
  { results, streams, dropped }: CheckedCapture,
  context: ChecksumContext,
): Promise<Outcome> {
  const { options, io, isOfSeveral } = context;
  const { total } = results;
  const isMissing = total.missing_base + total.missing_part > 0;
  let status: number = total.mismatched > 0 || (options.strict && isMissing) ? exit.finding : exit.fine;
  if (total.damaged > 0) status = exit.unreadable;
  const isTable = options.to === 'text' && !options.summary;
  if (dropped && dropped.undecodable > 0) status = exit.unreadable;
  const warn = (text: string) => note(status, `${escapeText(opened.name)}: ${text}`, context);
  for (const connection of streams) {
    const { client, undecodable, setAsidePackets } = connection;
    if (!isOfClient(connection, options.client)) continue;
    if (undecodable > 0) status = exit.unreadable;
    if (isTable && results.connections.some(({ stream }) => stream === connection)) continue;
    if (undecodable > 0) await warn(`${count(undecodable, 'packet')} of ${client} can't be read to the end`);
    if (setAsidePackets > 0)
      await warn(`${count(setAsidePackets, 'packet')} of ${client} set aside: the games drop them`);
  }
  if (dropped && dropped.connections > 0) {
    const text = `${count(dropped.connections, 'connection')} with ${count(dropped.packets, 'packet')} are not listed`;
    await warn(`${text}: there are too many`);
  }
  if (total.matched < hardlyAny * total.snapshots) {
    await warn(`only ${thousands(total.matched)} of ${count(total.snapshots, 'snapshot')} could be rebuilt and match`);
  }
  for (const failure of results.failures.slice(0, maxFindings)) addFinding(failureTitle(failure, plainTheme), context);
  const resultText = checksumsLine(total, plainTheme);
  const style = await outputStyle(options, io);
  if (options.summary) {
    const summary = { file: opened.name, counts: { ...total }, text: checksumsLine(total, style.theme) };
    return { status, resultText, summary };
  }
  if (!isTable) return { status, resultText };
  const heading = isOfSeveral ? `${style.theme.strong(escapeText(opened.name))}\n` : '';
  return {
    status,
    resultText,
    part: style.fit(heading + renderCaptureChecksums(results, fileOf(opened), style, options.follow)),
  };
}
