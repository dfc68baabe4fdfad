import { printable } from '../../output/text/escape.ts';
import { readMessageContents, readPacketContents } from '../../wire/packet/packet-contents.ts';
import { contentsWithoutSecrets } from '../../wire/packet/secrets.ts';
import { protocolOf } from '../../wire/protocol/registry.ts';
import { inspectContents } from '../data/inspect.ts';
import { type InspectorState, Store } from '../data/store.ts';
import { beginSession, h } from '../elements/dom.ts';
import type { ReportData } from '../report/report-data.ts';
import { footer, heading } from './frame.ts';
import { inspector } from './inspector.ts';

/** Begins a page without anything on it. */
export function beginPage({ name }: ReportData): void {
  beginSession();
  delete document.documentElement.dataset.state;
  document.body.replaceChildren();
  document.title = `${printable(name)} · tw-snap`;
}

/** Shows an input without a timeline: a packet, a message, or what `explain` says of a client's log. */
export function showContents(reportData: ReportData): void {
  beginPage(reportData);
  document.body.append(heading(reportData), h('main', {}, contentsView(reportData)), footer(false));
  document.documentElement.dataset.state = 'complete';
}

function contentsView({ contents, text = '', schema }: ReportData): HTMLElement {
  if (!contents) return h('section', {}, h('pre', {}, text));
  const { kind, version, bytes } = contents;
  const read = kind === 'packet' ? readPacketContents : readMessageContents;
  const inspected = inspectContents(contentsWithoutSecrets(read(bytes, protocolOf(version, schema))));
  const store = new Store<InspectorState>();
  const element = inspector(store);
  store.set({ inspected, item: undefined, filter: '', onlyChanged: false, showsBits: false, isPlaying: false });
  return element;
}
