import { inputReport } from '../../src/report/payload-report.ts';
import { exit } from '../lib/errors.ts';
import { describeReading, withUncertainty } from '../lib/input/describe-input.ts';
import { diagnosticsOf, loadAny, readBase } from '../lib/input/load.ts';
import type { Opened } from '../lib/input/open.ts';
import type { Position } from '../lib/input/position.ts';
import { nameOf, type Report, type ReportContext } from './context.ts';

/** One snapshot or delta as a separate track; or a packet or message. */
export async function reportPayload(opened: Opened, context: ReportContext, position?: Position): Promise<Report> {
  const { options, schema, io } = context;
  const base = await readBase(options.base, context);
  const loaded = await loadAny(opened, position, context, base);
  const name = nameOf(loaded.name);
  const status = diagnosticsOf(loaded).error ? exit.unreadable : exit.fine;
  if (loaded.kind === 'packet') return { reportData: inputReport(name, loaded, schema), status };
  await describeReading(loaded, options, io);
  const isUncertain = loaded.uncertainty?.status === exit.unreadable;
  return {
    reportData: inputReport(name, loaded, schema, isUncertain),
    status: withUncertainty(status, loaded, base),
  };
}
