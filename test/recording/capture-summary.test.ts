import { describe, expect, it } from 'vitest';
import { CaptureReader } from '../../src/container/capture/reader.ts';
import { fitPacket } from '../../src/packet/version.ts';
import { CaptureReplay } from '../../src/recording/capture.ts';
import { CaptureSummary } from '../../src/recording/capture-summary.ts';
import { Connection } from '../../src/recording/connection.ts';
import { NetlogReplay } from '../../src/recording/netlog.ts';
import { perSecond, SnapshotRates, secondsOf } from '../../src/recording/snapshot-rates.ts';
import { netlogOf } from '../support/capture-builder.ts';
import { corpusFile, goldenCaptures, hasCorpus, samplePcap } from '../support/corpus.ts';
import { read } from '../support/samples.ts';

function summed(bytes: Uint8Array, replay: CaptureReplay | NetlogReplay = new CaptureReplay(), client?: string) {
  const capture = new CaptureSummary(client);
  for (const record of replay.feed(bytes)) capture.add(record);
  for (const record of replay.finish()) capture.add(record);
  return capture;
}

const total = (capture: CaptureSummary, of: (one: CaptureSummary['connections'][number]) => number) =>
  capture.connections.reduce((sum, one) => sum + of(one), 0);

describe('summary of a capture', () => {
  it('counts what other programs count', { timeout: 60_000 }, () => {
    for (const [name, golden] of goldenCaptures()) {
      const replay = new CaptureReplay();
      const capture = summed(corpusFile(name), replay);
      const counts = {
        packets: replay.datagrams!.total,
        snaps: capture.snapshots,
        empty: total(capture, ({ kinds }) => kinds.empty),
        ok: total(capture, ({ outcomes }) => outcomes.ok),
        mismatch: total(capture, ({ outcomes }) => outcomes.mismatch),
        undecodable: capture.undecodable,
        mapChanges: total(capture, ({ connection }) => connection.mapChanges),
      };
      const { packets, snaps, empty, ok, undecodable, mapChanges } = golden;
      expect({ name, ...counts }).toEqual({ name, packets, snaps, empty, ok, mismatch: 0, undecodable, mapChanges });
    }
  });

  it('knows players, messages and the rates', () => {
    const [one, ...others] = summed(samplePcap()).connections;
    expect(others).toEqual([]);
    expect(one!.player).toBe('six');
    expect(one!.messages.to_client.get('map_change')).toBe(1);
    expect(one!.messages.to_server.get('cl_startinfo')).toBe(1);
    expect(one!.close).toEqual({ direction: 'to_server', reason: '' });
    const rates = one!.rates.stretches.map((stretch) => [stretch.mode, perSecond(stretch), secondsOf(stretch)]);
    expect(rates).toEqual([
      ['init', 5, 0.44],
      ['full', 25, 17.68],
    ]);
  });

  it('sees a client that says no more: three seconds of deltas, full snapshots once a second, the end after ten', () => {
    const recording = read('vanilla-ctf-timeout.pcap');
    const [{ connection, rates, close, outcomes }] = summed(recording).connections as [
      CaptureSummary['connections'][number],
    ];
    const sent = Array.from(new CaptureReader().feed(recording), ({ time, sourcePort }) => ({ time, sourcePort }));
    expect(sent).toHaveLength(491);
    const lastWord = sent.filter(({ sourcePort }) => sourcePort !== 8303).at(-1)!.time;
    const end = sent.at(-1)!.time;
    expect(end - lastWord).toBeCloseTo(10, 1);
    expect(close).toEqual({ direction: 'to_client', reason: 'Timeout' });
    expect(outcomes).toMatchObject({ ok: 294, mismatch: 0 });
    expect(connection.client).toBe('127.0.0.1:51806');
    const modes = rates.stretches.map((stretch) => [stretch.mode, perSecond(stretch)]);
    expect(modes).toEqual([
      ['init', 5],
      ['full', 25],
      ['recovery', 1],
    ]);
    const [, , recovery] = rates.stretches;
    // From three seconds on; the last of them comes up to a second before the end.
    expect(secondsOf(recovery!)).toBeGreaterThan(end - lastWord - 3 - 1);
    expect(secondsOf(recovery!)).toBeLessThan(end - lastWord - 3);
  });

  it('names a player by the snapshots where the beginning was not captured', () => {
    const sample = samplePcap();
    const header = sample.slice(0, 24);
    const view = new DataView(sample.buffer);
    let at = 24;
    // Before any map and name, but with the first full snapshot.
    for (let i = 0; i < 10; i++) at += 16 + view.getUint32(at + 8, true);
    const capture = summed(Uint8Array.from([...header, ...sample.subarray(at)]));
    expect(capture.connections.map(({ player }) => player)).toEqual(['six']);
  });

  it.skipIf(!hasCorpus)('counts each resent chunk, and none as lost that is there (needs ../shared/corpus)', () => {
    const { connections } = summed(corpusFile('06-ddnet-loss.pcap'));
    const counts = connections.flatMap(({ connection }) => [
      connection.counts('to_client'),
      connection.counts('to_server'),
    ]);
    expect(counts.reduce((sum, { resent }) => sum + resent, 0)).toBe(53);
    expect(counts.reduce((sum, { lost }) => sum + lost, 0)).toBe(0);
  });

  it.skipIf(!hasCorpus)('gives the reason of a server that closes (needs ../shared/corpus)', () => {
    const { connections } = summed(corpusFile('06-ddnet-dm1-34players-oneclient.pcap'));
    expect(connections[0]!.close).toEqual({
      direction: 'to_client',
      reason: '0.7 connections are not accepted at this time',
    });
  });

  it('keeps to one client', () => {
    expect(summed(samplePcap(), undefined, '[::1]:1').connections).toEqual([]);
    expect(summed(samplePcap(), undefined, '[::1]:29911').connections.length).toBe(1);
  });
});

