import { QueryError } from '../../analysis/query/parse.ts';
import { thousands } from '../../output/text/number.ts';
import {
  checksumOf,
  matchingRecords,
  nameOfRecord,
  type RecordKind,
  type RecordRow,
  recordKinds,
  recordsOf,
  type Sorting,
  sayingOf,
  sortedRecords,
} from '../data/records.ts';
import { readSearch } from '../data/search.ts';
import type { Recording } from '../data/shown-recording.ts';
import type { State, Store } from '../data/store.ts';
import { h, inPieces, section, setAttribute, setClass, setText } from '../elements/dom.ts';
import { longList } from '../elements/long-list.ts';
import { oneStop, oneStopRow } from '../elements/one-stop.ts';

/** The titles of the columns; those with a name are sorted by a click. */
const columns: readonly (readonly [title: string, sorting: Sorting | undefined])[] = [
  ['tick', 'tick'],
  ['time', undefined],
  ['kind', 'kind'],
  ['what', 'name'],
  ['bytes', 'bytes'],
  ['items', 'items'],
  ['checksum', undefined],
  ['says', undefined],
];

/**
 * The list of snapshots, messages and packets, as they were recorded. It shows those that the query of the search box
 * selects; a click on one shows its bytes.
 */
export function recordList(store: Store<State>, choose: (row: RecordRow) => void): HTMLElement {
  const list = oneStop(
    h('div', { class: 'record-rows mono', tabindex: 0, role: 'region', 'aria-label': 'list of records' }),
  );
  const status = h('output', { class: 'dim' });
  const kinds = new Set<RecordKind>(recordKinds);
  let all: readonly RecordRow[] = [];
  let rows: readonly RecordRow[] = [];
  let matched: ReadonlySet<RecordRow> | undefined;
  let sorting: Sorting = 'tick';
  let isDescending = false;
  /** The number of searches started so far: a search is abandoned when another one starts. */
  let searches = 0;
  // What the boxes count comes before them.
  store.on(['recording', 'read'], () => {
    const { recording, read } = store.state;
    if (read > 0 && read < 1) return;
    all = recordsOf(recording);
    element.hidden = all.length < 2;
    matched = undefined;
    show();
  });
  const boxes = recordKinds.map((kind) => kindBox(kind));
  const nameOf = (row: RecordRow) => nameOfRecord(store.state.recording, row);

  const heads = columns.map(([title, by]) => {
    if (!by) return h('span', { class: `of-${title}` }, title);
    const onclick = () => {
      isDescending = sorting === by && !isDescending;
      sorting = by;
      show();
    };
    return h('button', { type: 'button', class: `of-${title}`, onclick, title: `sort by ${title}` }, title);
  });
  const head = oneStopRow(h('div', { class: 'record head mono dim' }, ...heads));
  const filters = { class: 'filters', role: 'group', 'aria-label': 'records that are listed' };
  const kindsListed = oneStopRow(h('span', filters, ...boxes));
  const lines = longList(list, {
    make: emptyLine,
    fill: (line, i) => fillLine(line, store.state.recording, rows[i]!),
    click: (i) => choose(rows[i]!),
  });
  const element = section('records', 'Records', [status, kindsListed], head, list);

  function kindBox(kind: RecordKind): HTMLElement {
    const number = h('span', { class: 'dim' });
    const onchange = () => {
      if (box.checked) kinds.add(kind);
      else kinds.delete(kind);
      show();
    };
    const box = h('input', { type: 'checkbox', checked: true, onchange });
    const label = h('label', { class: `of-${kind}` }, box, ` ${kind}s `, number);
    store.on(['recording', 'read'], () => {
      const own = all.filter((row) => row.kind === kind).length;
      number.textContent = thousands(own);
      label.hidden = own === 0;
    });
    return label;
  }

  function show(): void {
    const some = all.filter((row) => kinds.has(row.kind) && (!matched || matched.has(row)));
    rows = sortedRecords(some, sorting, isDescending, nameOf);
    for (const [i, [title, by]] of columns.entries()) {
      const order = by === sorting ? (isDescending ? ' ▾' : ' ▴') : '';
      heads[i]!.textContent = title + order;
    }
    status.textContent =
      rows.length < all.length ? `${thousands(rows.length)} of ${thousands(all.length)}` : thousands(all.length);
    lines.mark(rows.findIndex(isChosen));
    lines.show(rows.length);
    follow();
  }

  function isChosen({ kind, number }: RecordRow): boolean {
    const { record, position } = store.state;
    return record ? record.kind === kind && record.number === number : kind === 'snapshot' && number === position;
  }

  /** Marks the chosen record, and moves the list there unless the user is in it. */
  function follow(): void {
    if (store.state.isPlaying || element.hidden) return;
    const at = rows.findIndex(isChosen);
    lines.mark(at);
    if (at >= 0 && !list.matches(':hover, :focus-within')) lines.reveal(at);
  }

  async function filter(): Promise<void> {
    const number = ++searches;
    const { recording, query, found, read } = store.state;
    matched = undefined;
    if (query.trim() !== '' && read === 1) {
      try {
        const search = readSearch(query, recording.protocol.schema);
        const set = await inPieces(matchingRecords(recording, all, search, found), () => number === searches);
        if (number !== searches) return;
        matched = set;
      } catch (error) {
        if (!(error instanceof QueryError)) throw error;
      }
    }
    show();
  }

  store.on(['found', 'read'], () => void filter());
  store.on(['position', 'record', 'isPlaying'], follow);
  return element;
}

const emptyLine = () =>
  h('li', {}, h('button', { type: 'button' }, ...columns.map(([title]) => h('span', { class: `of-${title}` }))));

function fillLine(line: HTMLElement, recording: Recording, row: RecordRow): void {
  const { kind, tick, time, bytes, items, number } = row;
  const { sum, isWrong } = kind === 'snapshot' ? checksumOf(recording, number) : { sum: undefined, isWrong: false };
  const frame = kind === 'packet' ? `#${recording.track.packets[number]!.frame} ` : '';
  const cells: Readonly<Record<string, string>> = {
    tick: tick < 0 ? '' : String(tick),
    time: Number.isNaN(time) ? '' : time.toFixed(2),
    kind,
    what: frame + nameOfRecord(recording, row),
    bytes: thousands(bytes),
    items: items ? String(items) : '',
    checksum: sum === undefined ? '' : `${isWrong ? '✗ ' : ''}${sum}`,
    says: sayingOf(recording, row),
  };
  const record = line.firstElementChild!;
  setClass(record, `record is-${kind}`);
  for (const [i, [title]] of columns.entries()) {
    const cell = record.children[i]!;
    setText(cell, cells[title]!);
    if (title === 'what') setAttribute(cell, 'title', cells.says!);
    if (title === 'checksum') setClass(cell, isWrong ? 'of-checksum error' : 'of-checksum');
  }
}
