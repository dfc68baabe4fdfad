import { makeConnections } from './connections.ts';
import { makeDeltas } from './deltas.ts';
import { makeDemoChunks } from './demo-chunks.ts';
import { makeDemoWrites } from './demo-writes.ts';
import { makeHuffman } from './huffman.ts';
import { makeInts } from './ints.ts';
import { makeItems } from './items.ts';
import { makeMessages } from './messages.ts';
import { makePackets } from './packets.ts';
import { makePlayedDemos } from './played-demos.ts';
import { makePlayedGhosts } from './played-ghosts.ts';
import { makeSnapshots } from './snapshots.ts';
import { Vectors } from './vector.ts';

let made: Vectors | undefined;

/**
 * All vectors: edges by hand, breadth by seed, and the items and messages of the tables in `src/wire/protocol`. They
 * are made once.
 */
export function makeVectors(): Vectors {
  if (made) return made;
  const vectors = new Vectors();
  makeInts(vectors);
  makeHuffman(vectors);
  makePackets(vectors);
  makeConnections(vectors);
  makeMessages(vectors);
  makeDeltas(vectors);
  makeSnapshots(vectors);
  makeItems(vectors);
  makeDemoChunks(vectors);
  makeDemoWrites(vectors);
  makePlayedDemos(vectors);
  makePlayedGhosts(vectors);
  made = vectors;
  return vectors;
}
