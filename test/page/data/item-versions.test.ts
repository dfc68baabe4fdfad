import { expect, it } from 'vitest';
import { clipCommand, commandOn } from '../../../src/page/command.ts';
import { itemVersions } from '../../../src/page/data/item-versions.ts';
import { Recording } from '../../../src/page/data/recording.ts';
import { keyOf } from '../../../src/snapshot/key.ts';
import { dumped, report, reportDataOf } from '../../support/report.ts';
import { read } from '../../support/samples.ts';

it('has an item as the base has it, as it was sent, and as dump prints it', async () => {
  const capture = read('duplicate-key.pcap');
  const reportData = reportDataOf((await report(capture)).page);
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

it('names the command lines that show a snapshot and cut out what is around it', async () => {
  const reportData = { ...reportDataOf((await report(read('vanilla-dm1.demo'))).page), name: 'my match.demo' };
  const recording = new Recording(reportData);
  const state = { recording, position: recording.positionOf(9326), repeated: undefined };
  expect(commandOn('decode', reportData, state)).toBe("tw-snap decode 'my match.demo@9326'");
  // Five seconds before and three after it, of 50 ticks each.
  expect(clipCommand(reportData, state)).toBe("tw-snap slice 'my match.demo' --ticks 9076..9476 -o clip.demo");
  const range = { ...state, repeated: { from: 9000, to: 9100 } };
  expect(clipCommand(reportData, range)).toBe("tw-snap slice 'my match.demo' --ticks 9000..9100 -o clip.demo");
  const capture = reportDataOf((await report(read('duplicate-key.pcap'))).page);
  const ofCapture = { recording: new Recording(capture), position: 0, repeated: undefined };
  expect(clipCommand(capture, ofCapture)).toBeUndefined();
});
