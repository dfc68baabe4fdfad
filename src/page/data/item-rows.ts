import type { FieldLine, ItemLine } from './inspect.ts';
import type { InspectorState } from './store.ts';

/** Items are open at first until so many fields are listed. */
const openFields = 48;
const digestChanges = 12;

/** A row of the list of items: all are equally high. */
export type ItemRow =
  | { readonly kind: 'item'; readonly line: ItemLine; readonly isOpen: boolean }
  | { readonly kind: 'field'; readonly line: ItemLine; readonly field: FieldLine }
  /** Fields of an item that are not listed. */
  | { readonly kind: 'more'; readonly line: ItemLine; readonly count: number }
  /** The items that are as before. */
  | { readonly kind: 'same'; readonly count: number; readonly isOpen: boolean }
  | { readonly kind: 'none'; readonly text: string };

/** What the user has opened. */
export class OpenItems {
  /** The items that are opened (true) or closed (false), by link. */
  readonly #items = new Map<string, boolean>();
  /** The items with all their fields. */
  readonly #whole = new Set<string>();
  showsSame = false;

  toggle(link: string, isOpen: boolean): void {
    this.#items.set(link, isOpen);
  }

  showWhole(link: string): void {
    this.#whole.add(link);
  }

  /** The rows of a list: items that changed come first, those that are as before are folded. */
  rows(state: Pick<InspectorState, 'inspected' | 'item' | 'filter' | 'onlyChanged'>): ItemRow[] {
    const { inspected, item, filter, onlyChanged } = state;
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    const isListed = ({ link, name, id, player = '', state: how }: ItemLine) =>
      link === item ||
      (!(onlyChanged && how === 'same') &&
        words.every((word) => `${name} ${id} ${player}`.toLowerCase().includes(word)));
    const items = inspected.items.filter(isListed);
    const rows: ItemRow[] = [];
    let left = openFields;
    for (const line of items) {
      if (line.state === 'same') continue;
      const isClosed = line.state === 'removed' || line.name === 'obj_ex' || left <= 0;
      const added = this.#rowsOf(line, !isClosed);
      left -= added.length - 1;
      rows.push(...added);
    }
    const same = items.filter(({ state: how }) => how === 'same');
    const isOpen = this.showsSame || words.length > 0;
    if (same.length > 0) rows.push({ kind: 'same', count: same.length, isOpen });
    if (isOpen) for (const line of same) rows.push(...this.#rowsOf(line, false));
    const none = inspected.items.length === 0 ? 'No items.' : 'No item matches the filter.';
    return items.length > 0 ? rows : [{ kind: 'none', text: none }];
  }

  #rowsOf(line: ItemLine, isOpenAtFirst: boolean): ItemRow[] {
    const isOpen = this.#items.get(line.link) ?? isOpenAtFirst;
    if (!isOpen) return [{ kind: 'item', line, isOpen }];
    const fields = line.fields();
    const shown = this.#whole.has(line.link) ? fields : fields.filter((field) => isShown(field, line));
    const count = fields.length - shown.length;
    return [
      { kind: 'item', line, isOpen },
      ...shown.map((field) => ({ kind: 'field', line, field }) as const),
      ...(count > 0 ? [{ kind: 'more', line, count } as const] : []),
    ];
  }
}

/**
 * Whether a field is shown at first. Changed items show the fields that changed; other items show the fields that are
 * not 0.
 */
const isShown = ({ old, now }: FieldLine, { state }: ItemLine) =>
  state === 'changed' ? old !== undefined : now !== '0';

/** What a closed item says in one line. */
export function digestOf(line: ItemLine): string {
  if (line.state === 'removed') return 'removed';
  return line
    .fields()
    .filter((field) => isShown(field, line))
    .slice(0, digestChanges)
    .map(({ label, old, now, meaning, role }) => {
      if (old !== undefined) return `${label} ${old} → ${now}`;
      return role === 'identity' && meaning ? meaning : `${label}=${now}`;
    })
    .join('  ');
}
