/**
 * `0.6` includes DDNet. DDNet also serves clients of `0.7`, with extended items among those of 0.7.
 *
 * @example
 * ```ts
 * import type { Version } from 'tw-snap/protocol';
 *
 * const version: Version = '0.7';
 * ```
 */
export type Version = '0.5' | '0.6' | '0.7';
/**
 * All protocol versions, oldest first.
 *
 * @example
 * ```ts
 * import { protocolOf, versions } from 'tw-snap/protocol';
 *
 * for (const version of versions) console.log(version, protocolOf(version).items.length);
 * ```
 */
export const versions: readonly Version[] = ['0.5', '0.6', '0.7'];
