import { readMessageContents, readPacketContents } from '../../wire/packet/packet-contents.ts';
import { contentsWithoutSecrets } from '../../wire/packet/secrets.ts';
import { protocolOf } from '../../wire/protocol/registry.ts';
import { type Inspected, inspectContents, inspectSnapshot } from '../data/inspect.ts';
import { type InspectorState, Store } from '../data/store.ts';
import { h, sessionSignal } from '../elements/dom.ts';
import { skipLinks } from '../elements/one-stop.ts';
import type { ReportData } from '../report/report-data.ts';
import { TrackReader } from '../report/track.ts';
import { beginPage, footer, heading } from './frame.ts';
import { inspector } from './inspector.ts';
import { addressAfter, missingItem, readLink, writeLink } from './link.ts';

/**
 * Shows an input without a timeline: a snapshot, a delta, a packet, a message, or what `explain` says of a client's
 * log.
 * @param payload the address parameters that contain the payload, if the page shows one without a file
 */
export function showContents(reportData: ReportData, payload?: string): void {
  beginPage(reportData);
  const { text } = reportData;
  const parts =
    text === undefined ? contentsView(inspectedOf(reportData), payload) : [h('section', {}, h('pre', {}, text))];
  if (text === undefined) document.body.append(skipLinks(['the items', '.items'], ['the bytes', '.bytes']));
  document.body.append(heading(reportData), h('main', {}, ...parts), footer(false));
  document.documentElement.dataset.state = 'complete';
}

function inspectedOf({ contents, schema, tracks: [track] }: ReportData): Inspected {
  // The base of a delta is before it.
  if (!contents) return inspectSnapshot(new TrackReader(track!, schema), track!.snapshots.length - 1);
  const { kind, version, bytes } = contents;
  const read = kind === 'packet' ? readPacketContents : readMessageContents;
  return inspectContents(contentsWithoutSecrets(read(bytes, protocolOf(version, schema))));
}

/** The items and bytes. The address has the chosen item, and how they are shown. */
function contentsView(inspected: Inspected, payload: string | undefined): HTMLElement[] {
  const store = new Store<InspectorState>();
  const element = inspector(store);
  const usual = { item: undefined, filter: '', onlyChanged: false, layer: 'bytes' } as const;
  const notice = h('p', { class: 'notice warning', role: 'status' });
  const session = sessionSignal();
  const follow = () => {
    const { item, filter = '', onlyChanged = false, layer = 'bytes' } = readLink(location.hash);
    store.set({ item, filter, onlyChanged, layer, revealed: item === undefined ? undefined : { inPage: true } });
    notice.textContent = missingItem(item, inspected);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  store.on(['item', 'filter', 'onlyChanged', 'layer'], () => {
    const place = writeLink(store.state, usual).slice(1);
    clearTimeout(timer);
    const write = () =>
      session.aborted || history.replaceState(null, '', `#${[payload, place].filter(Boolean).join('&')}`);
    timer = setTimeout(write, addressAfter);
  });
  addEventListener('hashchange', follow, { signal: session });
  store.set({ inspected, isPlaying: false, ...usual });
  // The page is there when it scrolls to the item.
  queueMicrotask(follow);
  return [notice, element];
}
