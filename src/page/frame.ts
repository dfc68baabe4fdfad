import type { Finding, ReportData } from '../report/report-data.ts';
import { escapeText } from '../view/text/escape.ts';
import { count } from '../view/text/number.ts';
import { h } from './dom.ts';
import { writeLink } from './link.ts';

const marks = { good: '✓', warning: '!', bad: '✗' } as const;

/** Shows the recording's name, kind, health and facts. */
export function heading({ name, kind, health, tone, facts, findings, causes = [] }: ReportData): HTMLElement {
  return h(
    'header',
    { class: 'heading' },
    h(
      'div',
      { class: 'title' },
      h('h1', {}, escapeText(name)),
      h('span', { class: `health ${tone}` }, `${marks[tone]} ${health.replace(/^✗ /, '')}`),
      h('span', { class: 'dim' }, kind),
    ),
    facts.length > 0 &&
      h(
        'details',
        { class: 'about' },
        h('summary', { class: 'dim' }, facts.map(({ label, text }) => `${label} ${text}`).join(' · ')),
        h(
          'dl',
          { class: 'facts' },
          ...facts.map(({ label, text }) => h('div', {}, h('dt', {}, label), h('dd', {}, text))),
        ),
      ),
    causes.length > 0 &&
      h('ul', { class: 'diagnostics causes', 'aria-label': 'causes of the findings' }, ...causes.map(findingLine)),
    findings.length > 0 &&
      h(
        'details',
        { class: 'diagnostics', open: causes.length === 0 && findings.length <= 3 },
        h('summary', {}, count(findings.length, 'finding')),
        h('ul', {}, ...findings.map(findingLine)),
      ),
  );
}

/** A finding, with a link to its tick and item. */
function findingLine({ text, track, tick, item, details }: Finding): HTMLElement {
  const href = tick === undefined || tick < 0 ? undefined : writeLink({ client: track || undefined, tick, item });
  return h(
    'li',
    {},
    href === undefined ? text : h('a', { href, title: 'show this tick' }, text),
    details.length > 0 && h('ul', { class: 'suspects' }, ...details.map((line) => h('li', {}, line))),
  );
}

const ofTicks: readonly (readonly [keys: string, what: string])[] = [
  ['space', 'play, pause'],
  ['← →', 'one snapshot back, forward'],
  ['[ ]', 'play from here, up to here'],
  ['< >', 'one second back, forward'],
  ['+ − 0', 'in the timeline: zoom in, out, all'],
  ['← →', 'in the timeline: move; in the bytes: move from value to value'],
];
const ofBytes = [['← →', 'in the bytes: move from value to value']] as const;

/** Lists the keyboard shortcuts and names the program that made the page. */
export const footer = (hasTicks: boolean) =>
  h(
    'footer',
    { class: 'dim' },
    ...(hasTicks ? ofTicks : ofBytes).map(([key, what]) => h('span', {}, h('kbd', {}, key), ` ${what}`)),
    h('span', {}, `made by tw-snap ${VERSION}`),
  );
