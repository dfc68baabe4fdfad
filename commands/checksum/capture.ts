import { ChecksumResults } from '../../src/recording/checksum/checksum-results.ts';
import { isLoss, type RecordingEntry, type SnapshotEntry } from '../../src/recording/record.ts';
import { checksumsLine, renderCaptureChecksums } from '../../src/view/table/capture-checksum.ts';
import { escapeText, jsonText } from '../../src/view/text/escape.ts';
import { count } from '../../src/view/text/number.ts';
import { exit } from '../lib/errors.ts';
import { noClient } from '../lib/input/capture-client.ts';
import type { Opened } from '../lib/input/open.ts';
import { outputStyle } from '../lib/output/output.ts';
import { reportDiagnostic } from './checksums.ts';
import type { ChecksumOutput } from './result.ts';

/** Holds the snapshots of a capture against their announced sums. */
export async function checksumCapture(opened: Opened, report: ChecksumOutput): Promise<void> {
  const { options, added } = report;
  const { client } = options;
  const sums = new ChecksumResults();
  const isListed = options.to === 'ndjson' && !options.summary;
  const replay = opened.format!.open({ extraItems: added, messages: false });
  const take = async (records: Iterable<RecordingEntry>) => {
    for (const record of records) {
      if (record.record === 'diagnostic' && !record.stream)
        await reportDiagnostic(opened.name, record.diagnostic, report);
      if (record.record !== 'snapshot' || (client ?? record.stream.client) !== record.stream.client) continue;
      if (!report.has(record.tick)) continue;
      sums.add(record);
      if (!isListed || record.kind === 'empty') continue;
      await report.line(jsonText(lineOf(record, opened.name, report)));
    }
  };
  let failure: unknown;
  try {
    for await (const piece of opened.pieces) {
      await take(replay.feed(piece));
      if (isListed) await report.flush();
    }
  } catch (error) {
    // What could be read is told before.
    failure = error;
  }
  await take(replay.finish());
  if (!failure && client !== undefined && !replay.streams.some((one) => one.client === client)) {
    throw noClient(opened.name, client, replay.streams);
  }
  await conclude(opened, sums, report);
  if (failure) throw failure;
}

/** `{"client","tick","base","kind","items","crc","expected","ok"}`, with `reason` where it could not be rebuilt. */
function lineOf(entry: SnapshotEntry, file: string, { isOfSeveral }: ChecksumOutput) {
  const { tick, base, kind, snapshot, announced: expected, verdict, stream } = entry;
  const { client } = stream;
  const crc = snapshot?.checksum() ?? null;
  const ok = snapshot ? verdict === 'ok' : null;
  const named = isOfSeveral ? { file, client } : { client };
  const sums = { tick, base, kind, items: snapshot?.count ?? null, crc, expected, ok };
  return { ...named, ...sums, ...(isLoss(verdict) ? { reason: verdict } : {}) };
}

async function conclude(opened: Opened, sums: ChecksumResults, report: ChecksumOutput): Promise<void> {
  const { options, io } = report;
  const { total } = sums;
  const isLoss = total.missing_base + total.missing_part > 0;
  if (total.mismatch > 0 || (options.strict && isLoss)) report.worsen(exit.finding);
  if (total.damaged > 0) report.worsen(exit.unreadable);
  const file = opened.path === '-' ? undefined : opened.path;
  if (options.to === 'text' && !options.summary) {
    const lookOf = await outputStyle(options, io);
    const heading = report.isOfSeveral ? `${lookOf.theme.strong(escapeText(opened.name))}\n` : '';
    report.part = heading + renderCaptureChecksums(sums, file, lookOf);
  }
  for (const { stream: connection } of sums.connections) {
    if (connection.undecodable === 0) continue;
    report.worsen(exit.unreadable);
    const said = `${count(connection.undecodable, 'packet')} of ${connection.client} can't be read to the end`;
    if (options.to !== 'text' || options.summary)
      await report.note(exit.unreadable, `${escapeText(opened.name)}: ${said}`);
  }
  if (options.summary) {
    const { theme } = await outputStyle(options, io);
    report.summary = { file: opened.name, counts: { ...total }, words: checksumsLine(total, theme) };
  }
}
