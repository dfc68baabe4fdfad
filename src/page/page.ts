import { hasTimeline, type ReportData } from './report/report-data.ts';
import { showContents } from './views/contents-page.ts';
import { showRecording } from './views/recording-page.ts';

/** @param payload the address parameters that contain the payload, if the page shows one without a file */
export async function showReport(reportData: ReportData, payload?: string): Promise<void> {
  if (hasTimeline(reportData)) return showRecording(reportData);
  showContents(reportData, payload);
}
