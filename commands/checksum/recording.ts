import type { ChecksumResults, FailedChecksum } from '../../src/analysis/explain/checksum-results.ts';
import { FindingKinds } from '../../src/output/phrases/finding-phrases.ts';
import { checkedText } from '../../src/output/phrases/judge-phrases.ts';
import { maxFindings } from '../../src/output/reports/ci.ts';
import { checksumOf, type SnapshotCounts } from '../../src/output/results/checksum.ts';
import { count, thousands } from '../../src/output/text/number.ts';
import { plainTheme } from '../../src/output/text/theme.ts';
import {
  countFinding,
  diagnosticFinding,
  type Finding,
  finding,
  judgeFindings,
  oddityFindings,
} from '../../src/recording/health/findings.ts';
import { ItemCheck } from '../../src/recording/health/odd-values.ts';
import { Oddities } from '../../src/recording/health/oddities.ts';
import { TickJudge } from '../../src/recording/judge/tick-judge.ts';
import type { SnapshotEntry } from '../../src/recording/replay/record.ts';
import type { Replay } from '../../src/recording/replay/replay.ts';
import { isConnection, matchesClient } from '../../src/recording/replay/stream.ts';
import { isInRange } from '../../src/wire/protocol/ticks.ts';
import type { OpenedRecording } from '../lib/input/opened.ts';
import {
  type ChecksumFile,
  hasLines,
  isForPeople,
  type Outcome,
  print,
  printChecksum,
  tell,
  tellFailure,
} from './output.ts';

/** `103 snapshots: 1 full, 102 deltas; 694 messages; 26 of 103 announced match, 77 are announced for 1 tick earlier` */
function textOf({ snapshots, full, deltas, messages }: SnapshotCounts, judge: TickJudge): string {
  const text = `${count(snapshots, 'snapshot')}: ${thousands(full)} full, ${count(deltas, 'delta')}`;
  const read = messages === null ? 'messages not read' : count(messages ?? 0, 'message');
  return [text, read, ...(snapshots > 0 ? [checkedText(judge)] : [])].join('; ');
}

/**
 * The checksums of a recording: those of a demo as lines, those of a capture compared with the announced ones. The
 * readable part is concluded before a failure is reported.
 */
export async function checksumRecording(opened: OpenedRecording, output: ChecksumFile): Promise<Outcome> {
  const { options, input, writer, printing } = output;
  const { name, path, format, ticks: range } = opened;
  const results = format.hasPackets ? new (await captures()).ChecksumResults() : undefined;
  const judge = new TickJudge();
  const oddities = new Oddities();

  // Captures are read with all their messages in any case.
  const messages = options.messages === true && format.hasTicks;
  const counts = { full: 0, deltas: 0, messages: messages ? 0 : null };

  const isListed = ({ kind, stream }: SnapshotEntry) =>
    hasLines(options) && (stream.client === '' || (options.to === 'ndjson' && kind !== 'empty'));

  // Problems of a growing file are shown immediately.
  const showsFailures = options.follow && !options.summary && options.to === 'text';

  const onSnapshot = (entry: SnapshotEntry) => {
    let failure: FailedChecksum | undefined;
    if (entry.stream.client === '') counts[entry.kind === 'delta' ? 'deltas' : 'full']++;
    else failure = results?.add(entry);
    // Not async: there would be a promise for each snapshot.
    return isListed(entry) || (failure && showsFailures) ? printSnapshot(entry, failure) : undefined;
  };
  const printSnapshot = async (entry: SnapshotEntry, failure: FailedChecksum | undefined) => {
    if (failure && showsFailures)
      await writer.write(printing.fit((await reports()).renderFailure(failure, fileOf(opened), printing)));
    if (isListed(entry)) await printChecksum(path, checksumOf(entry), output);
  };

  // A value out of its bounds counts only with --strict, and looking at all of them takes time.
  const items = input.strict ? new ItemCheck() : undefined;
  const damage = new FindingKinds();
  const onDiagnostic = (found: Finding) => {
    if (options.follow) return tell(name, found, output);
    damage.add(found);
    return output.findings.add(found);
  };

  const records = await opened.records(input, { messages, announcements: true, ticks: false });
  const { failure } = await records.read({
    add(entry) {
      judge.add(entry);
      switch (entry.record) {
        case 'snapshot':
          if (range && !isInRange(entry.tick, range)) return undefined;
          items?.add(entry);
          return onSnapshot(entry);
        case 'diagnostic':
          // A connection counts its unreadable packets itself.
          if (entry.weight) oddities.add(entry);
          return entry.direction || entry.weight ? undefined : onDiagnostic(diagnosticFinding(entry.diagnostic));
        case 'drop':
          return results?.drop(entry.stream);
        case 'header':
          if (entry.stream.announcesChecksums) counts.messages ??= 0;
          return undefined;
        case 'message':
          counts.messages = (counts.messages ?? 0) + 1;
          return undefined;
      }
    },
    afterPiece: () => writer.flush(),
  });

  for (const found of damage.all) await print(name, found, output);
  for (const each of oddityFindings(oddities)) await tell(name, each, output);

  // After damage values may be wrong.
  const isDamaged = output.findings.all.some(({ severity }) => severity === 'unread');
  for (const found of (!isDamaged && items?.findings) || []) await tell(name, found, output);

  const outcome = results
    ? await concludeCapture(opened, results, records.replay, output)
    : await concludeDemo(opened, counts, judge, output);

  if (failure) await tellFailure(path, failure, output);
  return { ...outcome, hasHealth: true };
}

