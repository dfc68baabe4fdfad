import { readMessageContents, readPacketContents } from '../packet/packet-contents.ts';
import { contentsWithoutSecrets } from '../packet/secrets.ts';
import { protocolOf } from '../protocol/registry.ts';
import type { ReportData } from '../report/report-data.ts';
import { h } from './dom.ts';
import { footer, heading } from './frame.ts';
import { inspectContents } from './inspect.ts';
import { inspector } from './inspector.ts';
import { type InspectorState, Store } from './store.ts';

/** Shows an input without a timeline: a packet, a message, or a client's log. */
export async function showContents(reportData: ReportData): Promise<void> {
  document.body.append(heading(reportData), h('main', {}, viewOf(reportData)), footer(false));
  document.documentElement.dataset.state = 'complete';
}

function viewOf({ contents, text = '', schema }: ReportData): HTMLElement {
  if (!contents) return h('section', {}, h('pre', {}, text));
  const { kind, version, bytes } = contents;
  const read = kind === 'packet' ? readPacketContents : readMessageContents;
  const inspected = inspectContents(contentsWithoutSecrets(read(bytes, protocolOf(version, schema))));
  const store = new Store<InspectorState>();
  const element = inspector(store);
  store.set({ inspected, item: undefined, filter: '', onlyChanged: false, isPlaying: false });
  return element;
}
