import { expect, it } from 'vitest';
import { itemVersions } from '../../../src/page/data/item-versions.ts';
import { Recording } from '../../../src/page/data/shown-recording.ts';
import { keyOf } from '../../../src/wire/snapshot/key.ts';
import { dumped, pageDataOf } from '../../support/report.ts';
import { read } from '../../support/samples.ts';

it('has an item as the base has it, as it was sent, and as dump prints it', async () => {
  const capture = read('duplicate-key.pcap');
  const reportData = await pageDataOf(capture);
  const recording = new Recording(reportData);
  const { tick, item } = reportData.findings[0]!;
  expect(item).toBe('obj_client_info/0');
  const position = recording.positionOf(tick!);
  const key = keyOf(recording.protocol.byName('obj_client_info')!.type!, 0);
  const versions = itemVersions(recording, position, key);
  expect(versions.map(({ where }) => where)).toEqual(['in the base', 'sent', 'rebuilt']);
  const records = await dumped(capture, '--no-messages');
  const nameAt = (at: number) =>
    records
      .find((one) => one.record === 'snapshot' && one.tick === at)
      .items.find((one: { name: string }) => one.name === 'obj_client_info').fields.name;
  expect(versions.at(-1)!.values.get('name')).toBe(nameAt(tick!));
  expect(versions[0]!.values.get('name')).toBe(nameAt(220));
});
