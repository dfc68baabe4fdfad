import { describe, expect, it } from 'vitest';
import { main } from '../../../commands/index.ts';
import { CaptureReader } from '../../../src/recording/container/capture/capture-reader.ts';
import { readPacket } from '../../../src/wire/packet/packet.ts';
import { netlogOf } from '../../support/capture-builder.ts';
import { corpusFile, goldenCaptures, hasCorpus, samplePcap, smallCaptures } from '../../support/corpus.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { PcapFile } from '../../support/pcap-file.ts';
import { recordsOf, run, runWriting } from '../../support/run.ts';

const sample = { 'a.pcap': samplePcap() };
const ndjson = ({ stdout }: { stdout: string }) => recordsOf(stdout);

/** The sample without its first 300 packets: no snapshot has its base. */
function withoutBegin(): Uint8Array {
  const bytes = samplePcap();
  const view = new DataView(bytes.buffer);
  let at = 24;
  for (let i = 0; i < 300; i++) at += 16 + view.getUint32(at + 8, true);
  return Uint8Array.from([...bytes.subarray(0, 24), ...bytes.subarray(at)]);
}

describe('dump of a capture', () => {
  it('as NDJSON: all snapshots have their announced checksum', async () => {
    const io = await run('dump a.pcap -t ndjson', sample);
    const records = ndjson(io);
    const snapshots = records.filter(({ record }) => record === 'snapshot');
    expect(snapshots).toHaveLength(446);
    for (const { crc, expected, ok, items } of snapshots) {
      expect([crc, ok]).toEqual([expected, true]);
      expect(items.length).toBeGreaterThan(0);
    }
    expect(records[0]).toMatchObject({
      record: 'connection',
      client: '[::1]:29911',
      server: '[::1]:8304',
      version: '0.6',
    });
    expect(records.at(-1)).toMatchObject({ record: 'close', direction: 'to_server', reason: '' });
    const input = records.find(({ name }) => name === 'input');
    expect(input).toMatchObject({ record: 'message', client: '[::1]:29911', direction: 'to_server' });
    expect(input.fields).toHaveProperty('ack_snapshot');
  });

  it.skipIf(!hasCorpus)('has as many snapshots as other programs count (needs ../shared)', async () => {
    for (const [name, { ok, empty }] of goldenCaptures(smallCaptures)) {
      const io = await run(`dump ${name} -t ndjson --type obj_player_info --no-messages`, {
        [name]: corpusFile(name),
      });
      expect(io.status).toBe(0);
      const snapshots = ndjson(io).filter(({ record }) => record === 'snapshot');
      const summed = snapshots.filter(({ kind }) => kind !== 'empty');
      expect([summed.length, snapshots.length - summed.length], name).toEqual([ok, empty]);
      expect(summed.every(({ crc, expected }) => crc === expected)).toBe(true);
    }
  });

  it.skipIf(!hasCorpus)(
    'prints every vital message once, including those of resent chunks (needs ../shared)',
    async () => {
      const all = new PcapFile(corpusFile('06-ddnet-loss.pcap'));
      // The first third, with some of the resent chunks.
      const bytes = all.with(all.records.slice(0, all.records.length / 3));
      // Vital chunks by sequence number, which does not wrap in either direction.
      const vital = new Set<string>();
      const others: string[] = [];
      for (const frame of new CaptureReader().feed(bytes)) {
        const packet = frame.bytes.subarray(frame.start, frame.end);
        if (frame.kind !== 'datagram' || packet[0] === 0xff || packet[0]! & 0x10) continue;
        const { chunks, payload } = readPacket(packet, '0.6', () => {});
        for (const { vital: isVital, sequence, start } of chunks) {
          const isSnapshot = [11, 13, 15].includes(payload[start]!) && frame.sourcePort === 8304;
          if (isVital) vital.add(`${frame.sourcePort} ${frame.destinationPort} ${sequence}`);
          else if (!isSnapshot) others.push('');
        }
      }
      const io = await run('dump loss.pcap -t ndjson', { 'loss.pcap': bytes });
      const messages = ndjson(io).filter(({ record }) => record === 'message');
      expect(messages).toHaveLength(vital.size + others.length);
    },
  );

  it('with --changes agrees with diff and decode of PATH@TICK', async () => {
    const io = await run('dump a.pcap -t ndjson --changes --ticks 34290..34300 --no-messages', sample);
    const records = ndjson(io);
    expect(records.map(({ tick }) => tick)).toEqual([34290, 34292, 34294, 34296, 34298, 34300]);
    for (const { tick, base, removed, added, changed } of records) {
      const diff = await run(`diff a.pcap@${base} a.pcap@${tick} -t json`, sample);
      const { removed: gone, added: come, changed: other } = JSON.parse(diff.stdout);
      expect([gone, come, other]).toEqual([removed, added, changed]);
      const decoded = await run(`decode a.pcap@${tick} -t json`, sample);
      expect(JSON.parse(decoded.stdout)).toMatchObject({ kind: 'delta', encoding: 'packed', protocol: '0.6' });
    }
  });

  it('reports snapshots without their base, and continues', async () => {
    const files = { 'cut.pcap': withoutBegin() };
    const records = ndjson(await run('dump cut.pcap -t ndjson --no-messages', files));
    const [snapshot] = records.filter(({ record }) => record === 'snapshot');
    expect(snapshot).toMatchObject({ crc: null, ok: null, reason: 'missing_base' });
    expect(snapshot).not.toHaveProperty('items');
    const text = await run('dump cut.pcap', files);
    expect(text.stdout).toContain('is connected to [::1]:8304');
    expect(text.stdout.replaceAll(/\s+/g, ' ')).toContain('25 not rebuilt: the base is missing');
  });

  it('shows records as soon as each is read', async () => {
    const bytes = samplePcap();
    const io = fakeIo();
    const seen: string[] = [];
    const live = async function* () {
      for (let at = 0; at < bytes.length; at += 10_000) {
        yield bytes.slice(at, at + 10_000);
        seen.push(io.stdout.text);
      }
    };
    const status = await main(['dump', '-', '-t', 'ndjson'], Object.assign(io, { open: live }));
    expect(status).toBe(0);
    // All packets of a piece are shown before the next piece is requested: the last record belongs to the last complete
    // packet.
    for (const [i, text] of seen.entries()) {
      const last = JSON.parse(text.trimEnd().split('\n').at(-1)!);
      const times: number[] = [];
      const reader = new CaptureReader();
      for (const frame of reader.feed(bytes.subarray(0, (i + 1) * 10_000))) times.push(frame.time);
      expect(times.slice(-3)).toContain(last.time);
    }
    expect(seen.length).toBeGreaterThan(5);
  });
});

