import { ofBase64 } from '../bytes/copy.ts';
import { type ReportData, readReportData } from '../report/report-data.ts';

/** Reads the report's data from the page. */
export async function embeddedReportData(): Promise<ReportData> {
  const compressed = ofBase64(document.getElementById('report-data')!.textContent);
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return readReportData(new Uint8Array(await new Response(stream).arrayBuffer()));
}
