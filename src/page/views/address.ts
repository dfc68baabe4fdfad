import type { State, Store } from '../data/store.ts';
import { button, h, sessionSignal } from '../elements/dom.ts';
import type { ReportData } from '../report/report-data.ts';
import { clipCommand, decodeCommand } from './command.ts';
import { addressAfter, linked, writeLink } from './link.ts';
import { defaultView } from './opening.ts';

/**
 * Keeps the address that of what is shown, and shows it as a link, with what can be copied: the link, and the command
 * lines that show the snapshot or cut out what happens around it.
 */
export function addressBar(store: Store<State>, reportData: ReportData): HTMLElement {
  const session = sessionSignal();
  // The menu beside it has it, too.
  const anchor = h('a', { class: 'link dim mono', title: 'a link to what is shown', tabindex: -1 });
  const link = () => {
    const { recording, position, ...shown } = store.state;
    const { tick } = recording.snapshot(position);
    const there = { ...shown, client: recording.track.name || undefined, tick };
    return writeLink(there, defaultView(recording, reportData));
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The address of what is shown, and the number of jumps that it follows. */
  let address = '';
  let jumps = 0;
  const show = () => {
    const isJump = store.state.jumps > jumps;
    if (store.state.isPlaying && !isJump) return;
    const before = address;
    address = link();
    jumps = store.state.jumps;
    anchor.href = address;
    anchor.textContent = decodeURIComponent(address);
    clearTimeout(timer);
    if (isJump && address !== before) {
      // The browser goes back to where the jump began.
      history.replaceState(null, '', before);
      history.pushState(null, '', address);
    } else timer = setTimeout(() => session.aborted || history.replaceState(null, '', address), addressAfter);
  };
  store.on(['recording', 'position', 'isPlaying', 'jumps', ...linked.filter((name) => name !== 'client')], show);
  return h('span', { class: 'address' }, anchor, copyMenu(store, reportData, link));
}

/** A button that offers what can be copied. */
function copyMenu(store: Store<State>, reportData: ReportData, link: () => string): HTMLElement {
  const copy = (what: string, text: () => string | undefined) => {
    const choice = button(what, undefined, async () => {
      menu.open = false;
      const copied = text() ?? '';
      // Browsers refuse it on pages from servers without TLS.
      const isCopied = await navigator.clipboard?.writeText(copied).then(
        () => true,
        () => false,
      );
      store.set({ notice: isCopied ? `copied: ${copied}` : copied });
    });
    store.on(['recording', 'position', 'record', 'repeated'], () => {
      choice.hidden = text() === undefined;
    });
    return choice;
  };
  const choices = h(
    'div',
    { class: 'choices' },
    copy('link', () => location.href.replace(/#.*/s, '') + link()),
    copy('command line', () => decodeCommand(reportData, store.state)),
    copy('clip', () => clipCommand(reportData, store.state)),
  );
  const menu = h('details', { class: 'copy-menu' }, h('summary', {}, 'copy'), choices);
  menu.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    menu.open = false;
    menu.querySelector('summary')!.focus();
  });
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !menu.contains(relatedTarget)) menu.open = false;
  });
  return menu;
}