describe('PATH@TICK of a capture', () => {
  it('is the last snapshot before a tick that has none', async () => {
    const at = async (tick: number) => (await run(`extract a.pcap@${tick} -t hex`, sample)).stdout;
    const [exact, between, next] = [await at(34292), await at(34293), await at(34294)];
    expect(exact).not.toBe('');
    expect(between).toBe(exact);
    expect(next).not.toBe(exact);
  });

  it('reports which ticks exist', async () => {
    const { stderr, status } = await run('decode a.pcap@5', sample);
    expect(status).toBe(2);
    expect(stderr).toBe('tw-snap: a.pcap: there is no tick 5: [::1]:29911 has 33830 to 34736\n');
  });

  it('is the sent delta where no snapshot can be rebuilt', async () => {
    const files = { 'a.pcap': withoutBegin() };
    const [first, ...rest] = ndjson(await run('dump a.pcap -t ndjson --no-messages', files)).filter(
      ({ record }) => record === 'snapshot',
    );
    for (const [place, { tick, base }] of [
      ['@first', first],
      ['@last', rest.at(-1)],
      [`@${rest[7].tick}`, rest[7]],
    ]) {
      const { status, stdout, stderr } = await run(`decode a.pcap${place}`, files);
      const why = `it can't be rebuilt: the base is missing (tick ${base})`;
      expect(stderr).toBe(`tw-snap: a.pcap${place}: shown as sent; ${why}\n`);
      expect(stdout.split('\n')[0]).toMatch(new RegExp(`^a\\.pcap@${tick}   packed · delta · 0\\.6 `));
      expect(status).toBe(0);
    }
    // The same is said of its packet.
    const packet = await run(`decode a.pcap#${rest[7].frame}`, files);
    expect(packet.stderr).toContain(
      `a.pcap#${rest[7].frame}: shown as sent; it can't be rebuilt: the base is missing (`,
    );
    const compared = await run('diff a.pcap@first a.pcap@last', files);
    expect(compared.status).toBe(3);
    expect(compared.stderr).toContain('this delta has differences to a base that is not known: name it with --base');
  });

  it('is a snapshot that extract writes', async () => {
    const out = await runWriting('extract a.pcap@34292 -t packed -o b.snap', sample);
    expect(out.status).toBe(0);
    const io = await run('diff b.snap a.pcap@34292 -p 0.6', { ...sample, 'b.snap': out.files.get('b.snap')! });
    expect(io.status).toBe(0);
  });

  it.skipIf(!hasCorpus)('is of the first client with this tick, which is named (needs ../shared)', async () => {
    const files = { 'a.pcap': corpusFile('06-ddnet-loss.pcap') };
    const { stderr, stdout } = await run('decode a.pcap@836', files);
    expect(stderr).toContain(
      'tw-snap: a.pcap@836: using the snapshot of client 127.0.0.1:21269; 3 more clients have this tick (choose with --client)\n',
    );
    const second = await run('decode a.pcap@836 --client 127.0.0.1:34083', files);
    expect(second.stderr).not.toContain('clients');
    expect(second.stdout).not.toBe(stdout);
  });
});

