import { describe, expect, it } from 'vitest';
import { build, item, items, readCapture, readDemo, type Snapshot, writeDemo } from '../../src/api/index.ts';
import { summaryOf } from '../../src/api/match.ts';
import { read as sample } from '../support/samples.ts';

const hasCharacter = ({ snapshot }: { snapshot?: Snapshot | undefined }) =>
  snapshot !== undefined && !items(snapshot, '0.6', 'obj_character').next().done;
const json = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

describe('the summary of a recording', () => {
  it.each(['vanilla-dm1.demo', 'ddnet-ipv6.pcap', 'duplicate-key.pcap'])(
    '%s is a plain object with complete JSON',
    (name) => {
      const summary = summaryOf(sample(name));
      expect(json(summary)).toEqual(summary);
      expect(Object.keys(summary)).toEqual(
        expect.arrayContaining(['container', 'health', 'seconds', 'counts', 'streams', 'findings', 'diagnostics']),
      );
      expect(JSON.stringify(summary)).not.toMatch(/:null|NaN/);
    },
  );

  it('has what the demo has', () => {
    const file = sample('vanilla-dm1.demo');
    const { header, map, streams, health } = summaryOf(file);
    const kinds = [...readDemo(file)].flatMap((entry) => (entry.record === 'snapshot' ? [entry.kind] : []));
    const [snapshot, delta] = ['snapshot', 'delta'].map((kind) => kinds.filter((entry) => entry === kind).length);
    expect(header).toMatchObject({ mapName: 'dm1', netVersion: '0.7 802f1be60a05665f' });
    expect(map).toMatchObject({ bytes: header!.mapSize, crc: header!.mapCrc, isRight: true });
    expect(streams).toMatchObject([{ client: '', version: '0.7', snapshots: { snapshot, delta } }]);
    expect(health.state).toBe('healthy');
  });

  it('compares the checksums that messages of a demo announce, of a file and of records', () => {
    const records = [...readDemo(sample('ddnet-race-player.demo'))];
    const snapshots = records.filter(({ record }) => record === 'snapshot').length;
    const changed = records.findIndex((entry) => entry.record === 'snapshot' && entry.tick > 0 && hasCharacter(entry));
    const entry = records[changed] as Extract<(typeof records)[number], { record: 'snapshot' }>;
    const { id } = [...items(entry.snapshot!, '0.6', 'obj_character')][0]!;
    const { x } = item(entry.snapshot!, '0.6', 'obj_character', id)!.fields;
    const snapshot = build('0.6', entry.snapshot!)
      .set('obj_character', id, { x: x + 1 })
      .build();
    const wrong = writeDemo(records.with(changed, { ...entry, snapshot } as typeof entry));
    for (const [recording, mismatched] of [
      [records, 0],
      [wrong, 1],
      [readDemo(wrong), 1],
    ] as const) {
      const { health, streams } = summaryOf(recording);
      expect(streams[0]!.outcomes).toMatchObject({ matched: snapshots - mismatched, mismatched });
      expect(health.state).toBe(mismatched ? 'mismatched' : 'healthy');
    }
    // The message comes later than the record.
    for (const entry of readDemo(wrong)) if (entry.record === 'snapshot') expect(entry.verdict).toBe('unchecked');
  });

  it('comes from a Blob and from records, too', async () => {
    const file = sample('ddnet-ipv6.pcap');
    const expected = summaryOf(file);
    expect(await summaryOf(new Blob([file]))).toEqual(expected);
    const { container: _, datagrams: __, ...rest } = expected;
    expect(summaryOf(readCapture(file))).toMatchObject({ ...rest, container: 'unknown' });
  });
});
