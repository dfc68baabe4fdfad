import { readMessageContents, readPacketContents } from '../packet/packet-contents.ts';
import { protocolOf } from '../protocol/registry.ts';
import type { ReportData } from '../report/report-data.ts';
import { h } from './dom.ts';
import { embeddedReportData } from './embedded.ts';
import { footer } from './footer.ts';
import { heading } from './heading.ts';
import { inspectContents } from './inspect-packet.ts';
import { Inspector } from './inspector.ts';
import { Page } from './page.ts';

embeddedReportData()
  .then((reportData) =>
    reportData.contents ? openContents(reportData, reportData.contents) : new Page(reportData).open(),
  )
  .catch((error: unknown) => {
    document.body.append(h('p', { class: 'failure', role: 'alert' }, `This page cannot be shown: ${String(error)}`));
    throw error;
  });

/** Shows a packet or message, which has no timeline. */
function openContents(reportData: ReportData, { kind, version, bytes }: NonNullable<ReportData['contents']>): void {
  const inspector = new Inspector(() => {});
  const read = kind === 'packet' ? readPacketContents : readMessageContents;
  document.body.append(heading(reportData), h('main', {}, inspector.element), footer(false));
  inspector.showContents(inspectContents(read(bytes, protocolOf(version, reportData.schema))));
  document.documentElement.dataset.state = 'complete';
}
