import { type DemoHeader, draftVersion } from '../container/demo/header.ts';
import type { Protocol } from '../protocol/registry.ts';
import { maxDraftSnapshotBytes } from '../snapshot/key.ts';

/**
 * Whether a demo is what a server recorded for one player, with all messages to that player: such demos have no map. Other demos of
 * servers have the messages to all players, and those of clients no snapshot messages.
 */
export const isPlayerDemo = ({ type, mapSize }: DemoHeader) => type === 'server' && mapSize === 0;

/** A server of DDNet records what it sends to all clients, and also has clients of 0.7. */
export const isServerDemo06 = (header: DemoHeader) =>
  header.type === 'server' && header.mapSize > 0 && !isNet07(header);

/** The protocol of a demo: in version 7 snapshots may be larger. */
export const withLimitOf = (header: DemoHeader | undefined, protocol: Protocol): Protocol =>
  header?.version === draftVersion ? protocol.withMaxSnapshotBytes(maxDraftSnapshotBytes) : protocol;

export const isNet07 = ({ netVersion }: DemoHeader) => netVersion.startsWith('0.7');
