import { RecordingReport } from '../../src/report/recording-report.ts';
import { healthStatus } from '../lib/health-status.ts';
import { type OpenedRecording, openReplay } from '../lib/input/open.ts';
import { failureEntry, readRecords } from '../lib/input/read-records.ts';
import { refuseIneffective } from '../lib/refuse-options.ts';
import { nameOf, type Report, type ReportContext } from './context.ts';
import { mapFailure, readMapFile } from './map.ts';

/** The tracks of a recording, the rows of `info` about it, and the distribution of its bytes. */
export async function reportRecording(opened: OpenedRecording, context: ReportContext): Promise<Report> {
  const { options, schema, budget, io } = context;
  const { client, ticks } = options;
  const namedMap = await readMapFile(options.map, io);
  const replay = openReplay(opened, options, { schema, parts: true });
  const report = new RecordingReport(replay, { client, ticks, limits: budget });
  const end = await readRecords(opened, replay, (entry) => report.add(entry));
  const failed = failureEntry(end, opened.name);
  if (failed) report.add(failed);
  report.finish(end.bytes);
  if (!failed) refuseIneffective(opened.name, options, replay);
  const { tracks } = report;
  if (tracks.all.length === 0) throw budget.nothing(tracks.first, tracks.last);
  try {
    const reportData = await report.data(nameOf(opened.name), end.bytes, schema, io.inflate, namedMap);
    return { reportData, status: healthStatus[report.health.state] };
  } catch (error) {
    throw mapFailure(options.map, error);
  }
}
