import { expect, it } from 'vitest';
import { CaptureReplay } from '../../../src/recording/capture/capture-replay.ts';
import { Connection } from '../../../src/recording/capture/connection.ts';
import { RecordingSummary } from '../../../src/recording/summary/recording-summary.ts';

it('a summary of 200,000 connections has their begin and end', () => {
  const capture = new RecordingSummary(new CaptureReplay());
  const count = 200_000;
  for (let i = 0; i < count; i++) {
    const connection = new Connection(i + 1, `10.0.0.1:${i}`, '10.0.0.2:8303', 1000 + i, {
      begins: true,
      version: '0.6',
    });
    capture.add({ record: 'connection', time: 1000 + i, frame: i, stream: connection });
  }
  expect([capture.firstTime, capture.seconds]).toEqual([1000, count - 1]);
});
