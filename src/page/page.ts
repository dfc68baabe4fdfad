import { readMessageContents, readPacketContents } from '../packet/packet-contents.ts';
import { contentsWithoutSecrets } from '../packet/secrets.ts';
import { protocolOf } from '../protocol/registry.ts';
import type { ReportData } from '../report/report-data.ts';
import { printable } from '../text/escape.ts';
import { beginSession, h } from './dom.ts';
import { footer, heading } from './frame.ts';
import { inspectContents } from './inspect.ts';
import { inspector } from './inspector.ts';
import { showRecording } from './recording-page.ts';
import { type InspectorState, Store } from './store.ts';

/** @param payload the address parameters that contain the payload, if the page shows one without a file */
export async function showReport(reportData: ReportData, payload?: string): Promise<void> {
  beginSession();
  delete document.documentElement.dataset.state;
  document.body.replaceChildren();
  document.title = `${printable(reportData.name)} · tw-snap`;
  if (!reportData.contents && reportData.text === undefined) return showRecording(reportData, payload);
  document.body.append(heading(reportData), h('main', {}, onlyView(reportData)), footer(false));
  document.documentElement.dataset.state = 'complete';
}

/** What is shown of an input without a timeline: a packet, a message, or a client's log. */
function onlyView({ contents, text = '', schema }: ReportData): HTMLElement {
  if (!contents) return h('section', {}, h('pre', {}, text));
  const { kind, version, bytes } = contents;
  const read = kind === 'packet' ? readPacketContents : readMessageContents;
  const inspected = inspectContents(contentsWithoutSecrets(read(bytes, protocolOf(version, schema))));
  const store = new Store<InspectorState>();
  const element = inspector(store);
  store.set({ inspected, item: undefined, filter: '', onlyChanged: false, showsBits: false, isPlaying: false });
  return element;
}
