import { describe, expect, it } from 'vitest';
import { summaryOf } from '../../src/api/match.ts';
import { readCapture, readDemo } from '../../src/index.ts';
import { read as sample } from '../support/samples.ts';

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
    const [snapshot, delta] = ['snapshot', 'delta'].map((kind) => kinds.filter((one) => one === kind).length);
    expect(header).toMatchObject({ mapName: 'dm1', netVersion: '0.7 802f1be60a05665f' });
    expect(map).toMatchObject({ bytes: header!.mapSize, crc: header!.mapCrc, isRight: true });
    expect(streams).toMatchObject([{ client: '', version: '0.7', snapshots: { snapshot, delta } }]);
    expect(health.state).toBe('healthy');
  });

  it('comes from a Blob and from records, too', async () => {
    const file = sample('ddnet-ipv6.pcap');
    const expected = summaryOf(file);
    expect(await summaryOf(new Blob([file]))).toEqual(expected);
    const { container: _, datagrams: __, ...rest } = expected;
    expect(summaryOf(readCapture(file))).toMatchObject({ ...rest, container: 'unknown' });
  });
});
