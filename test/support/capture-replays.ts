import { describe, expect, it } from 'vitest';
import { CaptureReplay } from '../../src/recording/capture/capture-replay.ts';
import { outcomes, type ReadSnapshot, replayed } from './captures.ts';
import { corpusFile, goldenCaptures, hasCorpus } from './corpus.ts';
import { type Datagram, datagramsOf, flipped, PcapFile } from './pcap-file.ts';
import { rawChunks, type Sent, sentSnapshots } from './raw-packets.ts';
import { seeded } from './seeded.ts';

const versionOf = (name: string) => (name.startsWith('07') ? '0.7' : '0.6');

const whole = new Map<string, ReturnType<typeof replayed>>();

/** The replay of a capture that is not damaged. */
function intact(name: string) {
  const known = whole.get(name) ?? replayed(corpusFile(name));
  whole.set(name, known);
  return known;
}

/** The snapshots that are rebuilt from a changed capture are equal to those of the original. */
function expectSameChecksums(snapshots: readonly ReadSnapshot[], name: string): void {
  const sums = new Set(intact(name).snapshots.map(({ client, tick, crc }) => `${client} ${tick} ${crc}`));
  const others = snapshots.filter(
    ({ client, tick, crc, verdict }) => verdict === 'ok' && !sums.has(`${client} ${tick} ${crc}`),
  );
  expect(others).toEqual([]);
}

/** The expected verdict of each snapshot if only some packets are present, computed without the replay. */
function expectedOutcomes(sent: readonly Sent[], isThere: (packet: number) => boolean): string[] {
  const rebuilt = new Set<string>();
  return sent.flatMap(({ client, tick, base, map, packets, isEmpty }) => {
    const there = [...packets].filter(isThere);
    if (there.length === 0) return [];
    const hasBase = base === -1 || rebuilt.has(`${client} ${map} ${base}`);
    const outcome = there.length < packets.size ? 'missing_part' : hasBase ? 'ok' : 'missing_base';
    if (outcome === 'ok') rebuilt.add(`${client} ${map} ${tick}`);
    return [`${client} ${tick} ${isEmpty ? 'empty' : 'sum'} ${outcome}`];
  });
}

const reportedOutcomes = (snapshots: readonly ReadSnapshot[]) =>
  snapshots.map(
    ({ client, tick, kind, verdict }) =>
      `${client} ${tick} ${kind === 'empty' ? 'empty' : 'sum'} ${verdict === 'unchecked' ? 'ok' : verdict}`,
  );

/** The first lines that occur in only one of the two. */
function differences(reported: readonly string[], expected: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of expected) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const line of reported) counts.set(line, (counts.get(line) ?? 0) - 1);
  const found = [...counts].filter(([, count]) => count !== 0);
  return found.slice(0, 10).map(([line, count]) => `${line}: ${count > 0 ? 'not reported' : 'not expected'}`);
}

/** The packets that contain snapshots with a checksum. */
function snapshotPackets(name: string, kind: 'compressed' | 'uncompressed'): (Datagram & { readonly tick: number })[] {
  const bytes = corpusFile(name);
  const datagrams = new Map(datagramsOf(bytes).map((datagram) => [datagram.number, datagram]));
  return rawChunks(bytes, versionOf(name))
    .filter(
      ({ name, compressed }) => (name === 'snap' || name === 'snap_single') && compressed === (kind === 'compressed'),
    )
    .map(({ number, value }) => ({ ...datagrams.get(number)!, tick: value('tick') }));
}

/**
 * What is read of the captures of `../shared/corpus`, whole, damaged and incomplete.
 * @param isChosen which captures, by their names
 */
