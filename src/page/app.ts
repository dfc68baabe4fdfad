import type { ReportData } from '../report/report-data.ts';
import { escapeText } from '../view/text/escape.ts';
import { h, isTyping } from './dom.ts';
import { type PayloadLink, readPayloadLink, writePayloadLink } from './open/payload-link.ts';
import { bytesIn, OpenError, readFile, readPayload } from './open/read-file.ts';
import { startView } from './open/start-view.ts';
import { beginSession } from './session.ts';
import { showReport } from './show-report.ts';

/** The page without a report. It shows dropped files and pasted bytes. */
export class App {
  readonly #status = h('p', { class: 'opening', role: 'status' });
  readonly #failure = h('p', { class: 'failure', role: 'alert' });
  /** The number of inputs opened so far. A file that is still being read is abandoned when another is opened. */
  #number = 0;

  constructor() {
    document.addEventListener('dragover', (event) => {
      event.preventDefault();
      document.documentElement.classList.add('is-dropping');
    });
    const leave = () => document.documentElement.classList.remove('is-dropping');
    document.addEventListener('dragleave', (event) => {
      if (!event.relatedTarget) leave();
    });
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      leave();
      const [file] = event.dataTransfer?.files ?? [];
      if (file) void this.#openFile(file);
      else this.#openText(event.dataTransfer?.getData('text') ?? '');
    });
    document.addEventListener('paste', (event) => {
      if (isTyping(event) || (event.target instanceof HTMLElement && event.target.matches('textarea'))) return;
      const [file] = event.clipboardData?.files ?? [];
      if (file) void this.#openFile(file);
      else this.#openText(event.clipboardData?.getData('text') ?? '');
    });
  }

  /** Shows the payload in the address, or how to open a file. */
  start(): void {
    addEventListener('hashchange', () => {
      const link = readPayloadLink(location.hash);
      if (link && location.hash !== this.#shownLink) this.#openPayload(link, 'payload');
    });
    const link = readPayloadLink(location.hash);
    if (link) this.#openPayload(link, 'payload');
    else this.#showStart('');
  }

  #shownLink = '';

  #showStart(failure: string): void {
    beginSession();
    this.#failure.textContent = failure;
    document.title = 'tw-snap';
    document.body.replaceChildren(
      startView({ file: (file) => void this.#openFile(file), text: (text) => this.#openText(text) }),
      this.#failure,
      this.#status,
    );
    document.documentElement.dataset.state = 'complete';
  }

  async #openFile(file: File): Promise<void> {
    const number = ++this.#number;
    this.#report(`reading ${file.name} …`);
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const progress = (share: number) => {
        if (number === this.#number) this.#report(`reading ${file.name} … ${Math.round(share * 100)} %`);
      };
      const reportData = await readFile(file.name, bytes, undefined, progress);
      if (number !== this.#number) return;
      history.replaceState(null, '', '#');
      await this.#show(reportData, bytes);
    } catch (error) {
      if (number === this.#number) this.#fail(file.name, error);
    }
  }

  #openText(text: string): void {
    if (text.trim() === '') return;
    try {
      const bytes = bytesIn(text);
      if (!bytes) throw new OpenError('this text has no bytes in a known form');
      this.#openPayload({ bytes, version: undefined }, 'pasted bytes');
    } catch (error) {
      this.#fail('the pasted text', error);
    }
  }

  #openPayload({ bytes, version }: PayloadLink, name: string): void {
    this.#number++;
    try {
      void this.#show(readPayload(name, bytes, version), bytes);
    } catch (error) {
      this.#fail(name, error);
    }
  }

  /** @param bytes the input; a short payload is written into the address */
  async #show(reportData: ReportData, bytes: Uint8Array): Promise<void> {
    this.#report('');
    const { contents, tracks } = reportData;
    const isPayload = contents !== undefined || tracks[0]?.snapshots.at(-1)?.tick === -1;
    const version = contents?.version ?? tracks[0]?.version;
    const link = isPayload ? writePayloadLink({ bytes, version }) : undefined;
    this.#shownLink = link ?? '';
    if (link) history.replaceState(null, '', link);
    await showReport(reportData, link?.slice(1));
  }

  #report(text: string): void {
    this.#status.textContent = text;
    if (text !== '' && !this.#status.isConnected) document.body.prepend(this.#status);
    if (text === '') this.#status.remove();
  }

  /** Reports why an input cannot be shown. The page keeps what it showed before. */
  #fail(name: string, error: unknown): void {
    this.#report('');
    const text = `${escapeText(name)} cannot be shown: ${error instanceof OpenError ? error.message : String(error)}`;
    if (document.querySelector('main:not(.start)')) {
      this.#failure.textContent = text;
      document.body.prepend(this.#failure);
      document.documentElement.dataset.state = 'complete';
    } else this.#showStart(text);
  }
}
