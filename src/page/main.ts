import { h } from './dom.ts';
import { embeddedCargo } from './embedded.ts';
import { Page } from './page.ts';

embeddedCargo()
  .then((cargo) => new Page(cargo).open())
  .catch((error: unknown) => {
    document.body.append(h('p', { class: 'failure', role: 'alert' }, `This page can't be shown: ${String(error)}`));
    throw error;
  });
