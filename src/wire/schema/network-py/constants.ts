import type { Names } from '../../protocol/meaning.ts';
import { evaluated } from '../python/expressions.ts';
import type { Call, Value } from '../python/value.ts';

/** The constants of the sources that are not in the file and the same everywhere. */
const sharedConstants: readonly (readonly [string, number])[] = [
  ['min_int', -(2 ** 31)],
  ['max_int', 2 ** 31 - 1],
  ['MIN_TICK', 0],
  ['MAX_TICK', 0x6fffffff],
  ['WEAPON_GAME', -3],
  ['WEAPON_SELF', -2],
  ['WEAPON_WORLD', -1],
  ['TuneZone::OVERRIDE_NONE', -1],
  ['FinishTime::UNSET', -2],
  ['FinishTime::NOT_FINISHED_MILLIS', -1],
];

/** Those that each mod sets in another file: what they bound is not known. */
export const elsewhere: ReadonlySet<string> = new Set([
  ...['MAX_CLIENTS', 'NUM_WEAPONS', 'NUM_SOUNDS', 'NUM_TUNEZONES', 'TuneZone::NUM'],
]);

export const sharedNames: ReadonlySet<string> = new Set(sharedConstants.map(([name]) => name));

/** The values of names: of the enumerations and flags, and of the C enumerations in `RawHeader`. */
export function constantsOf(
  lists: readonly Call[],
  names: Readonly<Record<string, Names>>,
  header: Value | undefined,
): ReadonlyMap<string, number> {
  const constants = new Map(sharedConstants);
  for (const { args, name: kind } of lists) {
    const [name] = args;
    if (typeof name !== 'string') continue;
    const values = Object.entries(names[name] ?? {});
    for (const [value, text] of values) constants.set(`${name}_${text.toUpperCase()}`, Number(value));
    if (kind === 'Enum' && values.length > 0)
      constants.set(`NUM_${name}S`, Math.max(...values.map(([value]) => Number(value))) + 1);
  }
  if (typeof header !== 'string') return constants;
  const code = header.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ' ');
  for (const [, body] of code.matchAll(/\benum\b[^{};]*\{([^}]*)\}/g)) {
    let next = 0;
    for (const entry of body!.split(',')) {
      const [, name, text] = /^\s*([A-Za-z_]\w*)\s*(?:=([\s\S]*))?$/.exec(entry) ?? [];
      if (name === undefined) continue;
      const value = text === undefined ? next : evaluated(text.trim(), constants);
      if (value === undefined) break;
      constants.set(name, value);
      next = value + 1;
    }
  }
  for (const [, name, text] of code.matchAll(/^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)[ \t]+([^\n]+)$/gm)) {
    const value = evaluated(text!.trim(), constants);
    if (value !== undefined) constants.set(name!, value);
  }
  return constants;
}
