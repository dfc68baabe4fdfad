import { escapeText } from '../../view/text/escape.ts';
import { h } from '../dom.ts';
import type { OpenInputs } from './open-inputs.ts';

const example = '00 03 00 06 00 00 01 00 0a 00 9b 13 90 0c b1 04';

interface StartListener {
  files(files: readonly File[]): void;
  text(text: string): void;
}

export function startView({ files, text }: StartListener): HTMLElement {
  const input = h('textarea', {
    class: 'mono',
    rows: 7,
    spellcheck: 'false',
    'aria-label': 'bytes of a snapshot, delta, packet or message, as hex or another form of pasted text',
    placeholder: example,
  });
  const guide = document.querySelector<HTMLLinkElement>('link[rel=help]');
  return h(
    'main',
    { class: 'start' },
    h('h1', {}, 'tw-snap'),
    h('p', {}, 'Inspects Teeworlds and DDNet network data: every byte, what it means, and the match in motion.'),
    h(
      'section',
      { class: 'drop-zone', 'aria-labelledby': 'drop-title' },
      h('h2', { id: 'drop-title' }, 'Drop a file here'),
      h(
        'p',
        { class: 'dim' },
        'a demo, a capture (pcap, pcapng), a network log, a client’s log, or a single snapshot, delta, packet or message',
      ),
      h(
        'p',
        { class: 'dim' },
        'Files may be packed (gz, zip). Drop a map, the schema of a mod or the base of a delta beside them.',
      ),
      chooseFile('or choose one ', files),
    ),
    h(
      'section',
      { class: 'paste-zone', 'aria-labelledby': 'paste-title' },
      h('h2', { id: 'paste-title' }, 'Or paste bytes'),
      h(
        'p',
        { class: 'dim' },
        'hex, a hex dump of a debugger or of Wireshark, an array of C, Python or Rust, base64 …',
      ),
      input,
      h('button', { type: 'button', class: 'inspect', onclick: () => text(input.value) }, 'Inspect'),
    ),
    h(
      'p',
      { class: 'dim' },
      'Nothing leaves your browser: this page loads nothing and sends nothing. Saved to disk, it works offline.',
    ),
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
  const { all, chosen, schema, base, map } = inputs;
  const choose = () => {
    inputs.chosen = select.selectedIndex;
    onChange();
  };
  const select = h(
    'select',
    { 'aria-label': 'which of the inputs is shown', onchange: choose },
    ...all.map(({ name }, i) =>
      h('option', { selected: i === chosen }, `${i + 1} of ${all.length}: ${escapeText(name)}`),
    ),
  );
  const remove = (what: 'schema' | 'base' | 'map', name: string) => {
    const onclick = () => {
      inputs[what] = undefined;
      onChange();
    };
    const title = `show the input without this ${what}`;
    return h('button', { type: 'button', title, onclick }, `${what} ${escapeText(name)} ×`);
  };
  const needsBase = !base && inputs.input !== undefined && inputs.isDelta(inputs.input);
  return h(
    'nav',
    { class: 'inputs', 'aria-label': 'what is open' },
    all.length > 1 && select,
    schema && remove('schema', schema.name),
    base && remove('base', base.name),
    map && remove('map', map.name),
    needsBase && h('span', { class: 'dim' }, 'Drop the base of this delta, a snapshot, to see old and new values.'),
    chooseFile('another file ', open),
  );
}
