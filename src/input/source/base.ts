import type { Payload } from '../../wire/payload/payload.ts';
import { Delta } from '../../wire/snapshot/delta.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';

/**
 * How the base of a delta was found: it was `stated`, a recording has it (`recorded`), or it is `empty`, since all
 * updates look like whole items. Differences to an `unknown` base are values of nothing.
 */
type BaseFound = 'stated' | 'recorded' | 'empty' | 'unknown';

/** How the base of a delta was found; undefined for a snapshot, which needs none. */
export function baseFound({ body, base, baseTick, assumesEmptyBase }: Payload): BaseFound | undefined {
  if (!(body instanceof Delta)) return undefined;
  if (!base) return 'unknown';
  if (assumesEmptyBase) return 'empty';
  return baseTick === undefined ? 'stated' : 'recorded';
}

/** The snapshot that a payload is or becomes; undefined for a delta that can't be applied, or whose base is unknown. */
export const snapshotOf = ({ body, result }: Payload): Snapshot | undefined => (body instanceof Delta ? result : body);
