import { expect } from 'vitest';
import { corpusFile } from './corpus.ts';
import { recordedDemo } from './demos.ts';
import { contentsOf, differingTicks } from './edit.ts';
import { runWriting } from './run.ts';

/** A capture and the demo that one of its clients recorded at the same time, with the number of its snapshots. */
export type RecordedBeside = readonly [capture: string, client: string, demo: string, count: number];

/** The demo that is extracted of a capture has the items of the one that the client recorded itself. */
export async function expectSameItems(capture: string, client: string, demo: string, count: number): Promise<void> {
  const { status, files } = await runWriting(`extract a.pcap --demo --client ${client} -o a.demo`, {
    'a.pcap': corpusFile(capture),
  });
  expect(status).toBe(0);
  const [now, truth] = [contentsOf(files.get('a.demo')!), contentsOf(recordedDemo(demo)!)];
  expect(now.diagnostics).toEqual([]);
  expect([...truth.snapshots.keys()].filter((tick) => !now.snapshots.has(tick))).toEqual([]);
  // The order of items depends on where a recording has its full snapshots.
  expect(differingTicks(truth, now, 'any order')).toEqual([]);
  expect(truth.snapshots.size).toBe(count);
  const { mapName, mapCrc, mapSize, sha256, version, netVersion } = truth.header;
  // If the client already had the map, the capture lacks it.
  const size = now.mapBytes > 0 ? mapSize : 0;
  const known = { mapName, mapCrc, mapSize: size, version, netVersion, ...(sha256 ? { sha256 } : {}) };
  expect(now.header).toMatchObject(known);
}
