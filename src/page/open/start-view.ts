import { escapeText } from '../../output/text/escape.ts';
import { button, h } from '../elements/dom.ts';
import { type Example, examples, pastedExample } from './examples.ts';
import type { OpenInputs } from './open-inputs.ts';

interface StartListener {
  files(files: readonly File[]): void;
  text(text: string): void;
}

/** Why something cannot be shown, and whether it was the text in the field. */
interface Refused {
  readonly reason: HTMLElement;
  readonly text: string | undefined;
}

/** @param refused what was refused last; a text stays in the field, with the reason beside it */
export function startView({ files, text }: StartListener, { reason, text: kept }: Refused): HTMLElement {
  const input = h('textarea', {
    class: 'mono',
    rows: 5,
    spellcheck: 'false',
    'aria-label': 'bytes of a snapshot, delta, packet or message, as hex or another form of pasted text',
    placeholder: pastedExample,
  });
  input.value = kept ?? '';
  const guide = document.querySelector<HTMLLinkElement>('link[rel=help]');
  const zone = (name: string, title: string, ...content: readonly (HTMLElement | false)[]) =>
    h('section', { class: name, 'aria-label': title }, h('h2', {}, title), ...content);
  const note = (text: string) => h('p', { class: 'dim' }, text);
  const tryExample = ({ name, about, file, bytes }: Example) =>
    h(
      'li',
      {},
      button(name, undefined, () => files([new File([bytes], file)])),
      h('span', { class: 'dim' }, about),
    );
  return h(
    'main',
    { class: 'start' },
    h('h1', {}, 'tw-snap'),
    h('p', {}, 'Inspects Teeworlds and DDNet network data: every byte, what it means, and the match in motion.'),
    zone(
      'drop-zone',
      'Drop a file here',
      note(
        'a demo, a capture (pcap, pcapng), a network log, a client’s log, or a single snapshot, delta, packet or message',
      ),
      note('Files may be packed (gz, zip). Drop a map, the schema of a mod or the base of a delta beside them.'),
      chooseFile('or choose one ', files),
      kept === undefined && reason,
    ),
    zone(
      'paste-zone',
      'Or paste bytes',
      note('hex, a hex dump of a debugger or of Wireshark, an array of C, Python or Rust, base64 …'),
      input,
      button('Inspect', undefined, () => text(input.value)),
      kept !== undefined && reason,
    ),
    zone('examples', 'Or try an example', h('ul', {}, ...examples.map(tryExample))),
    note('Nothing leaves your browser: this page loads nothing and sends nothing. Saved to disk, it works offline.'),
    // The site of the project has its guide beside this page.
    guide !== null && h('p', {}, h('a', { href: guide.href }, 'Guide and reference')),
  );
}

function chooseFile(text: string, open: (files: readonly File[]) => void): HTMLElement {
  const input = h('input', {
    type: 'file',
    multiple: true,
    'aria-label': 'choose files',
    onchange: () => {
      if (input.files?.length) open([...input.files]);
    },
  });
  return h('label', { class: 'choose-file' }, text, input);
}

/** Lists the inputs that were opened together, names what was dropped beside them, and opens another file. */
export function inputBar(inputs: OpenInputs, onChange: () => void, open: StartListener['files']): HTMLElement {
  const { all, chosen, base } = inputs;
  const select = h(
    'select',
    {
      'aria-label': 'which of the inputs is shown',
      onchange: () => {
        inputs.chosen = select.selectedIndex;
        onChange();
      },
    },
    ...all.map(({ name }, i) =>
      h('option', { selected: i === chosen }, `${i + 1} of ${all.length}: ${escapeText(name)}`),
    ),
  );
  const extras = (['schema', 'base', 'map'] as const).map((what) => {
    const input = inputs[what];
    const remove = () => {
      inputs[what] = undefined;
      onChange();
    };
    return input && button(`${what} ${escapeText(input.name)} ×`, undefined, remove);
  });
  const needsBase = !base && inputs.input !== undefined && inputs.isDelta(inputs.input);
  return h(
    'nav',
    { class: 'inputs', 'aria-label': 'what is open' },
    all.length > 1 && select,
    ...extras,
    needsBase && h('span', { class: 'dim' }, 'Drop the base of this delta, a snapshot, to see old and new values.'),
    chooseFile('another file ', open),
  );
}
