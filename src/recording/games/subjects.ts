import type { Subject } from './check.ts';
import { connections } from './connections.ts';
import { deltas } from './deltas.ts';
import { demos } from './demos.ts';
import { ghosts } from './ghosts.ts';
import { ints } from './ints.ts';
import { items } from './items.ts';
import { messages } from './messages.ts';
import { packets } from './packets.ts';
import { snapshots } from './snapshots.ts';

/** All subjects, in the order of the documentation. */
export const subjects: readonly Subject[] = [
  ints,
  deltas,
  snapshots,
  items,
  demos,
  ghosts,
  messages,
  packets,
  connections,
];