describe('rates of snapshots', () => {
  const modes = (rates: SnapshotRates) =>
    rates.stretches.map((one) => [one.mode, perSecond(one), secondsOf(one), one.snapshots]);

  it('are 5 a second until one is acknowledged, 25 then, and 1 while nothing is', () => {
    const rates = new SnapshotRates();
    for (let tick = 100; tick <= 130; tick += 10) rates.add(tick, true);
    for (let tick = 132; tick <= 232; tick += 2) rates.add(tick, false);
    for (const tick of [234, 250, 300, 350]) rates.add(tick, true);
    for (let tick = 352; tick <= 402; tick += 2) rates.add(tick, false);
    expect(modes(rates)).toEqual([
      ['init', 5, 0.64, 4],
      ['full', 25, 2.04, 51],
      ['recovery', 1, 2.36, 4],
      ['full', 25, 1, 26],
    ]);
  });

  it('are 50 with high bandwidth', () => {
    const rates = new SnapshotRates();
    for (let tick = 0; tick <= 50; tick++) rates.add(tick, false);
    expect(modes(rates)).toEqual([['full', 50, 1, 51]]);
  });

  it('begin again with another map, and take no notice of what comes late', () => {
    const rates = new SnapshotRates();
    for (const tick of [500, 502, 504, 500, 502, 506]) rates.add(tick, false);
    for (const tick of [10, 20]) rates.add(tick, true, 1);
    expect(modes(rates)).toEqual([
      ['full', 25, 0.12, 4],
      ['init', 5, 0.2, 2],
    ]);
  });

  it('of a recording that begins in a recovery', () => {
    const rates = new SnapshotRates();
    for (const tick of [50, 100, 150]) rates.add(tick, true);
    expect(modes(rates)).toEqual([['recovery', 1, 2, 3]]);
  });
});

describe('log of the network', () => {
  /** One direction of a capture, as the games log it. */
  const sides = (bytes: Uint8Array) => {
    const sent: Uint8Array[] = [];
    const received: Uint8Array[] = [];
    for (const frame of new CaptureReader().feed(bytes)) {
      if (frame.kind !== 'datagram') continue;
      const packet = frame.bytes.slice(frame.start, frame.end);
      if (fitPacket(packet)[0].packet?.kind === 'connless') continue;
      (frame.destinationPort === 8304 ? sent : received).push(packet);
    }
    return { sent: netlogOf(sent), received: netlogOf(received) };
  };

  it('gives the snapshots of what a client received, all rebuilt', () => {
    const whole = summed(samplePcap()).connections[0]!;
    const [one, ...others] = summed(sides(samplePcap()).received, new NetlogReplay()).connections;
    expect(others).toEqual([]);
    expect(one!.snapshots).toBe(whole.snapshots);
    expect(one!.outcomes).toEqual(whole.outcomes);
    expect(one!.messages.to_client).toEqual(whole.messages.to_client);
    expect(one!.connection.version).toBe('0.6');
  });

  it('gives the messages of what a client sent', () => {
    const whole = summed(samplePcap()).connections[0]!;
    const [one] = summed(sides(samplePcap()).sent, new NetlogReplay()).connections;
    expect(one!.messages.to_server).toEqual(whole.messages.to_server);
    expect(one!.player).toBe('six');
  });
});

it('of 200,000 connections reports when they begin and end', () => {
  const capture = new CaptureSummary();
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