export function describeCaptures(isChosen: (name: string) => boolean): void {
  const goldens = hasCorpus ? goldenCaptures().filter(([name]) => isChosen(name)) : goldenCaptures();
  /** Without the largest, which takes as long as all others together and has one connection. */
  const smaller = goldens.map(([name]) => name).filter((name) => !name.includes('34players'));
  /** A test of one capture. */
  const onlyWith = (name: string) => (isChosen(name) ? it : () => {});

  describe.skipIf(!hasCorpus)('captures (needs ../shared)', () => {
    onlyWith('07-vanilla-dm1.pcap')('are the same in both formats', () => {
      const { snapshots, messages } = replayed(corpusFile('07-vanilla-dm1.pcapng'));
      expect(snapshots).toEqual(intact('07-vanilla-dm1.pcap').snapshots);
      expect(messages).toEqual(intact('07-vanilla-dm1.pcap').messages);
    });

    it.each(goldens)('%s is rebuilt whole', (name, golden) => {
      const { snapshots, datagrams, undecodable, diagnostics, connections } = intact(name);
      const { packets, snaps, ok, empty } = golden;
      const expected = { ...(empty > 0 ? { empty } : {}), ok };
      expect({ datagrams, undecodable, diagnostics }).toEqual({ datagrams: packets, undecodable: 0, diagnostics: [] });
      expect(outcomes(snapshots)).toEqual(expected);
      expect(snapshots.filter(({ kind }) => kind !== 'empty').length).toBe(snaps);
      const used = connections.filter((connection) => connection.counts('to_client').chunks > 0);
      expect(new Set(used.map(({ version }) => version))).toEqual(new Set([versionOf(name)]));
    });

    it.each(smaller)('%s without its messages has the same snapshots', (name) => {
      const replay = new CaptureReplay({ messages: false });
      const reported: unknown[] = [];
      for (const records of [replay.feed(corpusFile(name)), replay.finish()]) {
        for (const record of records) {
          expect(record.record).not.toBe('message');
          if (record.record === 'snapshot')
            reported.push([record.stream.client, record.tick, record.snapshot?.checksum()]);
        }
      }
      expect(reported).toEqual(intact(name).snapshots.map(({ client, tick, crc }) => [client, tick, crc]));
    });
  });

  describe.skipIf(!hasCorpus)('missing packets (needs ../shared)', () => {
    const small = '07-vanilla-mapchange.pcap';
    const cases = [
      ...smaller.map((name) => ({ percent: 5, name })),
      ...[1, 30].filter(() => isChosen(small)).map((percent) => ({ percent, name: small })),
    ];
    it.each(cases)('$percent % of $name: only what depends on these packets is missing', ({ percent, name }) => {
      const bytes = corpusFile(name);
      const file = new PcapFile(bytes);
      const random = seeded(percent);
      const there = new Set(file.records.map((_, i) => i + 1).filter(() => random() % 100 >= percent));
      const { snapshots, undecodable, diagnostics } = replayed(
        file.with(file.records.filter((_, i) => there.has(i + 1))),
      );
      expect([undecodable, diagnostics]).toEqual([0, []]);
      expectSameChecksums(snapshots, name);
      const expected = expectedOutcomes(sentSnapshots(bytes, versionOf(name)), (packet) => there.has(packet));
      expect(differences(reportedOutcomes(snapshots), expected)).toEqual([]);
    });

    it.each(smaller)('the first third of %s: no mismatch, no wrong version, no wrong direction', (name) => {
      const bytes = corpusFile(name);
      const file = new PcapFile(bytes);
      const first = Math.floor(file.records.length / 3);
      const { snapshots, undecodable, connections } = replayed(file.with(file.records.slice(first)));
      expect(undecodable).toBe(0);
      const clients = new Set(intact(name).connections.map(({ client }) => client));
      for (const { client, version } of connections)
        expect([clients.has(client), version]).toEqual([true, versionOf(name)]);
      expectSameChecksums(snapshots, name);
      const expected = expectedOutcomes(sentSnapshots(bytes, versionOf(name)), (packet) => packet > first);
      expect(differences(reportedOutcomes(snapshots), expected)).toEqual([]);
    });

    onlyWith(small)('map changes that are missing are detected by the ticks, which start again', () => {
      const bytes = corpusFile(small);
      const changes = rawChunks(bytes, '0.7').filter((chunk) => chunk.name === 'map_change');
      expect(changes.length).toBe(3);
      const lost = new Set(changes.slice(1).map(({ number }) => number));
      const file = new PcapFile(bytes);
      const { snapshots } = replayed(file.with(file.records.filter((_, i) => !lost.has(i + 1))));
      expect(differences(reportedOutcomes(snapshots), reportedOutcomes(intact(small).snapshots))).toEqual([]);
    });
  });

  describe.skipIf(!hasCorpus)('packets out of order and repeated (needs ../shared)', () => {
    it.each(smaller)('%s with neighbours swapped: everything is rebuilt and reported', (name) => {
      const file = new PcapFile(corpusFile(name));
      const random = seeded(11);
      const records = [...file.records];
      for (let i = 0; i + 1 < records.length; i += 2) {
        if (random() % 2) [records[i], records[i + 1]] = [records[i + 1]!, records[i]!];
      }
      const { snapshots, messages } = replayed(file.with(records));
      expectSameChecksums(snapshots, name);
      expect(outcomes(snapshots)).toEqual(outcomes(intact(name).snapshots));
      // One that waited for its base has its own packet, too.
      const keyOf = ({ client, tick, crc }: ReadSnapshot) => `${client} ${tick} ${crc}`;
      const packetOf = new Map(
        intact(name).snapshots.map((snapshot) => [keyOf(snapshot), file.records[snapshot.frame - 1]]),
      );
      const isWhole = ({ parts, verdict }: ReadSnapshot) => parts === 1 && verdict === 'ok';
      for (const snapshot of snapshots.filter(isWhole))
        expect(records[snapshot.frame - 1]).toBe(packetOf.get(keyOf(snapshot)));
      // The order of connections may differ.
      const sorted = (all: ReadonlyMap<string, readonly string[]>) =>
        [...all].flatMap(([key, list]) => list.map((text) => `${key.slice(key.indexOf(' '))} ${text}`)).sort();
      expect(sorted(messages)).toEqual(sorted(intact(name).messages));
    });

    // A client also loses a snapshot of the old map that arrives after the map change.
    it.each(smaller.filter((name) => !name.includes('mapchange')))(
      '%s with packets up to three places off: all is rebuilt',
      (name) => {
        const file = new PcapFile(corpusFile(name));
        const random = seeded(12);
        const places = file.records.map((record, i) => ({ record, place: i + (random() % 400) / 100 }));
        const { snapshots } = replayed(file.with(places.sort((a, b) => a.place - b.place).map(({ record }) => record)));
        expectSameChecksums(snapshots, name);
        expect(outcomes(snapshots)).toEqual(outcomes(intact(name).snapshots));
      },
    );

    it.each(smaller)('%s with packets repeated: each snapshot and vital message once', (name) => {
      const file = new PcapFile(corpusFile(name));
      const random = seeded(13);
      const { snapshots, connections } = replayed(
        file.with(file.records.flatMap((record) => (random() % 3 ? [record] : [record, record]))),
      );
      expect(reportedOutcomes(snapshots)).toEqual(reportedOutcomes(intact(name).snapshots));
      expect(connections.length).toBe(intact(name).connections.length);
    });
  });

  describe.skipIf(!hasCorpus)('a flipped bit (needs ../shared)', () => {
    const all = ['06-ddnet-ipv6-anyiface-sll2.pcap', '07-vanilla-mapchange.pcap', '07-on-ddnet-sixup-manyplayers.pcap'];
    const files = all.filter(isChosen);
    const cases = files.flatMap((name) =>
      (['compressed', 'uncompressed'] as const).map((kind) => [kind, name] as const),
    );
    it.each(cases)('in %s packets of %s: at most that snapshot is wrong, others only lack it', (kind, name) => {
      const bytes = corpusFile(name);
      const packets = snapshotPackets(name, kind);
      const random = seeded(17);
      const seen = new Set<string>();
      for (let i = 0; i < (name.includes('sixup') ? 8 : 15); i++) {
        const { number, from, to, tick } = packets[random() % packets.length]!;
        const { snapshots, undecodable } = replayed(
          flipped(bytes, from + (random() % (to - from)), 1 << (random() % 8)),
        );
        const wrong = snapshots.filter(({ verdict }) => verdict === 'mismatch' || verdict === 'damaged');
        expect(wrong.filter((snapshot) => snapshot.frame !== number && snapshot.tick !== tick)).toEqual([]);
        expect(wrong.length + undecodable).toBeLessThanOrEqual(2);
        for (const { verdict } of wrong) seen.add(verdict);
        const before = (all: readonly ReadSnapshot[]) =>
          all.filter((snapshot) => snapshot.frame > 0 && snapshot.frame < number);
        expect(before(snapshots)).toEqual(before(intact(name).snapshots));
        expectSameChecksums(
          snapshots.filter((snapshot) => snapshot.kind !== 'empty'),
          name,
        );
      }
      expect(seen.size).toBeGreaterThan(0);
    });

    onlyWith('07-vanilla-dm1.pcap')('leaves the other clients as they were', () => {
      const name = '07-vanilla-dm1.pcap';
      const packet = snapshotPackets(name, 'compressed')[500]!;
      const touched = intact(name).snapshots.find(({ frame }) => frame === packet.number)!.client;
      const { snapshots } = replayed(flipped(corpusFile(name), packet.from + 20));
      const others = (all: readonly ReadSnapshot[]) => all.filter(({ client }) => client !== touched);
      expect(others(snapshots)).toEqual(others(intact(name).snapshots));
      expect(snapshots).not.toEqual(intact(name).snapshots);
    });

    onlyWith('06-ddnet-ipv6-anyiface-sll2.pcap')('in the ack of a packet hides no message', () => {
      const name = '06-ddnet-ipv6-anyiface-sll2.pcap';
      const bytes = corpusFile(name);
      const random = seeded(19);
      const packets = datagramsOf(bytes).filter(({ from, to }) => to - from > 10 && bytes[from]! < 0x20);
      for (let i = 0; i < 20; i++) {
        const { from } = packets[random() % packets.length]!;
        expect(replayed(flipped(bytes, from + 1, 1 << (random() % 8))).messages).toEqual(intact(name).messages);
      }
    });
  });

  describe.skipIf(!hasCorpus)('vital messages (needs ../shared)', () => {
    const cases = smaller.map((name) => [name] as const);
    it.each(cases)('%s: each once and in sequence, as an independent count says', (name) => {
      const raw = rawChunks(corpusFile(name), versionOf(name));
      const flows = new Map<string, Map<number, string>>();
      for (const { source, destination, sequence, bytes, name: message } of raw) {
        if (sequence === undefined) continue;
        const key = `${source} ${destination}`;
        const flow = flows.get(key) ?? new Map<number, string>();
        flows.set(key, flow);
        // A number is unwrapped to the value that is nearest to the largest one before it.
        const largest = Math.max(0, ...[...flow.keys()].slice(-600));
        const turn = Math.round((largest - sequence) / 1024);
        const number = 1024 * turn + sequence;
        if (!flow.has(number)) flow.set(number, `${message} ${bytes.length}`);
      }
      for (const flow of flows.values())
        expect([...flow.keys()].sort((a, b) => a - b)).toEqual([...flow.keys()].map((_, i) => i + 1));

      const { messages, connections } = intact(name);
      const vital = new Set(raw.filter(({ sequence }) => sequence !== undefined).map((chunk) => chunk.name));
      const others = new Set(raw.filter(({ sequence }) => sequence === undefined).map((chunk) => chunk.name));
      const isOnlyVital = (line: string) => !others.has(line.slice(0, line.lastIndexOf(' ')));
      expect(vital.size).toBeGreaterThan(5);
      for (const [i, { client, server }] of connections.entries()) {
        for (const [direction, flow] of [
          ['to_server', flows.get(`${client} ${server}`)],
          ['to_client', flows.get(`${server} ${client}`)],
        ] as const) {
          const inOrder = [...(flow ?? [])].sort(([a], [b]) => a - b).map(([, line]) => line);
          const reported = messages.get(`${i} ${client} ${direction}`) ?? [];
          expect(reported.filter(isOnlyVital)).toEqual(inOrder.filter(isOnlyVital));
        }
      }
    });

    onlyWith('06-ddnet-loss.pcap')('of the capture with loss: 53 were resent, none is missing', () => {
      const { connections } = intact('06-ddnet-loss.pcap');
      const counts = connections.flatMap((connection) => [
        connection.counts('to_client'),
        connection.counts('to_server'),
      ]);
      expect(counts.reduce((sum, { resent }) => sum + resent, 0)).toBe(53);
      expect(counts.reduce((sum, { lost }) => sum + lost, 0)).toBe(0);
    });
  });
}
