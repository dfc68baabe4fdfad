import { describe, expect, it } from 'vitest';
import { renderRows } from '../../../src/output/hexdump/hexdump.ts';
import { plainTheme } from '../../../src/output/text/theme.ts';
import { inspect } from '../../../src/page/data/inspect.ts';
import { inspectRecord } from '../../../src/page/data/inspect-record.ts';
import {
  matchingRecords,
  nameOfRecord,
  type RecordRow,
  recordsOf,
  sayingOf,
  sortedRecords,
} from '../../../src/page/data/records.ts';
import { readSearch } from '../../../src/page/data/search.ts';
import { messageBytes, Recording } from '../../../src/page/data/shown-recording.ts';
import { pageDataOf } from '../../support/report.ts';
import { linesOf, run } from '../../support/run.ts';
import { read } from '../../support/samples.ts';
import { seeded } from '../../support/seeded.ts';

const [demo, capture] = [read('vanilla-dm1.demo'), read('ddnet-ipv6.pcap')];
const width = 400;

async function recorded(file: Uint8Array): Promise<Recording> {
  const { tracks, schema } = await pageDataOf(file);
  return new Recording({ tracks, schema });
}
const [ofDemo, ofCapture] = [await recorded(demo), await recorded(capture)];

/** The rows of bytes that the page has of a record, as `decode` would print them. */
function rowsOf(recording: Recording, { kind, number }: Pick<RecordRow, 'kind' | 'number'>): string[] {
  const { payload, spans } =
    kind === 'snapshot' ? inspect(recording, number) : inspectRecord(recording, { kind, number })!;
  return renderRows({ ...payload.layers, spans }, { theme: plainTheme, width, verbose: false });
}
/** Without the addresses in the file: `decode` of a record alone counts from its beginning. */
const meaning = (rows: readonly string[]) => rows.map((row) => row.replace(/^ *[0-9a-f]+\.[0-7]/, '').trim());

/** Random ones of a kind, the same in each run. */
function chosen(recording: Recording, kind: RecordRow['kind'], count: number): RecordRow[] {
  const rows = recordsOf(recording).filter((row) => row.kind === kind);
  const next = seeded(58);
  return Array.from({ length: count }, () => rows[next() % rows.length]!);
}

/** Whether the page lacks the bytes of a packet, since they have a password or a line for rcon. */
const isWithheld = ({ number }: RecordRow) => ofCapture.track.packets[number]!.bytes.length === 0;

