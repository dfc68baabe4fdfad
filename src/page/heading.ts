import type { ReportData } from '../report/report-data.ts';
import { escapeText } from '../view/text/escape.ts';
import { h } from './dom.ts';

const marks = { good: '✓', odd: '!', bad: '✗' } as const;

/** What the recording is, and how sound. */
export function heading({ name, kind, health, tone, facts, findings }: ReportData): HTMLElement {
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
    h('dl', { class: 'facts' }, ...facts.map(({ label, text }) => h('div', {}, h('dt', {}, label), h('dd', {}, text)))),
    findings.length > 0 &&
      h(
        'details',
        { class: 'findings', open: findings.length <= 3 },
        h('summary', {}, findings.length === 1 ? '1 finding' : `${findings.length} findings`),
        h('ul', {}, ...findings.map((text) => h('li', {}, text))),
      ),
  );
}
