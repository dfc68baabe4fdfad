import { count } from '../../output/text/number.ts';
import { getOr } from '../../wire/bytes/get-or.ts';

type Child = Node | string | undefined | false;
/**
 * The names of event handlers begin with `on`. True sets an attribute without a value; false and undefined leave it
 * out.
 */
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
    else if (name === 'class') element.className = String(value || '');
    else if (value === true) element.setAttribute(name, '');
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

/*
 * What is drawn again at each step is changed and not made anew, and only where it differs: also an attribute that gets
 * its own value again makes the browser look what it changes.
 */

/** Changes the text of an element that has only text. */
export function setText(element: Element, text: string): void {
  const node = element.firstChild as Text | null;
  if (!node) element.append(text);
  else if (node.data !== text) node.data = text;
}

/** @param value undefined removes it */
export function setAttribute(element: Element, name: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

export function setClass(element: Element, name: string): void {
  if (element.className !== name) element.className = name;
}

/** A name and what is said of it, in a list of facts. */
export const fact = (name: Node | string, text: string, style?: string): HTMLElement =>
  h('div', {}, h('dt', { class: 'dim' }, name), h('dd', { class: style }, text));

/** A button with a text, or with a sign and what it does: that is then all that is read aloud. */
export const button = (
  text: string,
  label: string | undefined,
  onclick: () => void,
  name?: string,
): HTMLButtonElement =>
  h(
    'button',
    { type: 'button', class: name, title: label, onclick },
    label === undefined ? text : h('span', { 'aria-hidden': 'true' }, text),
  );

export function swatch(name: string, colour: string): HTMLElement {
  const element = h('span', { class: name });
  element.style.background = colour;
  return element;
}

/**
 * A section of the page: its title in a bar, with `tools` beside it, and its content. The title's button closes and
 * opens it.
 */
export function section(
  name: string,
  title: string,
  tools: readonly Child[],
  ...content: readonly Child[]
): HTMLElement {
  const toggle = h('button', { type: 'button', class: 'toggle', 'aria-expanded': 'true' }, title);
  toggle.addEventListener('click', () => {
    toggle.setAttribute('aria-expanded', String(!element.classList.toggle('is-closed')));
  });
  const bar = h('div', { class: 'bar' }, h('h2', {}, toggle), ...tools);
  const element = h('section', { class: name, 'aria-label': title }, bar, ...content);
  return element;
}

/** A `details` element whose body is drawn when it is first open. */
export function lazyDetails(
  attributes: Attributes,
  summary: HTMLElement,
  body: HTMLElement,
  draw: () => readonly (Node | string)[],
): HTMLDetailsElement {
  const element = h('details', attributes, summary, body);
  const fill = () => {
    if (element.open && !body.hasChildNodes()) body.append(...draw());
  };
  fill();
  element.addEventListener('toggle', fill);
  return element;
}

/**
 * Appends the first lines to a list, and then by a button at its end up to four times as many.
 * @param noun what the lines are: `item`
 * @returns a function that appends lines until there are so many
 */
export function growList(
  list: HTMLElement,
  length: number,
  noun: string,
  lineOf: (i: number) => HTMLElement,
  first: number,
): (wanted: number) => void {
  let drawn = 0;
  const more = h('button', { type: 'button', class: 'more dim', onclick: () => draw(4 * drawn) });
  const end = list.matches('ul, ol') ? h('li', {}, more) : more;
  const draw = (wanted: number) => {
    const lines: HTMLElement[] = [];
    for (; drawn < Math.min(length, wanted); drawn++) lines.push(lineOf(drawn));
    if (lines.length === 0 && end.isConnected) return;
    end.remove();
    list.append(...lines);
    if (drawn === length) return;
    more.textContent = count(length - drawn, `more ${noun}`);
    list.append(end);
  };
  draw(first);
  return draw;
}

/** Whether a key was pressed in a text field. It is not a shortcut then. */
export const isTyping = ({ target }: Event) =>
  target instanceof HTMLElement &&
  target.matches('input:not([type=range], [type=checkbox], [type=file]), select, textarea');

/** Whether the focused element handles a key itself. */
export const isOwnKey = ({ target, key }: KeyboardEvent) =>
  target instanceof HTMLElement &&
  ((key === ' ' && target.matches('[type=checkbox], [type=file]')) ||
    (key.startsWith('Arrow') && target.matches('input:not([type=range]), [role=region], [role=group]')));

export function onceAFrame(run: () => void): () => void {
  let frame = 0;
  return () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(run);
  };
}

const { port1: received, port2: sent } = new MessageChannel();

/**
 * Resolves after pending events have been handled. A timer would take 4 ms, and a second on a page in the background.
 */
export const pause = () =>
  new Promise<void>((resolve) => {
    received.addEventListener('message', () => resolve(), { once: true });
    received.start();
    sent.postMessage(undefined);
  });

/** Half of a frame, so that the picture plays on meanwhile. */
const pieceMilliseconds = 8;

/**
 * Does all steps of some work in short pieces, so that the page responds.
 * @param isWanted is called after each pause with what the last step yielded; if it returns false, the work is
 *   abandoned
 */
export async function inPieces<Step, Result>(
  steps: Generator<Step, Result>,
  isWanted: (step: Step) => boolean,
): Promise<Result | undefined> {
  let since = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - since < pieceMilliseconds) continue;
    await pause();
    if (!isWanted(value)) return undefined;
    since = performance.now();
  }
}