describe('a record in the page has the bytes and spans', () => {
  it('of decode FILE@TICK, if it is a snapshot of a demo', async () => {
    for (const row of chosen(ofDemo, 'snapshot', 12)) {
      const { stdout } = await run(`decode file@${row.tick} --width ${width}`, { file: demo });
      expect(stdout).toContain(rowsOf(ofDemo, row).join('\n'));
    }
  });

  it('of dump -t hexdump, if it is a message of a demo', async () => {
    const dump = meaning(linesOf((await run(`dump file -t hexdump --width ${width}`, { file: demo })).stdout));
    const text = dump.join('\n');
    for (const row of chosen(ofDemo, 'message', 40)) expect(text).toContain(meaning(rowsOf(ofDemo, row)).join('\n'));
  });

  it('of dump -t hexdump, if it is a packet of a capture', async () => {
    const dump = (await run(`dump file -t hexdump --width ${width}`, { file: capture })).stdout;
    const packets = dump.split(/\n(?=#\d)/);
    for (const row of chosen(ofCapture, 'packet', 60)) {
      if (isWithheld(row)) continue;
      const { frame } = ofCapture.track.packets[row.number]!;
      const own = packets.find((one) => one.startsWith(`#${frame} `))!;
      expect(own, `packet ${frame}`).toContain(rowsOf(ofCapture, row).join('\n'));
    }
  });
});

describe('the list of records', () => {
  it('has each record of the recording, in its order', async () => {
    const dumped = (await run('dump file -t ndjson', { file: demo })).stdout;
    const expected = linesOf(dumped)
      .map((line) => JSON.parse(line))
      .filter(({ record }) => record === 'snapshot' || record === 'message')
      .map(({ record, tick }) => [record, tick]);
    expect(recordsOf(ofDemo).map(({ kind, tick }) => [kind, tick])).toEqual(expected);
  });

  it('has the packets of a capture with their sizes', async () => {
    const { stdout } = await run('info file -t json', { file: capture });
    const connection = JSON.parse(stdout)[0].connections[0];
    const { packets } = ofCapture.track;
    const sum = (toServer: boolean) =>
      packets.filter((one) => one.toServer === toServer).reduce((bytes, { size }) => bytes + size, 0);
    expect([sum(true), sum(false)]).toEqual([connection.to_server.bytes, connection.to_client.bytes]);
    expect(recordsOf(ofCapture).filter(({ kind }) => kind === 'packet')).toHaveLength(packets.length);
  });

  it('has no bytes of a packet with a command for rcon, but says so', () => {
    const withheld = recordsOf(ofCapture).filter((row) => row.kind === 'packet' && isWithheld(row));
    // The client of this capture sent one command, as `info` counts, and no password.
    expect(withheld).toHaveLength(1);
    expect(sayingOf(ofCapture, withheld[0]!)).toBe('has a password, which is not in the page');
  });

  it('sorts by the sizes, and keeps the order of equal ones', () => {
    const rows = recordsOf(ofDemo);
    const sorted = sortedRecords(rows, 'bytes', true, (row) => nameOfRecord(ofDemo, row));
    for (const [i, row] of sorted.entries()) {
      const before = sorted[i - 1];
      if (before) expect(before.bytes).toBeGreaterThanOrEqual(row.bytes);
      if (before?.bytes === row.bytes) expect(rows.indexOf(before)).toBeLessThan(rows.indexOf(row));
    }
  });

  it('says what a message contains, and which messages a packet has', () => {
    const chat = recordsOf(ofDemo).find((row) => row.kind === 'message' && nameOfRecord(ofDemo, row) === 'sv_chat')!;
    expect(sayingOf(ofDemo, chat)).toMatch(/^mode=1 \(all\) client_id=\d+ target_id=-1 message="/);
    const packet = recordsOf(ofCapture).find(
      (row) => row.kind === 'packet' && ofCapture.track.packets[row.number]!.frame === 103,
    )!;
    expect(sayingOf(ofCapture, packet)).toBe('cl_say, input');
  });
});

describe('a query', () => {
  const matching = (recording: Recording, query: string) => {
    const search = readSearch(query, recording.protocol.schema);
    const steps = matchingRecords(recording, recordsOf(recording), search, []);
    for (let step = steps.next(); ; step = steps.next()) if (step.done) return [...step.value];
  };

  it('selects messages by their type and values, as dump --where does', async () => {
    const { stdout } = await run(['dump', 'file', '-t', 'ndjson', '--where', 'sv_chat client_id=1'], { file: demo });
    const expected = linesOf(stdout)
      .map((line) => JSON.parse(line))
      .filter(({ record }) => record === 'message')
      .map(({ tick }) => tick);
    expect(expected.length).toBeGreaterThan(3);
    expect(matching(ofDemo, 'sv_chat client_id=1').map(({ tick }) => tick)).toEqual(expected);
  });

  it('selects snapshots with an item, and packets both ways', () => {
    const flying = matching(ofDemo, 'obj_projectile');
    expect(flying.length).toBeGreaterThan(10);
    for (const { kind, number } of flying) {
      expect(kind).toBe('snapshot');
      expect(
        inspect(ofDemo, number).items.some(({ name, state }) => name === 'obj_projectile' && state !== 'removed'),
      ).toBe(true);
    }
    const said = matching(ofCapture, 'cl_say').map(({ kind, number }) => [
      kind,
      ofCapture.track.packets[number]!.toServer,
    ]);
    expect(said.length).toBeGreaterThan(0);
    expect(new Set(said.map(String))).toEqual(new Set(['packet,true']));
  });
});

it('the ints of a message of a demo are those in the file', () => {
  const number = ofDemo.track.messages.findIndex((one) => messageBytes(one).length > 20);
  const { recorded, payload } = inspectRecord(ofDemo, { kind: 'message', number })!;
  const { bytes, chunk } = ofDemo.track.messages[number]!;
  const place = Buffer.from(demo).indexOf(bytes);
  // The head of its chunk, 1 to 3 bytes, is before it.
  expect(place - chunk!).toBeGreaterThan(0);
  expect(place - chunk!).toBeLessThan(4);
  expect(payload.layers.file).toEqual(bytes);
  expect(recorded!.ints.length * 4).toBe(payload.layers.bytes.length);
});
