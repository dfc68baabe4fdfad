import { readMessageContents, readPacketContents } from '../packet/packet-contents.ts';
import { protocolOf } from '../protocol/registry.ts';
import type { ReportData } from '../report/report-data.ts';
import { h } from './dom.ts';
import { footer } from './footer.ts';
import { heading } from './heading.ts';
import { inspectContents } from './inspect-packet.ts';
import { Inspector } from './inspector.ts';
import { Page } from './page.ts';
import { beginSession } from './session.ts';

/**
 * Replaces the content of the page with a report.
 * @param payload the address parameters that contain the payload, if the page shows one without a file
 */
export async function showReport(reportData: ReportData, payload?: string): Promise<void> {
  beginSession();
  delete document.documentElement.dataset.state;
  document.body.replaceChildren();
  document.title = `${reportData.name} · tw-snap`;
  if (reportData.contents) showContents(reportData, reportData.contents);
  else await new Page(reportData, payload).open();
}

/** Shows a packet or message, which has no timeline. */
function showContents(reportData: ReportData, { kind, version, bytes }: NonNullable<ReportData['contents']>): void {
  const inspector = new Inspector(() => {});
  const read = kind === 'packet' ? readPacketContents : readMessageContents;
  document.body.append(heading(reportData), h('main', {}, inspector.element), footer(false));
  inspector.showContents(inspectContents(read(bytes, protocolOf(version, reportData.schema))));
  document.documentElement.dataset.state = 'complete';
}
