import { expect, it } from 'vitest';
import { TrackReading } from '../../src/page/report/read-track.ts';
import { protocolOf } from '../../src/wire/protocol/registry.ts';
import { Recording } from '../support/recording.ts';

it('a text that a server says again has one line, with how often', () => {
  const reading = new TrackReading(protocolOf('0.7'), []);
  const recording = new Recording('0.7');
  for (const [i, said] of ['run', 'run', 'stop', 'run'].entries()) {
    recording
      .tick(100 + 50 * i)
      .message('sv_broadcast', said)
      .message('sv_chat', 0, -1, -1, `line ${i}`)
      .snapshot();
  }
  let tick = -1;
  for (const record of recording.records) {
    if (record.record === 'tick') tick = record.tick;
    else if (record.record === 'message') reading.onMessage(record, tick);
    else if (record.record === 'snapshot')
      reading.onSnapshot({ ...record, stream: { protocol: protocolOf('0.7') } } as never);
  }
  const lines = reading.finish().events.map(({ tick, parts }) => `${tick} ${parts.map(({ text }) => text).join('')}`);
  expect(lines.filter((line) => line.includes('broadcast'))).toEqual([
    '100 2 × broadcast: run',
    '200 broadcast: stop',
    '250 broadcast: run',
  ]);
  expect(lines.filter((line) => line.includes('***'))).toHaveLength(4);
});
