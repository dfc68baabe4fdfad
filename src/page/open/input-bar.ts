import { escapeText } from '../../view/text/escape.ts';
import { h } from '../dom.ts';
import type { OpenInputs } from './open-inputs.ts';

/** Lists the inputs that were opened together, and names the schema and the base that were dropped beside them. */
export function inputBar(inputs: OpenInputs, onChange: () => void): HTMLElement {
  const { all, chosen, schema, base } = inputs;
  const change = (run: () => void) => () => {
    run();
    onChange();
  };
  const select = h(
    'select',
    {
      'aria-label': 'which of the inputs is shown',
      onchange: change(() => {
        inputs.chosen = select.selectedIndex;
      }),
    },
    ...all.map(({ name }, i) =>
      h('option', { selected: i === chosen }, `${i + 1} of ${all.length}: ${escapeText(name)}`),
    ),
  );
  const remove = (what: 'schema' | 'base', name: string) =>
    h(
      'button',
      {
        type: 'button',
        title: `show the input without this ${what}`,
        onclick: change(() => {
          inputs[what] = undefined;
        }),
      },
      `${what} ${escapeText(name)} ×`,
    );
  const needsBase = !base && inputs.input !== undefined && inputs.isDelta(inputs.input);
  const element = h(
    'nav',
    { class: 'inputs', 'aria-label': 'what is open' },
    all.length > 1 && select,
    schema && remove('schema', schema.name),
    base && remove('base', base.name),
    needsBase &&
      h('span', { class: 'dim' }, 'Drop the base of this delta, a snapshot, to see values instead of differences.'),
  );
  element.hidden = !element.hasChildNodes();
  return element;
}
