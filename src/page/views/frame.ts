import { unconfirmed } from '../../output/phrases/judge-phrases.ts';
import { escapeText, printable } from '../../output/text/escape.ts';
import { count, thousands } from '../../output/text/number.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { beginSession, button, fact, h, isPhone, isTyping, onKeys } from '../elements/dom.ts';
import { oneStop } from '../elements/one-stop.ts';
import type { PageFinding, ReportData, Tone } from '../report/report-data.ts';
import { connectionStories } from './connection-story.ts';
import { writeLink } from './link.ts';

const marks = { good: '✓', warning: '!', bad: '✗' } as const;

/** Begins a page without anything on it. */
export function beginPage({ name }: ReportData): void {
  beginSession();
  delete document.documentElement.dataset.state;
  document.body.replaceChildren();
  document.body.className = '';
  document.title = `${printable(name)} · tw-snap`;
}

export function heading(reportData: ReportData): HTMLElement {
  const { name, kind, facts, findings, causes = [], connections = [] } = reportData;
  const tone = toneOf(reportData);
  return h(
    'header',
    { class: 'heading' },
    h(
      'div',
      { class: 'title' },
      h('h1', {}, escapeText(name)),
      healthOf(reportData, tone),
      h('span', { class: 'dim' }, kind),
    ),
    facts.length > 0 &&
      h(
        'details',
        { class: 'about' },
        h('summary', { class: 'dim' }, facts.map(({ label, text }) => `${label} ${text}`).join(' · ')),
        h('dl', { class: 'facts' }, ...facts.map(({ label, text }) => fact(label, text))),
        connectionStories(connections),
      ),
    causes.length + findings.length > 0 && findingList(causes, findings, tone),
  );
}

/** What is wrong: the causes, and then all findings. It is one stop of the Tab key. */
function findingList(causes: readonly PageFinding[], findings: readonly PageFinding[], tone: Tone): HTMLElement {
  return oneStop(
    h(
      'div',
      { class: `findings ${tone}`, role: 'region', 'aria-label': 'findings', tabindex: 0 },
      causes.length > 0 &&
        h(
          'ul',
          { class: 'diagnostics mono causes', 'aria-label': 'causes of the findings' },
          ...causes.map(findingLine),
        ),
      findings.length > 0 &&
        h(
          'details',
          { class: 'diagnostics', open: causes.length === 0 },
          h('summary', {}, count(findings.length, 'finding')),
          h('ul', {}, ...groupsOf(findings).map(groupLine)),
        ),
    ),
  );
}

/** Nothing is good above a finding. */
const toneOf = ({ tone, causes = [], findings }: ReportData): Tone =>
  tone === 'good' && causes.length + findings.length > 0 ? 'warning' : tone;

function healthOf({ health, tone, causes = [], findings }: ReportData, shown: Tone): HTMLElement {
  const findingsPart = shown === tone ? '' : `, ${count(causes.length + findings.length, 'finding')}`;
  const [words = '', ...rest] = health.replace(/^✗ /, '').split(`, ${unconfirmed}`);
  // A phone has no room for it.
  const more = rest.length > 0 ? h('span', { class: 'unconfirmed' }, `, ${unconfirmed}${rest.join('')}`) : '';
  return h('span', { class: `health ${shown}`, title: health }, `${marks[shown]} ${words}`, more, findingsPart);
}

/** The findings with the same cause: that which is named, or else the same words with other numbers. */
function groupsOf(findings: readonly PageFinding[]): PageFinding[][] {
  const groups = new Map<string, PageFinding[]>();
  for (const finding of findings) {
    const cause = (finding.details[0] ?? finding.text).replace(/-?\d[\d,]*/g, '#');
    getOr(groups, cause, () => []).push(finding);
  }
  return [...groups.values()];
}

function groupLine(group: readonly PageFinding[], number: number): HTMLElement {
  const [first, ...rest] = group;
  const line = findingLine(first!, number);
  if (rest.length > 0)
    line.append(
      h(
        'details',
        {},
        h('summary', {}, `${thousands(rest.length)} more of this cause`),
        h('ul', {}, ...rest.map(findingLine)),
      ),
    );
  return line;
}

/**
 * A finding, with a link to its tick and item. The details of the first are open, unless they would push the picture
 * out of a phone.
 */
function findingLine({ text, track, tick, item, details }: PageFinding, number: number): HTMLElement {
  const href =
    tick === undefined || tick < 0 ? undefined : writeLink({ client: track || undefined, view: 'inspect', tick, item });
  return h(
    'li',
    {},
    href === undefined ? text : h('a', { href, title: 'show this tick' }, text),
    details.length > 0 &&
      h(
        'details',
        { open: number === 0 && !isPhone() },
        h('summary', {}, 'details'),
        h('ul', { class: 'suspects' }, ...details.map((line) => h('li', {}, line))),
      ),
  );
}

const keys: readonly (readonly [keys: string, what: string])[] = [
  ['space', 'play, pause'],
  ['← →', 'one snapshot back, forward'],
  ['< >', 'one second back, forward'],
  ['n p', 'to the next, previous event or finding'],
  ['[ ]', 'play from here, up to here'],
  ['w i', 'watch: the picture large; inspect: items, bytes and records beside it'],
  ['f', 'the picture alone, on the whole screen'],
  ['Ctrl F', 'find; enter and shift-enter go to the next and previous result'],
  ['+ − 0', 'in the map and the timeline: zoom in, out, all; so does the wheel with Ctrl, or after a click'],
  ['← → ↑ ↓', 'in the map and the timeline: move; in the bytes: from value to value'],
  ['?', 'these keys'],
];

/** Lists the keyboard shortcuts, which `?` shows too, and names the program that made the page. */
export function footer(hasTicks: boolean): HTMLElement {
  const list = keys.map(([key, what]) => fact(h('kbd', {}, key), what));
  const close = button('close', 'close the list of keys', () => dialog.close());
  const dialog = h('dialog', { 'aria-label': 'keys' }, h('dl', { class: 'facts' }, ...list), close);
  const show = () => dialog.showModal();
  onKeys(document, { '?': show }, (event) => !isTyping(event));
  const shown = hasTicks && button('keys (?)', 'list the keys', show);
  return h('footer', { class: 'dim' }, dialog, shown, h('span', {}, `made by tw-snap ${VERSION}`));
}
