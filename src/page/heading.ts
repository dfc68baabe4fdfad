import type { ReportData } from '../report/report-data.ts';
import { escapeText } from '../view/text/escape.ts';
import { h } from './dom.ts';

const marks = { good: '✓', warning: '!', bad: '✗' } as const;

/** The recording's name, kind, health and facts. */
export function heading({ name, kind, health, tone, facts, diagnostics }: ReportData): HTMLElement {
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
    diagnostics.length > 0 &&
      h(
        'details',
        { class: 'diagnostics', open: diagnostics.length <= 3 },
        h('summary', {}, diagnostics.length === 1 ? '1 diagnostic' : `${diagnostics.length} diagnostics`),
        h('ul', {}, ...diagnostics.map((text) => h('li', {}, text))),
      ),
  );
}
