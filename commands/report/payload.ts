import { packetReport, payloadReport } from '../../src/report/payload-report.ts';
import { exit } from '../lib/errors.ts';
import { describeReading, withUncertainty } from '../lib/input/describe-input.ts';
import { loadAny, readBase } from '../lib/input/load.ts';
import type { Opened } from '../lib/input/open.ts';
import type { Position } from '../lib/input/position.ts';
import { nameOf, type Report, type ReportContext } from './context.ts';

/** One snapshot or delta as a separate track; or a packet or message. */
export async function reportPayload(opened: Opened, context: ReportContext, position?: Position): Promise<Report> {
  const { options, schema, io } = context;
  const base = await readBase(options.base, context);
  const loaded = await loadAny(opened, position, context, base);
  const name = nameOf(loaded.name);
  if ('contents' in loaded) {
    const status = loaded.contents.diagnostics.error ? exit.unreadable : exit.fine;
    return { reportData: packetReport(name, loaded.contents, schema), status };
  }
  await describeReading(loaded, options, io);
  const { payload, uncertainty } = loaded;
  const isUncertain = uncertainty?.status === exit.unreadable;
  const status = payload.diagnostics.error ? exit.unreadable : exit.fine;
  return {
    reportData: payloadReport(name, payload, isUncertain, schema),
    status: withUncertainty(status, loaded, base),
  };
}
