import { quote } from '../view/text/escape.ts';
import { h } from './dom.ts';
import type { Recording } from './recording.ts';
import type { ReportLink } from './report-link.ts';

/** The notice for a link that names a connection, tick or item that does not exist. */
export class LinkNotice {
  readonly element = h('p', { class: 'notice warning', role: 'status' });

  clear(): void {
    this.element.textContent = '';
  }

  /**
   * Checks a link after it was followed.
   * @param has whether the shown snapshot has an item
   */
  check({ client, tick, item }: ReportLink, { track }: Recording, shown: number, has: (item: string) => boolean): void {
    const { name } = track;
    if (client !== undefined && client !== name)
      this.#show(`There is no connection ${quote(client)} here: this is ${name || 'a demo'}.`);
    else if (tick !== undefined && tick !== shown)
      this.#show(`There is no snapshot of tick ${tick}: this is tick ${shown}.`);
    else if (item !== undefined && !has(item)) this.#show(`There is no ${item.replace('/', ' ')} in this snapshot.`);
  }

  #show(text: string): void {
    this.element.textContent = text;
  }
}
