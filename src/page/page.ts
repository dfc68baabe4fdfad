import { ofBase64 } from '../bytes/copy.ts';
import { type ReportData, readReportData } from '../report/report-data.ts';
import { printable } from '../text/escape.ts';
import { beginSession, h } from './dom.ts';

/** Shows a report on an empty page. */
type Show = (reportData: ReportData) => Promise<void>;

export function beginPage({ name }: ReportData): void {
  beginSession();
  delete document.documentElement.dataset.state;
  document.body.replaceChildren();
  document.title = `${printable(name)} · tw-snap`;
}

/** Shows the report that is in the page. */
export async function showEmbedded(show: Show): Promise<void> {
  try {
    const reportData = await embeddedReportData();
    beginPage(reportData);
    await show(reportData);
  } catch (error) {
    document.body.append(h('p', { class: 'failure', role: 'alert' }, `This page cannot be shown: ${String(error)}`));
    throw error;
  }
}

async function embeddedReportData(): Promise<ReportData> {
  const compressed = ofBase64(document.getElementById('report-data')!.textContent);
  // The body of a response stays in this process; a blob would be copied to another one.
  const stream = new Response(compressed).body!.pipeThrough(new DecompressionStream('gzip'));
  return readReportData(new Uint8Array(await new Response(stream).arrayBuffer()));
}