/** Calls the function of a pressed key, unless Ctrl, Meta or Alt is held or another handler has used the key. */
export function onKeys(
  target: HTMLElement | Document,
  keys: Readonly<Record<string, (event: KeyboardEvent) => void>>,
  isShortcut: (event: KeyboardEvent) => boolean = () => true,
): void {
  const onKey = (event: KeyboardEvent) => {
    const run = keys[event.key];
    if (!run || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !isShortcut(event)) return;
    event.preventDefault();
    run(event);
  };
  target.addEventListener('keydown', onKey as EventListener, { signal: sessionSignal() });
}

/** A press that moves further than this, in pixels, is a drag and not a click. */
const clickReach = 4;

/**
 * Calls `drag` with the pixels of each movement of a drag, `pinch` with the factor and center of two fingers, or
 * `click`.
 */
export function onPress(
  element: HTMLElement,
  drag: (dx: number, dy: number, event: PointerEvent) => void,
  click: (event: PointerEvent) => void,
  pinch?: (factor: number, x: number, y: number) => void,
): void {
  const down = new Map<number, { x: number; y: number }>();
  let isDrag = false;
  element.addEventListener('pointerdown', ({ button, clientX: x, clientY: y, pointerId }) => {
    if (button !== 0) return;
    if (down.size === 0) isDrag = false;
    down.set(pointerId, { x, y });
    element.setPointerCapture(pointerId);
  });
  element.addEventListener('pointermove', (event) => {
    const { clientX: x, clientY: y, pointerId } = event;
    const last = down.get(pointerId);
    if (!last) return;
    isDrag ||= down.size > 1 || Math.hypot(x - last.x, y - last.y) > clickReach;
    if (!isDrag) return;
    const other = [...down].find(([id]) => id !== pointerId)?.[1];
    if (other && pinch) {
      const { left, top } = element.getBoundingClientRect();
      const before = Math.hypot(last.x - other.x, last.y - other.y);
      pinch(
        Math.hypot(x - other.x, y - other.y) / Math.max(1, before),
        (x + other.x) / 2 - left,
        (y + other.y) / 2 - top,
      );
    } else drag(x - last.x, y - last.y, event);
    down.set(pointerId, { x, y });
  });
  const end = (event: PointerEvent) => {
    if (down.delete(event.pointerId) && !isDrag && event.type === 'pointerup') click(event);
  };
  element.addEventListener('pointerup', end);
  element.addEventListener('pointercancel', end);
}

/**
 * Calls `zoom` with the factor by which the wheel enlarges, with Ctrl or after a click on the element. Otherwise the
 * page scrolls.
 */
export function onWheel(element: HTMLElement, zoom: (factor: number, event: WheelEvent) => void): void {
  let isClicked = false;
  element.addEventListener('pointerdown', () => {
    isClicked = true;
  });
  element.addEventListener('pointerleave', () => {
    isClicked = false;
  });
  const onTurn = (event: WheelEvent) => {
    if (event.deltaY === 0 || !(isClicked || event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    zoom(1.2 ** (-event.deltaY / 50), event);
  };
  element.addEventListener('wheel', onTurn, { passive: false });
}

export function onSize(element: HTMLElement, run: (width: number, height: number) => void): void {
  new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = element;
    if (width > 0 && height > 0) run(width, height);
  }).observe(element);
}

/** The distance from the window, in pixels, at which something is drawn although it is not visible yet. */
const soonVisible = 100;
const thresholds = Array.from({ length: 41 }, (_, i) => i / 40);

/**
 * Calls `run` with the part of an element that the window shows, or soon will: where it begins and ends in the element,
 * and its height.
 * @param soon the pixels from the window within which it soon will be
 */
export function onVisible(
  element: HTMLElement,
  run: (from: number, to: number, height: number) => void,
  soon = soonVisible,
): void {
  const onChange = (entries: readonly IntersectionObserverEntry[]) => {
    const { intersectionRect: part, boundingClientRect: whole } = entries.at(-1)!;
    const isShown = part.height > 0;
    run(isShown ? part.top - whole.top : 0, isShown ? part.bottom - whole.top : 0, whole.height);
  };
  const observer = new IntersectionObserver(onChange, { rootMargin: `${soon}px`, threshold: thresholds });
  // Another size does not change the share that is visible: what is observed anew is told again.
  onSize(element, () => {
    observer.unobserve(element);
    observer.observe(element);
  });
}

/** Whether the window is as narrow as a phone's, where the rest of the page are sheets over the picture. */
export const isPhone = (): boolean => matchMedia('(max-width: 700px)').matches;

const darkScheme = () => matchMedia('(prefers-color-scheme: dark)');

export function onScheme(run: () => void): void {
  const onChange = () => {
    known.clear();
    run();
  };
  darkScheme().addEventListener('change', onChange, { signal: sessionSignal() });
}

let current = new AbortController();

/** The signal that is aborted when another file is opened. It removes handlers of the document and the window. */
export const sessionSignal = (): AbortSignal => current.signal;

export function beginSession(): void {
  current.abort();
  current = new AbortController();
}

/** A cache of custom properties of the style sheet, because drawing reads them many times in each frame. */
const known = new Map<string, string>();

/** The value of a custom property of the style sheet, such as `--dim`; empty if there is none. */
export function styled(name: string): string {
  return getOr(known, name, () => {
    const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const [, light, dark] = /^light-dark\((.+), ?(.+)\)$/.exec(text) ?? [];
    return (darkScheme().matches ? dark : light) ?? text;
  });
}
