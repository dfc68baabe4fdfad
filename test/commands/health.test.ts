import { sha256 } from '@noble/hashes/sha2.js';
import { describe, expect, it } from 'vitest';
import { DemoWriter } from '../../src/recording/container/demo/demo-writer.ts';
import { healthStates } from '../../src/recording/health/health.ts';
import { crc32 } from '../../src/wire/codec/crc32.ts';
import { protocolOf } from '../../src/wire/protocol/registry.ts';
import { Snapshot } from '../../src/wire/snapshot/snapshot.ts';
import { demoFile } from '../support/demo-builder.ts';
import { type DemoChunk, demoChunks } from '../support/demo-chunks.ts';
import { rewritten } from '../support/edit.ts';
import { snapshotOf } from '../support/readers.ts';
import { messageBytes } from '../support/recording.ts';
import { reportDataOf } from '../support/report.ts';
import { runWriting } from '../support/run.ts';
import { read, shortCapture, shortDemo } from '../support/samples.ts';

const demo = shortDemo();
const pcap = shortCapture();

/** The capture without some packets in its middle: snapshots whose base is among these. */
function withGap(): Uint8Array {
  const view = new DataView(pcap.buffer, pcap.byteOffset);
  const records: Uint8Array[] = [];
  for (let at = 24; at < pcap.length; ) {
    const end = at + 16 + view.getUint32(at + 8, true);
    records.push(pcap.subarray(at, end));
    at = end;
  }
  const kept = [pcap.subarray(0, 24), ...records.slice(0, 300), ...records.slice(340)];
  return Uint8Array.from(kept.flatMap((bytes) => [...bytes]));
}

/** Snapshots of 0.7 below a header of 0.6. */
function ofOtherSizes(): Uint8Array {
  const [{ payload }] = demoChunks(demo).chunks as [DemoChunk];
  // Without the tick marker and the head of the first chunk: an absolute tick, and a size of two bytes.
  const head = demo.slice(0, payload.byteOffset - demo.byteOffset - 5 - 3);
  head.set(new TextEncoder().encode('0.6 626fce9a778df4d4'), 8);
  return demoFile(head, [{ tick: 100, snapshot: payload, messages: [] }]);
}

/** A demo with another tick marker at its end, of one step or more, since the games play none of one tick. */
const goingOn = (file: Uint8Array) => Uint8Array.from([...file, 0xa1]);

/** A server's demo for a player, whose messages announce the checksum of its snapshot. */
function playerDemo(announced: number): Uint8Array {
  const writer = new DemoWriter(4);
  const names = { netVersion: '0.6 626fce9a778df4d4', mapName: 'dm1', type: 'server', timestamp: '' };
  writer.header({ ...names, version: 4, mapSize: 0, mapCrc: 0, length: 0, markers: [] });
  const head = writer.flush().slice();
  const messages = [messageBytes('0.6', 'snap_single', [100, 101, announced, 0])];
  // The player whom it was recorded for, whose other ints are 0: the sum is 1.
  const ofPlayer = snapshotOf([protocolOf('0.6').byName('obj_player_info')!.type!, 0, 1, 0, 0, 0, 0]);
  return demoFile(head, [{ tick: 100, snapshot: writer.encode(ofPlayer.toInts()).slice(), messages }]);
}

/** The demo with a delta that changes nothing and has an int too much after it. */
const withExcess = () =>
  rewritten(demo, (writer, chunk) => {
    if (chunk !== 'delta 50') return false;
    writer.chunk('delta', writer.encode(Int32Array.of(0, 0, 0, 7)).slice());
    return true;
  });

/** The same tick twice, each with its full snapshot. */
function withRepeats(): Uint8Array {
  const [{ payload }] = demoChunks(demo).chunks as [DemoChunk];
  const head = demo.slice(0, payload.byteOffset - demo.byteOffset - 5 - 3);
  const chunk = { tick: 100, snapshot: payload, messages: [] };
  return demoFile(head, [chunk, chunk]);
}

/** A demo of version 6, whose header has the sha256 of its map, with some bits of it changed. */
function withHash(change: number): Uint8Array {
  const map = demo.subarray(436, 436 + new DataView(demo.buffer, demo.byteOffset).getUint32(136));
  const hash = sha256(map);
  hash[0]! ^= change;
  const writer = new DemoWriter(6);
  const names = { netVersion: '0.6 626fce9a778df4d4', mapName: 'dm1', type: 'client', timestamp: '' };
  const sums = { mapSize: map.length, mapCrc: crc32(map), sha256: Buffer.from(hash).toString('hex') };
  writer.header({ ...names, ...sums, version: 6, length: 0, markers: [] });
  writer.map(map);
  const head = writer.flush().slice();
  return demoFile(head, [{ tick: 100, snapshot: writer.encode(new Snapshot().toInts()).slice(), messages: [] }]);
}

