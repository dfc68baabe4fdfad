/** A cache of custom properties of the style sheet, because drawing reads them many times in each frame. */
const known = new Map<string, string>();

/** The value of a custom property of the style sheet, such as `--dim`; empty if there is none. */
export function styled(name: string): string {
  let value = known.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    known.set(name, value);
  }
  return value;
}

/** Clears the cache. It must be called when the colour scheme has changed. */
export const forgetColours = () => known.clear();
