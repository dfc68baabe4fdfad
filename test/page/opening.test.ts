import { expect, it } from 'vitest';
import type { PageFinding, ReportData } from '../../src/page/report/report-data.ts';
import { firstPlace, missingOf, openedTrack, trackOf } from '../../src/page/views/opening.ts';
import { pageDataOf } from '../support/report.ts';
import { read } from '../support/samples.ts';

const demo = await pageDataOf(read('vanilla-dm1.demo'));
const capture = await pageDataOf(read('duplicate-key.pcap'));
const finding = (place: Partial<PageFinding>): PageFinding => ({ text: 'wrong', details: [], ...place });

it('opens where the address says, before anything else', () => {
  const asked = { tick: 9326 };
  expect(firstPlace({ ...demo, findings: [finding({ track: '', tick: 9000 })] }, asked)).toBe(asked);
});

it('opens at the first cause or finding with a tick', () => {
  const findings = [finding({}), finding({ track: '', tick: 9000, item: 'obj_flag/0' })];
  expect(firstPlace({ ...demo, findings }, {})).toMatchObject({ tick: 9000, item: 'obj_flag/0' });
  const causes = [finding({ track: '', tick: 9100 })];
  expect(firstPlace({ ...demo, findings, causes }, {}).tick).toBe(9100);
  expect(firstPlace(demo, {}).tick).toBeUndefined();
});

it('opens the track that is named, or the one with most rebuilt snapshots', () => {
  const [track] = capture.tracks;
  const tracks = [{ ...track!, name: 'a:1' }, { ...track!, name: 'b:2' }, track!];
  const connections = [{ client: 'b:2', player: undefined, version: '0.6', rebuilt: 1e6, counts: {}, story: [] }];
  const both: ReportData = { ...capture, tracks, connections };
  expect(trackOf(both, { client: 'a:1' })).toBe(0);
  expect(trackOf(both, { client: 'not there' })).toBe(1);
  expect(trackOf(both, {})).toBe(1);
});

it('says what of a link is not there', () => {
  const { recording, position } = openedTrack(demo, 0, { tick: 9327 });
  const inspected = { items: [{ link: 'obj_flag/0' }] } as never;
  const state = { recording, position, inspected };
  expect(missingOf({ tick: 9327 }, state)).toBe('There is no snapshot of tick 9327: this is tick 9326.');
  expect(missingOf({ tick: 9326, item: 'obj_flag/1' }, state)).toBe('There is no obj_flag 1 in this snapshot.');
  expect(missingOf({ tick: 9326, item: 'obj_flag/0' }, state)).toBe('');
});
