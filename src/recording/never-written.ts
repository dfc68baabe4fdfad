import type { Code } from '../bytes/diagnostic.ts';
import { deltas } from '../games/deltas.ts';
import { demos } from '../games/demos.ts';
import { ints } from '../games/ints.ts';
import { snapshots } from '../games/snapshots.ts';

/** What the games accept in snapshots and chunks of demos, but do not record: signs of damage. */
export const neverWritten: ReadonlySet<Code> = new Set(
  [ints, deltas, snapshots, demos].flatMap(({ checks }) =>
    checks.flatMap(({ code, isNeverWritten }) => (isNeverWritten && code ? [code] : [])),
  ),
);
