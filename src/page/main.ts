import { readMessageContents, readPacketContents } from '../packet/packet-contents.ts';
import { protocolOf } from '../protocol/registry.ts';
import type { ReportData } from '../report/report-data.ts';
import { h } from './dom.ts';
import { embeddedReportData } from './embedded.ts';
import { footer } from './footer.ts';
import { heading } from './heading.ts';
import { inspectWire } from './inspect-packet.ts';
import { Inspector } from './inspector.ts';
import { Page } from './page.ts';

embeddedReportData()
  .then((reportData) => (reportData.wire ? openWire(reportData, reportData.wire) : new Page(reportData).open()))
  .catch((error: unknown) => {
    document.body.append(h('p', { class: 'failure', role: 'alert' }, `This page can't be shown: ${String(error)}`));
    throw error;
  });

/** A packet or message has no ticks, and no places. */
function openWire(reportData: ReportData, { kind, version, bytes }: NonNullable<ReportData['wire']>): void {
  const inspector = new Inspector(() => {});
  const read = kind === 'packet' ? readPacketContents : readMessageContents;
  document.body.append(heading(reportData), h('main', {}, inspector.element), footer(false));
  inspector.showWire(inspectWire(read(bytes, protocolOf(version, reportData.added))));
  document.documentElement.dataset.state = 'complete';
}
