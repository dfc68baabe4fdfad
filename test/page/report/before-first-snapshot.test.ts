import { expect, it } from 'vitest';
import { Tracks } from '../../../src/page/report/tracks.ts';
import { CaptureReplay } from '../../../src/recording/capture/capture-replay.ts';
import { read } from '../../support/samples.ts';

it('what comes before the first snapshot has its time, as in dump --events', () => {
  const replay = new CaptureReplay();
  const tracks = new Tracks({ has: () => true, reach: () => undefined });
  let connected = Number.NaN;
  let first = Number.NaN;
  for (const entry of [...replay.feed(read('vanilla-ctf-timeout.pcap')), ...replay.finish()]) {
    if (entry.record === 'connection') connected = entry.time!;
    if (entry.record === 'snapshot' && Number.isNaN(first)) first = entry.time!;
    tracks.add(entry);
  }
  const [{ events }] = tracks.reads() as [ReturnType<Tracks['reads']>[number]];
  const early = events.flatMap(({ what, seconds }) => (seconds === undefined ? [] : [{ what, seconds }]));
  expect(early[0]).toEqual({ what: 'connect', seconds: connected - first });
  expect(early.map(({ what }) => what)).toContain('accept');
  const times = early.map(({ seconds }) => seconds);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(events.find(({ what }) => what === 'timeout')).not.toHaveProperty('seconds');
});
