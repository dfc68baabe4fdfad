import { ofBase64 } from '../../wire/bytes/copy.ts';
import { h } from '../elements/dom.ts';
import { type ReportData, readReportData } from '../report/report-data.ts';

export function showEmbedded(show: (reportData: ReportData) => void | Promise<void>): void {
  embeddedReportData()
    .then(show)
    .catch((error: unknown) => {
      document.body.append(h('p', { class: 'failure', role: 'alert' }, `This page cannot be shown: ${String(error)}`));
      throw error;
    });
}

async function embeddedReportData(): Promise<ReportData> {
  const compressed = ofBase64(document.getElementById('report-data')!.textContent);
  // The body of a response stays in this process; a blob would be copied to another one.
  const stream = new Response(compressed).body!.pipeThrough(new DecompressionStream('gzip'));
  return readReportData(new Uint8Array(await new Response(stream).arrayBuffer()));
}
