import { type Followed, type Look, looks, type State, type Store } from '../data/store.ts';
import { button, h } from '../elements/dom.ts';

/** The list of whom the picture can follow. */
export function followedSelect(store: Store<State>, follow: (followed: Followed) => void): HTMLElement {
  const onchange = () => {
    const { value } = select;
    follow(value === 'all' || value === 'camera' || value === 'free' ? value : Number(value));
  };
  const select = h('select', { 'aria-label': 'what the picture shows', onchange });
  const showChosen = () => {
    select.value = String(store.state.followed);
  };
  store.on(
    ['recording'],
    () => {
      const { recording } = store.state;
      const option = (value: Followed, text: string) => h('option', { value }, text);
      select.replaceChildren(
        option('all', 'whole map'),
        option('camera', 'recorded player'),
        option('free', 'a part'),
        ...recording.clients.map((client) => option(client, recording.playerText(client))),
      );
      showChosen();
    },
    'picture',
  );
  // A player may have another name than before.
  store.on(['inspected'], () => {
    const { recording } = store.state;
    for (const [i, client] of recording.clients.entries()) {
      const name = recording.playerText(client);
      const option = select.options[select.options.length - recording.clients.length + i]!;
      if (option.text !== name) option.text = name;
    }
  });
  store.on(['followed'], showChosen);
  return h('label', {}, 'show ', select);
}

/**
 * What is drawn, and how: options and a list of colours over the picture, which a button opens.
 * @param colours the kinds of tiles that the map has, each with its colour
 */
export function legend(store: Store<State>, colours: readonly HTMLElement[]): HTMLElement {
  const style = h(
    'select',
    { 'aria-label': 'how the picture looks', onchange: () => store.set({ look: style.value as Look }) },
    ...looks.map((look) => h('option', { value: look }, look)),
  );
  const showsPaths = h('input', { type: 'checkbox', onchange: () => store.set({ showsPaths: showsPaths.checked }) });
  store.on(['look', 'showsPaths'], () => {
    style.value = store.state.look;
    showsPaths.checked = store.state.showsPaths;
  });
  const toggle = button('legend', undefined, () => {
    toggle.setAttribute('aria-expanded', String(element.classList.toggle('is-open')));
  });
  toggle.setAttribute('aria-expanded', 'false');
  const options = [h('label', {}, 'as ', style), h('label', {}, showsPaths, ' paths')];
  const content = h('div', { class: 'content' }, ...options, h('ul', {}, ...colours));
  const element = h('div', { class: 'legend' }, toggle, content);
  return element;
}