/** The places of the map's crc and of the stated length in the header. */
const [crcAt, lengthAt] = [140, 152];

const files: Readonly<Record<string, readonly [state: keyof typeof healthStates, status: number, bytes: Uint8Array]>> =
  {
    'whole.demo': ['healthy', 0, demo],
    'whole.pcap': ['healthy', 0, pcap],
    'gap.pcap': ['incomplete', 0, withGap()],
    'wrong.pcap': ['mismatched', 1, read('duplicate-key.pcap')],
    'player.demo': ['healthy', 0, goingOn(playerDemo(1))],
    'wrong.demo': ['mismatched', 1, goingOn(playerDemo(2))],
    'tick.demo': ['unplayable', 1, playerDemo(1)],
    'crc.demo': ['suspect', 1, demo.with(crcAt, demo[crcAt]! ^ 1)],
    'map.demo': ['suspect', 1, demo.with(1000, demo[1000]! ^ 1)],
    'sha256.demo': ['suspect', 1, goingOn(withHash(1))],
    'hash.demo': ['healthy', 0, goingOn(withHash(0))],
    'excess.demo': ['suspect', 1, withExcess()],
    'repeats.demo': ['suspect', 1, withRepeats()],
    // Games write a length of 0 when they are killed, and read none.
    'length.demo': ['healthy', 0, demo.with(lengthAt + 3, 0)],
    'sizes.demo': ['unplayable', 1, ofOtherSizes()],
    'cut.demo': ['damaged', 3, demo.slice(0, 20_000)],
    'cut.pcap': ['damaged', 3, pcap.slice(0, 20_000)],
    'damaged.demo': ['damaged', 3, demo.with(13_000, demo[13_000]! ^ 0xff)],
    'head.demo': ['damaged', 3, demo.slice(0, 100)],
  };

const kindOf = (name: string) => `${files[name]![0]}${name.slice(name.indexOf('.'))}`;

describe.each(Object.entries(files))('the health of %s', (name, [state, status, bytes]) => {
  const named = (command: string) => runWriting(`${command} ${name}`, { [name]: bytes }, { hasNoProgram: true });
  /** Whether it stands for all demos, or captures, of its health: with it the slower commands run. */
  const isFirst = Object.keys(files).find((other) => kindOf(other) === kindOf(name)) === name;

  it('is the same in info, checksum, export, the selection and the report, and in every exit status', async () => {
    const info = await named('info -t json');
    const checksum = await named('checksum --messages --summary -t json');
    const csv = await named('info -t csv');
    expect([JSON.parse(info.stdout)[0].health, info.status]).toEqual([state, status]);
    expect([JSON.parse(checksum.stdout)[0].health, checksum.status]).toEqual([state, status]);
    expect(csv.stdout.split('\n')[1]!.split(',')[3]).toBe(state);
    const other = Object.keys(healthStates).find((key) => key !== state)!;
    for (const key of isFirst ? [state, other] : []) {
      const { stdout } = await named(`info -t ndjson --health ${key}`);
      expect([key, stdout !== '']).toEqual([key, key === state]);
    }
    if (name.endsWith('.demo')) {
      const { stdout } = await named('export --tables demos -t ndjson');
      expect(JSON.parse(stdout).health).toBe(state);
    }
    if (isFirst) {
      const report = await named('report -o page.html');
      expect(report.status).toBe(status);
      const page = report.files.get('page.html');
      if (page) expect(reportDataOf(new TextDecoder().decode(page)).health).toContain(state);
    }
    for (const command of [
      'checksum',
      'dump -t ndjson',
      ...(isFirst ? ['dump -t csv', 'dump --no-messages', 'stats', 'export --tables kills -t csv'] : []),
      ...(isFirst && name.endsWith('.pcap') ? ['annotate -o x.pcapng'] : []),
    ]) {
      const single = await named(command);
      expect([command, single.status]).toEqual([command, status]);
      if (state === 'mismatched' && /^(dump|stats)/.test(command))
        expect(single.stderr).toMatch(/: \d+ checksums? mismatched\n$/);
    }
  });

  it('is a finding of every command with --strict, unless it is healthy', async () => {
    const slower = ['dump', 'stats', 'export --tables kills -t csv', 'report'];
    if (name.endsWith('.pcap')) slower.push('annotate -o x.pcapng');
    for (const command of ['info', 'checksum', ...(isFirst ? slower : [])])
      expect([command, (await named(`${command} --strict`)).status]).toEqual([
        command,
        state === 'healthy' ? 0 : Math.max(1, status),
      ]);
  });
});
