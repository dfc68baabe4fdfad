import { getOr } from '../bytes/get-or.ts';

/** A cache of custom properties of the style sheet, because drawing reads them many times in each frame. */
const known = new Map<string, string>();

/** The value of a custom property of the style sheet, such as `--dim`; empty if there is none. */
export function styled(name: string): string {
  return getOr(known, name, () => getComputedStyle(document.documentElement).getPropertyValue(name).trim());
}

/** Clears the cache. It must be called when the colour scheme has changed. */
export const forgetColours = () => known.clear();
