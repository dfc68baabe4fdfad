import { getOr } from '../bytes/get-or.ts';

type Child = Node | string | undefined | false;
/** The names of event handlers begin with `on`. True sets an attribute without a value; false and undefined leave it out. */
type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: never) => void)>>;

/** Creates an element. Strings become text nodes so that untrusted text is never parsed as HTML. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.replace(/^on/, ''), value as EventListener);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

/** A button with a sign or short text; the label says what it does. */
export const button = (text: string, label: string, onclick: () => void, name?: string): HTMLButtonElement =>
  h('button', { type: 'button', class: name, title: label, 'aria-label': label, onclick }, text);

/** A section of the page: its title in a bar, with `tools` beside it, and its content. */
export const section = (
  name: string,
  [id, title]: readonly [id: string, title: string],
  tools: readonly Child[],
  ...content: readonly Child[]
): HTMLElement =>
  h(
    'section',
    { class: name, 'aria-labelledby': id },
    h('div', { class: 'bar' }, h('h2', { id }, title), ...tools),
    ...content,
  );

/** Whether a key was pressed in a text field. It is not a shortcut then. */
export const isTyping = ({ target }: Event) =>
  target instanceof HTMLElement &&
  target.matches('input:not([type=range], [type=checkbox], [type=file]), select, textarea');

/** Whether the focused element handles a key itself. */
export const isOwnKey = ({ target, key }: KeyboardEvent) =>
  target instanceof HTMLElement &&
  ((key === ' ' && target.matches('button, summary, input, a')) ||
    (key.startsWith('Arrow') && target.matches('input, [role=region], [role=group]')));

/** Wraps a function so that it runs at most once per frame, with the arguments of the last call. */
export function onceAFrame<Args extends readonly unknown[]>(run: (...args: Args) => void): (...args: Args) => void {
  let waiting: Args | undefined;
  return (...args) => {
    if (!waiting) requestAnimationFrame(() => run(...currentArgs()));
    waiting = args;
  };
  function currentArgs(): Args {
    const args = waiting!;
    waiting = undefined;
    return args;
  }
}

/** Resolves after pending events have been handled. */
export const pause = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Calls `run` when the width of an element has changed. */
export function onWidth(element: HTMLElement, run: (width: number) => void): void {
  let last = 0;
  new ResizeObserver(() => {
    const width = element.clientWidth;
    if (width === 0 || width === last) return;
    last = width;
    run(width);
  }).observe(element);
}

/** Calls `run` when the size of an element has changed. */
export function onSize(element: HTMLElement, run: (width: number, height: number) => void): void {
  let [lastWidth, lastHeight] = [0, 0];
  new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = element;
    if (width === 0 || height === 0 || (width === lastWidth && height === lastHeight)) return;
    [lastWidth, lastHeight] = [width, height];
    run(width, height);
  }).observe(element);
}

/** Calls `run` when the colour scheme changes between light and dark. */
export function onScheme(run: () => void): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', run, { signal: sessionSignal() });
}

let current = new AbortController();

/** The signal that is aborted when another file is opened. It removes handlers of the document and the window. */
export const sessionSignal = (): AbortSignal => current.signal;

/** Ends the work and the handlers of the previous file. */
export function beginSession(): void {
  current.abort();
  current = new AbortController();
}

/** A cache of custom properties of the style sheet, because drawing reads them many times in each frame. */
const known = new Map<string, string>();

/** The value of a custom property of the style sheet, such as `--dim`; empty if there is none. */
export function styled(name: string): string {
  return getOr(known, name, () => getComputedStyle(document.documentElement).getPropertyValue(name).trim());
}

/** Clears the cache. It must be called when the colour scheme has changed. */
export const forgetColours = () => known.clear();
