import { itemsJson } from '../../../src/output/json/item-json.ts';
import type { Protocol } from '../../../src/wire/protocol/registry.ts';
import { ItemTypes } from '../../../src/wire/snapshot/item-types.ts';
import type { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { same } from '../checks.ts';

/** Checks that a line of `dump -t ndjson`, whose text is made by a fast path, has the items as made one by one. */
export function isSnapshotLine(line: string, snapshot: Snapshot, protocol: Protocol): void {
  const types = new ItemTypes(protocol).onSnapshot(snapshot);
  const items = itemsJson({ snapshot, types });
  const { items: reported, crc } = JSON.parse(line) as { readonly items: unknown; readonly crc: number };
  same(JSON.stringify(reported), JSON.stringify(items), 'ndjson: other items');
  same(String(crc), String(snapshot.checksum()), 'ndjson: another checksum');
}

/** A line of `dump -t ndjson`, which is UTF-8 if it contains items. */
export const lineText = (line: string | Uint8Array) =>
  typeof line === 'string' ? line : new TextDecoder().decode(line);
