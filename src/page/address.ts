import type { ReportData } from '../report/report-data.ts';
import { commandOn } from './command.ts';
import { button, h, sessionSignal } from './dom.ts';
import { linked, writeLink } from './link.ts';
import { defaultView } from './opening.ts';
import type { State, Store } from './store.ts';

/** Browsers limit how often the address may change. */
const addressAfter = 150;

/**
 * Keeps the address that of what is shown, and shows it as a link, with a button that copies it.
 * @param payload the parameters that contain the payload, if the page shows one without a file
 */
export function addressBar(store: Store<State>, reportData: ReportData, payload: string | undefined): HTMLElement {
  const session = sessionSignal();
  const anchor = h('a', { class: 'link dim mono', title: 'a link to what is shown' });
  const link = () => {
    const { recording, position, ...shown } = store.state;
    const { tick } = recording.snapshot(position);
    const there = { ...shown, client: recording.track.name || undefined, tick: tick < 0 ? undefined : tick };
    const place = writeLink(there, defaultView(recording, reportData));
    return payload === undefined ? place : `#${[payload, place.slice(1)].filter(Boolean).join('&')}`;
  };
  const copy = async () => {
    const text = `${location.href.replace(/#.*/s, '')}${link()}\n${commandOn('decode', reportData, store.state)}`;
    // Browsers refuse it on pages from servers without TLS.
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    store.set({ notice: isCopied ? 'The link and the command are copied.' : text });
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  store.on(['recording', 'position', 'isPlaying', ...linked.filter((name) => name !== 'client')], () => {
    if (store.state.isPlaying) return;
    const hash = link();
    anchor.href = hash;
    anchor.textContent = decodeURIComponent(hash);
    clearTimeout(timer);
    timer = setTimeout(() => session.aborted || history.replaceState(null, '', hash), addressAfter);
  });
  return h(
    'span',
    { class: 'address' },
    anchor,
    button('copy', 'copy the link and the command', () => void copy()),
  );
}
