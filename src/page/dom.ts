type Child = Node | string | undefined | false;
/** Handlers begin with `on`; a value of true is an attribute without one, false and undefined are none. */
type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: never) => void)>>;

/** An element. Text becomes text nodes: words of strangers stay words. */
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

/** A value of the style sheet, by its name: `--dim`. */
export const styled = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Whether somebody types: keys then are letters. */
export const isTyping = ({ target }: Event) =>
  target instanceof HTMLElement && target.matches('input:not([type=range], [type=checkbox]), select, textarea');

/** Runs at most once a frame, with what it was called with last. */
export function onceAFrame<Args extends readonly unknown[]>(run: (...args: Args) => void): (...args: Args) => void {
  let waiting: Args | undefined;
  return (...args) => {
    if (!waiting) requestAnimationFrame(() => run(...take()));
    waiting = args;
  };
  function take(): Args {
    const args = waiting!;
    waiting = undefined;
    return args;
  }
}

/** Lets the page answer, then goes on. */
export const pause = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Calls when an element's width has changed. */
export function onWidth(element: HTMLElement, run: (width: number) => void): void {
  let last = 0;
  new ResizeObserver(() => {
    const width = element.clientWidth;
    if (width === 0 || width === last) return;
    last = width;
    run(width);
  }).observe(element);
}

/** Calls when light turns to dark, or back. */
export function onScheme(run: () => void): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', run);
}
