import { h, onceAFrame, onVisible, sessionSignal, setAttribute, styled } from './dom.ts';

/** Rows that are drawn above and below the visible ones. */
const spareRows = 2;

/** What is in the rows of a long list. */
interface Rows {
  /** Makes a row without its content. */
  make(kind: string): HTMLElement;
  /** Changes a row, which may have been another one of its kind, into that of a number. */
  fill(row: HTMLElement, i: number): void;
  /** Rows of a kind are made alike, and used again for each other. All are of one kind by default. */
  kindOf?(i: number): string;
  /** Called when a button in a row is clicked. */
  click?(i: number, button: HTMLElement): void;
  /** In pixels; a change is seen when the list is shown again. */
  height?(): number;
  /** Called when the list has become higher or lower. */
  onHeight?(): void;
}

/**
 * Draws the rows of a long list where they are visible; all have the same height. A list that is shown again, or that
 * scrolls, changes the texts of its rows: making and laying out new ones is what takes time.
 * @param list scrolls
 */
export function longList(list: HTMLElement, rows: Rows) {
  const { kindOf = () => '', height: rowHeight = () => Number.parseInt(styled('--row'), 10) } = rows;
  const content = h('ol', { class: 'long-list' });
  list.append(content);
  let length = 0;
  let height = 0;
  let top = 0;
  /** The part of the list that the window shows, and the row that was revealed last. */
  let from = 0;
  let to = 0;
  let revealed = -1;
  /** Whether the list was scrolled to the revealed row, and not by the user. */
  let isScrolling = false;
  /** The row that is marked; -1 for none. */
  let current = -1;
  let each = rowHeight();
  let drawn = new Map<number, HTMLElement>();
  /** The rows of the list that was shown before. */
  let old = drawn;
  /** Where selected text begins and ends. It is read when it changes: reading it lays out the page. */
  let selectionEnds: readonly Node[] = [];

  function wantedRows(): number[] {
    const first = Math.max(0, Math.floor((top + from) / each) - spareRows);
    const last = Math.min(length, Math.ceil((top + to) / each) + spareRows);
    const wanted = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i);
    if (revealed >= 0 && revealed < length && !(revealed >= first && revealed < last)) wanted.push(revealed);
    return wanted;
  }

  function draw(): void {
    const wanted = wantedRows();
    const isWanted = new Set(wanted);
    // Where a selection begins or ends, a row stays.
    for (const [i, row] of drawn) if (selectionEnds.some((node) => row.contains(node))) isWanted.add(i);
    const kept = new Map([...drawn].filter(([i]) => isWanted.has(i)));
    const missing = wanted.filter((i) => !kept.has(i));
    // A row that was at its place has it again.
    for (const i of missing) {
      const row = old.get(i);
      if (row?.dataset.kind === kindOf(i)) kept.set(i, row);
    }
    const used = new Set(kept.values());
    const free = [...drawn.values(), ...old.values()].filter((row) => !used.has(row));
    for (const i of missing) {
      const row = kept.get(i) ?? takeFrom(free, kindOf(i));
      kept.set(i, row);
      place(row, i);
      rows.fill(row, i);
    }
    drawn = kept;
    old = new Map();
    // A row that had the focus may have the list drawn again while it is removed.
    for (const row of free) row.remove();
    // Rows are in their order, in which keys and selections move through them. Those that stay are in it already.
    let next: HTMLElement | null = null;
    for (const [, row] of [...drawn].sort(([a], [b]) => b - a)) {
      if (!used.has(row) && (row.nextElementSibling !== next || !row.isConnected)) content.insertBefore(row, next);
      next = row;
    }
  }

  /** A row of a kind that is not shown any more, or else a new one. The focus stays where it is. */
  function takeFrom(free: HTMLElement[], kind: string): HTMLElement {
    const at = free.findIndex((row) => row.dataset.kind === kind && !row.contains(document.activeElement));
    if (at >= 0) return free.splice(at, 1)[0]!;
    const row = rows.make(kind);
    row.dataset.kind = kind;
    return row;
  }

  function place(row: HTMLElement, i: number): void {
    const at = `${i * each}px`;
    if (row.style.top !== at) row.style.top = at;
    setAttribute(row, 'aria-posinset', String(i + 1));
    setAttribute(row, 'aria-setsize', String(length));
    setAttribute(row, 'aria-current', i === current ? 'true' : undefined);
  }

  function reveal(): void {
    top = Math.max(0, Math.min(length * each - height, (revealed + 0.5) * each - height / 2));
    draw();
    scroll();
  }

  // The frame lays out the page anyway, so that it is scrolled where all is drawn.
  const scroll = onceAFrame(() => {
    const { scrollTop: before } = list;
    list.scrollTop = top;
    isScrolling = list.scrollTop !== before;
  });

  const indexOf = (element: Element | null) => [...drawn].find(([, row]) => row.contains(element))?.[0] ?? -1;
  const onSelection = () => {
    const { isCollapsed = true, anchorNode, focusNode } = getSelection() ?? {};
    selectionEnds = isCollapsed ? [] : [anchorNode, focusNode].filter((node) => node instanceof Node);
  };
  document.addEventListener('selectionchange', onSelection, { signal: sessionSignal() });
  list.addEventListener('scroll', () => {
    // To ask where the list is would lay out what is drawn since.
    if (!isScrolling) {
      top = list.scrollTop;
      draw();
    }
    isScrolling = false;
  });
  content.addEventListener('click', ({ target }) => {
    const clicked = target instanceof Element ? target.closest('button') : null;
    if (clicked) rows.click?.(indexOf(clicked), clicked);
  });
  onVisible(list, (...visible) => {
    const before = height;
    [from, to, height] = visible;
    if (before === 0 && revealed >= 0) reveal();
    else draw();
    if (before > 0 && height !== before) rows.onHeight?.();
  });
  return {
    /** Draws the list again, with this number of rows. */
    show(count: number): void {
      length = count;
      each = rowHeight();
      const whole = `${length * each}px`;
      if (content.style.height !== whole) content.style.height = whole;
      old = drawn;
      drawn = new Map();
      draw();
    },
    /**
     * Scrolls to a row.
     * @param onlyIfHidden whether a row that is in view stays where it is
     */
    reveal(i: number, onlyIfHidden = false): void {
      revealed = i;
      const isHidden = i * each < top || (i + 1) * each > top + height;
      if (isHidden || !onlyIfHidden) reveal();
      else draw();
    },
    /** Marks a row as the current one, and no other. */
    mark(i: number): void {
      drawn.get(current)?.removeAttribute('aria-current');
      current = i;
      drawn.get(current)?.setAttribute('aria-current', 'true');
    },
    /** The row that contains an element; -1 for none. */
    indexOf,
  };
}
