import { signed } from '../../output/reports/explain/explanation-text.ts';
import { escapeText } from '../../output/text/escape.ts';
import { thousands } from '../../output/text/number.ts';
import { type ItemVersion, itemVersions } from '../data/item-versions.ts';
import type { State, Store } from '../data/store.ts';
import { fact, h } from '../elements/dom.ts';
import type { PageFinding, ReportData } from '../report/report-data.ts';

/**
 * What there is to see of a finding of the chosen snapshot, which the heading names: the announced and the rebuilt
 * checksum, and the versions of the item that is most likely the cause, side by side.
 */
export function findingPanel(store: Store<State>, { findings }: ReportData): HTMLElement {
  const body = h('div', { class: 'finding-body' });
  const title = h('div', { class: 'bar' }, h('h2', {}, 'Finding'));
  const element = h('section', { class: 'finding', 'aria-label': 'Finding' }, title, body);
  store.on(['inspected'], () => {
    const { recording, position, inspected } = store.state;
    const { tick, announced } = recording.snapshot(position);
    const isHere = (finding: PageFinding) => finding.track === recording.track.name && finding.tick === tick;
    const here = findings.filter(isHere);
    const item = here.find((finding) => finding.item !== undefined)?.item;
    const rebuilt = here.length > 0 ? recording.rebuilt(position)?.checksum() : undefined;
    const line = inspected.items.find(({ link }) => link === item);
    body.replaceChildren(
      ...sumsOf(announced, rebuilt),
      ...(line ? [versionsTable(`${line.name} ${line.id}`, itemVersions(recording, position, line.key))] : []),
    );
    element.hidden = !body.hasChildNodes();
  });
  return element;
}

function sumsOf(announced: number | undefined, rebuilt: number | undefined): HTMLElement[] {
  if (announced === undefined || rebuilt === undefined || announced === rebuilt) return [];
  return [
    h(
      'dl',
      { class: 'sums mono' },
      fact('announced', thousands(announced)),
      fact('rebuilt', thousands(rebuilt)),
      fact('announced − rebuilt', signed((announced - rebuilt) | 0)),
    ),
  ];
}

/** The fields of an item, a column for each version. Values that differ from the version before are marked. */
function versionsTable(name: string, versions: readonly ItemVersion[]): HTMLElement {
  const labels = [...new Set(versions.flatMap(({ values }) => [...values.keys()]))];
  const rows = labels.map((label) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row', class: 'dim' }, label),
      ...versions.map(({ values }, i) => {
        const value = values.get(label) ?? '';
        const before = i === 0 ? value : versions[i - 1]!.values.get(label);
        return h('td', { class: value === before ? '' : 'changed' }, escapeText(value));
      }),
    ),
  );
  const heads = [name, ...versions.map(({ where }) => where)].map((head) => h('th', { scope: 'col' }, head));
  const table = h('table', {}, h('thead', {}, h('tr', {}, ...heads)), h('tbody', {}, ...rows));
  return h('div', { class: 'versions mono', role: 'region', 'aria-label': `versions of ${name}`, tabindex: 0 }, table);
}
