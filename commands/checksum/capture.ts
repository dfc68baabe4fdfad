import type { CaptureRecord } from '../../src/recording/capture.ts';
import { ChecksumResults } from '../../src/recording/checksum/checksum-results.ts';
import type { ReceivedSnapshot } from '../../src/recording/received-snapshot.ts';
import { checksumsLine, renderCaptureChecksums } from '../../src/view/table/capture-checksum.ts';
import { escapeText, jsonText } from '../../src/view/text/escape.ts';
import { count } from '../../src/view/text/number.ts';
import { exit } from '../lib/errors.ts';
import { noClient } from '../lib/input/capture-client.ts';
import { packetReplay } from '../lib/input/capture-replay.ts';
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
  const replay = packetReplay(opened.container, { extraItems: added, messages: false });
  const take = async (records: Iterable<CaptureRecord>) => {
    for (const record of records) {
      if (record.event === 'finding') await reportDiagnostic(opened.name, record.finding, report);
      if (record.event !== 'snapshot' || (client ?? record.connection.client) !== record.connection.client) continue;
      if (!report.has(record.received.tick)) continue;
      sums.add(record);
      if (!isListed || record.received.kind === 'empty') continue;
      await report.line(jsonText(lineOf(record.received, record.connection.client, opened.name, report)));
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
  if (!failure && client !== undefined && !replay.connections.some((one) => one.client === client)) {
    throw noClient(opened.name, client, replay.connections);
  }
  await conclude(opened, sums, report);
  if (failure) throw failure;
}

/** `{"client","tick","base","kind","items","crc","expected","ok"}`, with `reason` where it could not be rebuilt. */
function lineOf(received: ReceivedSnapshot, client: string, file: string, { isOfSeveral }: ChecksumOutput) {
  const { tick, base, kind, snapshot, crc = null, expected, ok, reason } = received;
  const named = isOfSeveral ? { file, client } : { client };
  const sums = { tick, base, kind, items: snapshot?.count ?? null, crc, expected, ok };
  return { ...named, ...sums, ...(reason === undefined ? {} : { reason }) };
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
  for (const { connection } of sums.connections) {
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