async function concludeDemo(
  { name }: OpenedRecording,
  { full, deltas, messages }: Pick<Required<SnapshotCounts>, 'full' | 'deltas' | 'messages'>,
  judge: TickJudge,
  output: ChecksumFile,
): Promise<Outcome> {
  judge.finish();
  for (const found of judgeFindings(judge)) await tell(name, found, output);
  const { announced, matched, mismatched } = judge.sums;
  for (const found of countFinding('mismatched_snapshots', 'wrong', mismatched)) output.findings.add(found);

  const counts = {
    snapshots: full + deltas,
    full,
    deltas,
    messages,
    ...(announced > 0 && { announced, matched, mismatched }),
    ranges: judge.ranges,
  };
  return { result: textOf(counts, judge), name, counts, ...(hasLines(output.options) ? { text: '' } : {}) };
}

/** Loaded for captures only, to keep start-up fast. */
const captures = () => import('../../src/analysis/explain/checksum-results.ts');
const reports = () => import('../../src/output/reports/capture-checksum.ts');

const fileOf = ({ path }: Pick<OpenedRecording, 'path'>) => (path === '-' ? undefined : path);

/** If a smaller share of a capture's snapshots matches, the checksums are not significant. */
const minMatchedShare = 0.1;

async function concludeCapture(
  opened: OpenedRecording,
  results: ChecksumResults,
  replay: Replay,
  output: ChecksumFile,
) {
  const { dropped } = replay.datagrams ?? {};
  const { options, input, multipleFiles, printing } = output;
  const { total } = results;
  const isTable = isForPeople(options) && !options.summary && !multipleFiles;

  for (const connection of replay.streams.filter(isConnection)) {
    const { client, undecodable, rejectedPackets } = connection;
    if (!matchesClient(connection, opened.client)) continue;

    const about = { place: { client } };
    const found = [
      ...countFinding('undecodable_packets', 'unread', undecodable, about),
      ...countFinding('packets_rejected', 'note', rejectedPackets, about),
    ];
    // The table of connections has them.
    const isShown = isTable && results.connections.some(({ stream }) => stream === connection);
    for (const each of found) await (isShown ? output.findings.add(each) : tell(opened.name, each, output));
  }

  if (dropped && dropped.connections > 0) {
    const { connections, packets } = dropped;
    await tell(
      opened.name,
      finding('connections_not_listed', 'warning', { count: connections, args: { packets } }),
      output,
    );
  }

  if (total.matched < minMatchedShare * total.snapshots) {
    const args = { snapshots: total.snapshots };
    await tell(opened.name, finding('few_checksums_match', 'note', { count: total.matched, args }), output);
  }

  const { failedFinding } = await captures();
  const counted = [
    ...results.failures.slice(0, maxFindings).map(failedFinding),
    ...countFinding('undecodable_packets', 'unread', dropped?.undecodable ?? 0),
    ...countFinding('mismatched_snapshots', 'wrong', total.mismatched),
    ...countFinding('damaged_snapshots', 'unread', total.damaged),
    ...countFinding('missing_snapshots', 'warning', total.missing_base + total.missing_part),
  ];
  for (const each of counted) output.findings.add(each);

  const { failures } = results;
  const { checksumsLine, renderCaptureChecksums } = await reports();
  const outcome = { result: checksumsLine(total, plainTheme), name: opened.name, counts: total, failures };
  if (!isTable) return outcome;
  return { ...outcome, text: printing.fit(renderCaptureChecksums(results, fileOf(opened), printing, input.follow)) };
}
