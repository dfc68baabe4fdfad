import type { ItemType } from '../../src/protocol/item.ts';
import { DemoSummary } from '../../src/recording/demo-summary.ts';
import { exit } from '../lib/errors.ts';
import type { Opened } from '../lib/input/open.ts';
import { readRecords } from '../lib/input/read-records.ts';

/** Of a table as CSV. */
export type Cell = string | number | undefined;

/** What `info` has gathered of a demo. */
export interface GatheredDemo {
  readonly format: 'demo';
  readonly file: string;
  readonly bytes: number;
  readonly demo: DemoSummary;
  readonly status: number;
}

export async function gatherDemo(opened: Opened, added: readonly ItemType[]): Promise<GatheredDemo> {
  const demo = new DemoSummary();
  const replay = opened.format!.open({ extraItems: added });
  const { bytes, failure } = await readRecords(opened, replay, (record) => demo.add(record));
  if (failure) throw failure;
  demo.finish();
  const status = demo.health.state === 'healthy' ? exit.fine : exit.unreadable;
  return { format: 'demo', file: opened.name, bytes, demo, status };
}

/** The columns of {@link demoCells}. */
export const demoHead = [
  'file',
  'size',
  'health',
  'version',
  'protocol',
  'type',
  'map',
  'timestamp',
  'length',
  'seconds',
  'first_tick',
  'last_tick',
  'snapshots',
  'keyframes',
  'deltas',
  'messages',
  'players',
  'markers',
];

/** A demo as a row of a table. */
export function demoCells({ file, bytes, demo }: GatheredDemo): Cell[] {
  const { header } = demo;
  return [
    file,
    bytes,
    demo.health.state,
    header?.version,
    demo.protocol?.version,
    header?.type,
    header?.mapName,
    header?.timestamp,
    header?.length,
    demo.seconds,
    demo.firstTick,
    demo.lastTick,
    demo.keyframes + demo.deltas,
    demo.keyframes,
    demo.deltas,
    demo.messageCount,
    demo.names.seen.size,
    header?.markers.length,
  ];
}
