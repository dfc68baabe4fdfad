import { readPayloadLink, writePayloadLink } from '../input/source/payload-link.ts';
import { SourceError } from '../input/stated.ts';
import { diagnosticMessage } from '../output/phrases/diagnostic-messages.ts';
import { escapeText, pathText } from '../output/text/escape.ts';
import { count } from '../output/text/number.ts';
import { DecodeError } from '../wire/bytes/diagnostic.ts';
import { beginSession, h, isTyping } from './elements/dom.ts';
import { OpenInputs, openFile } from './open/open-inputs.ts';
import { readInput } from './open/read-file.ts';
import { inputBar, startView } from './open/start-view.ts';
import { hasTimeline } from './report/report-data.ts';
import { showContents } from './views/contents-page.ts';
import { showRecording } from './views/recording-page.ts';

class App {
  readonly #status = h('p', { class: 'opening', role: 'status' });
  readonly #failure = h('p', { class: 'failure', role: 'alert' });
  #inputs = new OpenInputs();
  /** The number of inputs opened so far. A file that is still being read is abandoned when another is opened. */
  #number = 0;
  /** The address that the page wrote for the payload that it shows. */
  #shownLink = '';
  /** The text that was opened last; undefined after a file. */
  #pasted: string | undefined;
  /** What the address says about the file that will be opened first. */
  #place = '';

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
      this.#openData(event.dataTransfer);
    });
    document.addEventListener('paste', (event) => {
      if (isTyping(event) || (event.target instanceof HTMLElement && event.target.matches('textarea'))) return;
      this.#openData(event.clipboardData);
    });
  }

  /** Shows the payload in the address, or how to open a file. */
  start(): void {
    addEventListener('hashchange', () => {
      // Back from the first file: its entry of the history has an address, that of the start has none.
      if (location.hash === '' && this.#inputs.input) {
        this.#number++;
        this.#inputs = new OpenInputs();
        this.#showStart('');
        return;
      }
      if (location.hash === this.#shownLink || this.#openLink()) return;
      if (!this.#inputs.input) this.#place = location.hash.slice(1);
    });
    if (this.#openLink()) return;
    this.#place = location.hash.slice(1);
    this.#showStart('');
  }

  /** Shows the payload in the address. Returns whether there is one. */
  #openLink(): boolean {
    const link = readPayloadLink(location.hash);
    if (link) {
      this.#inputs.add([{ name: 'payload', inputs: [{ name: 'payload', ...link }] }]);
      void this.#show();
    }
    return link !== undefined;
  }

  #openData(data: DataTransfer | null): void {
    const files = [...(data?.files ?? [])];
    if (files.length > 0) void this.#openFiles(files);
    else this.#openText(data?.getData('text') ?? '');
  }

  #showStart(failure: string): void {
    beginSession();
    this.#failure.textContent = failure;
    document.title = 'tw-snap';
    const listener = {
      files: (files: readonly File[]) => void this.#openFiles(files),
      text: (text: string) => this.#openText(text),
    };
    document.body.replaceChildren(startView(listener, { reason: this.#failure, text: this.#pasted }), this.#status);
    document.documentElement.dataset.state = 'complete';
  }

  async #openFiles(files: readonly File[], pasted?: string): Promise<void> {
    const number = ++this.#number;
    this.#pasted = pasted;
    let name = '';
    try {
      const opened = [];
      for (const file of files) {
        name = file.name;
        this.#report(`reading ${name} …`);
        opened.push(await openFile(name, new Uint8Array(await file.arrayBuffer()), pasted !== undefined));
        if (number !== this.#number) return;
      }
      this.#inputs.add(opened);
      await this.#show();
    } catch (error) {
      if (number === this.#number) this.#fail(name, error);
    }
  }

  #openText(text: string): void {
    if (text.trim() !== '') void this.#openFiles([new File([text], 'pasted bytes')], text);
  }

  /** Shows the chosen input. A short payload is written into the address. */
  async #show(): Promise<void> {
    const number = ++this.#number;
    const { input, context, schema, base, map } = this.#inputs;
    if (!input) {
      this.#showStart('');
      const kept = schema ? `schema ${schema.name}` : map && `map ${map.name}`;
      this.#report(kept ? `The ${escapeText(kept)} is used for what you open next.` : '');
      return;
    }
    try {
      const progress = (share: number) => {
        if (number === this.#number) this.#report(`reading ${input.name} … ${Math.round(share * 100)} %`);
        return number === this.#number;
      };
      const reportData = await readInput(input, context, progress);
      if (number !== this.#number) return;
      this.#report('');
      const { contents, tracks, text } = reportData;
      const isRecording = hasTimeline(reportData);
      const isPayload = !isRecording && text === undefined;
      const version = contents?.version ?? tracks[0]?.version;
      const isWhole = isPayload && input.text === undefined && !schema && !base;
      const link = isWhole ? writePayloadLink({ bytes: input.bytes, version }) : undefined;
      this.#shownLink = link ?? '';
      const payload = link?.slice(1);
      const address = `#${[payload, this.#place].filter(Boolean).join('&')}`;
      // One goes back to the start.
      if (document.querySelector('main.start') && address !== location.hash) history.pushState(null, '', address);
      else history.replaceState(null, '', address);
      this.#place = '';
      const shown = isRecording ? showRecording(reportData) : showContents(reportData, payload);
      document.body.prepend(
        this.#status,
        inputBar(
          this.#inputs,
          () => void this.#show(),
          (files) => void this.#openFiles(files),
        ),
      );
      await shown;
      const { name, health, causes = [], findings } = reportData;
      const found = findings.length > 0 ? [count(findings.length, 'finding')] : [];
      const said = [`${pathText(name)}: ${health}`, ...causes.map(({ text }) => text), ...found];
      this.#report(said.join('; '), 'announcement');
    } catch (error) {
      if (number !== this.#number) return;
      this.#inputs.map = undefined;
      this.#fail(input.name, error);
    }
  }

  /** Screen readers say an announcement, which is not shown. */
  #report(text: string, name: 'opening' | 'announcement' = 'opening'): void {
    this.#status.className = name;
    this.#status.textContent = text;
    if (!this.#status.isConnected) document.body.prepend(this.#status);
  }

  /** Reports why an input cannot be shown. The page keeps what it showed before. */
  #fail(name: string, error: unknown): void {
    this.#report('');
    const known = error instanceof SourceError ? error.message : String(error);
    const reason = error instanceof DecodeError ? diagnosticMessage(error) : known;
    const text = `${pathText(name)} cannot be shown: ${reason}`;
    if (document.querySelector('main:not(.start)')) {
      this.#failure.textContent = text;
      document.body.prepend(this.#failure);
      document.documentElement.dataset.state = 'complete';
    } else this.#showStart(text);
  }
}

new App().start();