describe('a log of the network', () => {
  const received: Uint8Array[] = [];
  for (const frame of new CaptureReader().feed(samplePcap())) {
    const packet = frame.bytes.slice(frame.start, frame.end);
    if (frame.kind === 'datagram' && frame.sourcePort === 8304 && packet[0] !== 0xff) received.push(packet);
  }
  const files = { log: netlogOf(received), ...sample };

  it('is recognised by its content, and dumped as one connection without times', async () => {
    const records = ndjson(await run('dump log -t ndjson', files));
    expect(records[0]).toMatchObject({ record: 'connection', time: null, client: 'client', server: 'server' });
    const snapshots = records.filter(({ record }) => record === 'snapshot');
    expect(snapshots).toHaveLength(446);
    expect(snapshots.every(({ crc, expected }) => crc === expected)).toBe(true);
  });

  it('is a timeline, with times counted from ticks', async () => {
    const { stdout } = await run('dump log', files);
    expect(stdout).toMatch(/^ *\d+(-\d+)? +0:18\.\d\d +client/m);
    expect(stdout).toContain('six: hello via ipv6');
    expect((await run('info log', files)).stdout).toContain('446');
  });

  it('has snapshots at ticks', async () => {
    const { status, stdout } = await run('diff log@34292 a.pcap@34292', files);
    expect(stdout).toContain('0 removed, 0 added, 0 changed');
    expect(status).toBe(0);
  });

  it('reports a checksum that differs from the announced one', async () => {
    // The checksum follows the tick and the delta tick; the packet is not compressed.
    const i = received.findIndex((packet, k) => k > 200 && packet[0]! & 0x80);
    const { payload, chunks } = readPacket(received[i]!, '0.6', () => {});
    const wrong = Uint8Array.from([received[i]![0]! & 0x7f, ...received[i]!.subarray(1, 3), ...payload]);
    let at = 3 + chunks.find(({ start }) => payload[start] === 15)!.start;
    for (let ints = 0; ints < 3; ints++) while (wrong[at++]! & 0x80);
    wrong[at]! ^= 1;
    const log = netlogOf(received.map((packet, k) => (k === i ? wrong : packet)));
    const text = await run('dump log', { log });
    expect(text.status).toBe(1);
    expect(text.stdout).toMatch(/✗ tick \d+ on base \d+: the checksum is\s+-?\d+;\s+announced\s+-?\d+/);
    const records = ndjson(await run('dump log -t ndjson', { log }));
    const mismatched = records.filter(({ ok }) => ok === false);
    expect(mismatched).toHaveLength(1);
    const { tick, crc, expected, items } = mismatched[0];
    expect(Math.abs(crc - expected)).toBe(1);
    expect(items.length).toBeGreaterThan(0);
    const decoded = await run(`decode log@${tick}`, { log });
    expect(decoded.status).toBe(1);
    const info = await run('info log', { log });
    expect(info.status).toBe(1);
    expect(info.stdout).toMatch(/✗ 1 mismatched/);
  });
});
