import { describe, expect, it } from 'vitest';
import type { Opened } from '../../../../commands/lib/input/open.ts';
import type { Io } from '../../../../commands/lib/io.ts';
import { captureParts } from '../../../../commands/lib/parallel/divided-capture.ts';
import { runDivided } from '../../../support/divided.ts';
import { interleaved } from '../../../support/interleaved.ts';
import { read } from '../../../support/samples.ts';
import { faultCases, playFault } from '../../../support/server/cases.ts';
import { scenarioOf } from '../../../support/server/scenario.ts';

const lines = [
  'dump -t ndjson',
  'dump -t ndjson --changes --no-messages',
  'dump -t csv',
  'dump -t csv --type sv_motd',
  'dump -t ndjson --type ddnet_laser',
  'checksum',
  'checksum -v --strict',
  'checksum -t ndjson',
  'checksum --summary -t json',
  'checksum -t junit',
  'stats -t json',
  'stats -t csv',
  'stats -t csv --by field --type obj_character',
  'stats --fields -v',
  'stats --by player --top 2',
  'stats -t csv --by second',
];

const bytes = read('ddnet-ipv6.pcap');
const run = (capture: Uint8Array, line: string, jobs: number) => runDivided(capture, line, jobs, 'a.pcap');
const errorsOf = (errors: readonly unknown[]) => errors.map((error) => (error as Error).message);

/** Five connections of three clients: the second one has two with one server, and a third with another one. */
const clients = interleaved([
  { bytes, client: 1 },
  { bytes, client: 2 },
  { bytes, client: 2 },
  { bytes, client: 2, server: 2 },
  { bytes, client: 3 },
]);

describe('a capture that is divided among threads', () => {
  it.each(lines)('prints what one thread prints: %s', async (line) => {
    const { parts, errors, printed } = await run(clients, line, 3);
    expect([parts, errorsOf(errors)]).toEqual([3, []]);
    expect(printed).toEqual((await run(clients, line, 1)).printed);
  });

  it('prints what one thread prints if it ends in a packet, with findings of the file once', async () => {
    const cut = clients.subarray(0, clients.length - 5);
    for (const line of ['dump -t csv', 'checksum', 'checksum --summary', 'checksum -t junit --strict', 'stats']) {
      const { parts, printed } = await run(cut, line, 2);
      expect(parts).toBe(2);
      expect(printed).toEqual((await run(cut, line, 1)).printed);
    }
  });

  it('prints what one thread prints about mismatches and damage', async () => {
    const scenario = scenarioOf('vanilla-dm1.demo', read('vanilla-dm1.demo'));
    const faults = ['wrong base', 'flipped bit', 'missing bytes', 'removed though unchanged'];
    const played = faults.flatMap((name) => {
      const seeds = Array.from({ length: 20 }, (_, seed) => playFault(faultCases[name]!, [scenario], seed));
      return seeds.find((one) => one !== undefined) ?? [];
    });
    const capture = interleaved(played.map((one, i) => ({ bytes: one.played.capture, client: i })));
    const all = [
      'checksum',
      'checksum -v',
      'checksum -t junit',
      'checksum -t ndjson',
      'dump -t ndjson',
      'stats -t json',
    ];
    for (const line of all) {
      const { parts, errors, printed } = await run(capture, line, 4);
      expect([parts, errorsOf(errors), printed.status]).toEqual([4, [], 3]);
      expect(printed).toEqual((await run(capture, line, 1)).printed);
    }
  });

  it('has a part for each client at most', async () => {
    expect((await run(clients, 'checksum', 100)).parts).toBe(3);
    expect((await run(bytes, 'checksum', 100)).parts).toBe(1);
  });

  it('is not divided where options concern all connections, or the output depends on the records before', async () => {
    const named = ['checksum --client [::1]:1', 'checksum -p 0.6', 'checksum --ticks 1..9', 'checksum --expect 5'];
    const own = ['stats --client [::1]:1', 'stats --ticks 1..999999', 'stats -p 0.6'];
    for (const line of [
      ...named,
      ...own,
      'checksum --messages',
      'dump',
      'dump -t hexdump',
      'dump -t csv --ticks 1..9',
    ]) {
      const { parts, printed } = await run(clients, line, 3);
      expect([line, parts]).toEqual([line, 1]);
      expect(printed).toEqual((await run(clients, line, 1)).printed);
    }
  });
});

it('a capture is divided by default only if it is large enough and there are enough threads', async () => {
  const io = { size: () => clients.length } as unknown as Io;
  const partsOf = async (threads: number, capture: { minBytes: number; minThreads?: number }, jobs?: number) => {
    const pieces = (async function* () {
      yield clients;
    })();
    const options = { from: 'auto', protocol: 'auto', ...(jobs === undefined ? {} : { jobs }) } as const;
    const opened = { name: 'a.pcap', path: 'a.pcap', pieces } as unknown as Opened;
    return (await captureParts(opened, { demo: { minBytes: 0 }, capture }, threads, options, io))?.length;
  };
  const { length } = clients;
  expect(await partsOf(2, { minBytes: length })).toBe(2);
  expect(await partsOf(2, { minBytes: length + 1 })).toBeUndefined();
  expect(await partsOf(2, { minBytes: length, minThreads: 3 })).toBeUndefined();
  expect(await partsOf(3, { minBytes: length, minThreads: 3 })).toBe(3);
  expect(await partsOf(2, { minBytes: length + 1, minThreads: 3 }, 2)).toBe(2);
});

it('a capture is read as one if a client turns out to have connections in several parts', async () => {
  const [first, second] = [
    { bytes, client: 1 },
    { bytes, client: 2, server: 2 },
  ];
  for (const skipped of [15, 20, 25]) {
    // Without its handshake, a connection of the first client to the second server may be one of either end.
    const capture = interleaved([first, second, { bytes, client: 1, server: 2, skipped }]);
    for (const line of ['dump -t ndjson', 'dump -t csv', 'checksum', 'checksum -t ndjson', 'stats -t json']) {
      const { parts, errors, printed } = await run(capture, line, 2);
      expect([parts, errorsOf(errors)]).toEqual([2, ['another part has connections of this client']]);
      expect(printed).toEqual((await run(capture, line, 1)).printed);
    }
  }
});
