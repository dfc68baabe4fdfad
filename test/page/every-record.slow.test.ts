import { describe, expect, it } from 'vitest';
import { renderRows } from '../../src/output/hexdump/hexdump.ts';
import { plainTheme } from '../../src/output/text/theme.ts';
import { inspect } from '../../src/page/data/inspect.ts';
import { inspectRecord } from '../../src/page/data/inspect-record.ts';
import { contentsOf, nameOfRecord, type RecordRow, recordsOf, sayingOf } from '../../src/page/data/records.ts';
import { messageBytes, Recording } from '../../src/page/data/shown-recording.ts';
import { clientOf } from '../../src/page/report/track.ts';
import { messageName } from '../../src/wire/packet/message.ts';
import { corpusFile, corpusFiles, hasCorpus } from '../support/corpus.ts';
import { report, reportDataOf } from '../support/report.ts';
import { linesOf, run } from '../support/run.ts';
import { names, read } from '../support/samples.ts';
import { seeded } from '../support/seeded.ts';

/*
 * The page reads the records of a recording again, from what the report keeps of them. Here each is beside the rows
 * that the command line prints: a packet beside those of `dump`, a snapshot or a message of a demo, too; what a dump
 * does not open or has elsewhere, beside `decode`. Equal are the bytes, the bits from the first one on, and what is
 * said of them.
 */

const width = 800;
/** Of a larger recording, so many bytes are read: it ends inside a record then, as recordings do. */
const most = 1 << 20;
/** Of each recording, so many records are compared beside one of every kind: a hundred of them all. */
const randomOnes = 4;

const isRecording = /\.(demo|pcap|pcapng|netlog)$/;
const samples = names.filter((name) => isRecording.test(name)).map((name) => [name, () => read(name)] as const);
const recordings = ['', 'ddnet20/'].flatMap((folder) =>
  corpusFiles(isRecording, folder).map((name) => [folder + name, () => corpusFile(folder + name)] as const),
);

/** What a row of bytes says: the bit at which it begins, counted from the first row, and its text. */
type Row = readonly [bits: number, text: string];

/**
 * The rows of bytes among lines: those that begin with an address, and a second one of decompressed bytes. Findings are
 * none.
 */
function rowsIn(lines: readonly string[]): Row[] {
  const rows = lines.flatMap((line) => {
    const [, byte, bit = 0, text] = /^ *([0-9a-f]+)(?:\.([0-7]) +[0-9a-f]{4,})? {2}(.*)$/.exec(line) ?? [];
    return byte === undefined || text!.startsWith('! ')
      ? []
      : [[8 * Number.parseInt(byte, 16) + Number(bit), text!.trimEnd()] as const];
  });
  return rows.map(([bits, text]) => [bits - rows[0]![0], text]);
}

/** The rows of bytes that the page has of a record. */
function rowsOf(recording: Recording, { kind, number }: RecordRow): Row[] {
  const { payload, spans } =
    kind === 'snapshot' ? inspect(recording, number) : inspectRecord(recording, { kind, number })!;
  return rowsIn(renderRows({ ...payload.layers, spans }, { theme: plainTheme, width, verbose: false }));
}

/** What kinds a record has: a packet those of its messages, too. */
function kindsOf(recording: Recording, row: RecordRow): string[] {
  const name = `${row.kind} ${nameOfRecord(recording, row)}`;
  if (row.kind !== 'packet') return [name];
  const contents = contentsOf(recording, row);
  if (contents?.kind !== 'packet') return [`${name} withheld`];
  const { packet, messages, values } = contents;
  return [
    `${name} ${packet?.kind ?? 'unreadable'} ${values.map(({ name }) => name)}`,
    ...messages.map(({ message }) => `${name} ${messageName(message)}`),
  ];
}

/** A record of every kind. */
function oneOfEach(recording: Recording): RecordRow[] {
  const seen = new Set<string>();
  return recordsOf(recording).filter((row) => {
    const added = kindsOf(recording, row).filter((kind) => !seen.has(kind));
    for (const kind of added) seen.add(kind);
    return added.length > 0;
  });
}

/** The rows of a dump of a demo, found by the address in the file of the chunk that they are in. */
class DemoDump {
  readonly #lines: readonly string[];
  readonly #at = new Map<number, number>();

  constructor(text: string) {
    this.#lines = [...linesOf(text), ''];
    for (const [i, line] of this.#lines.entries()) {
      const [, address] = /^ *([0-9a-f]+) .* chunk=/.exec(line) ?? [];
      if (address !== undefined) this.#at.set(Number.parseInt(address, 16), i);
    }
  }

  chunk(address: number): Row[] {
    // The head of a chunk has a row of its own. Before a tick, there is an empty line.
    const first = this.#at.get(address)! + 1;
    const end = this.#lines.findIndex((line, i) => i >= first && (line === '' || / chunk=/.test(line)));
    return rowsIn(this.#lines.slice(first, end));
  }

  /** The chunk whose payload is at an address: its head has 1 to 3 bytes. */
  payload(address: number): Row[] {
    const head = [1, 2, 3].find((size) => this.#at.has(address - size));
    return head ? this.chunk(address - head) : [];
  }
}

/** Demos of servers have the network's snapshots, too. A dump does not open them. */
const isSnapshotMessage = (recording: Recording, row: RecordRow) =>
  row.kind === 'message' && /^snap(_|$)/.test(nameOfRecord(recording, row));

const withoutBits = (rows: readonly Row[]) =>
  rows.map(([, text]) => text.replace(/ (padding=\d|rest=[0 ]+)$/, '').trimEnd());

/** The command line's rows of the records of a recording. */
class Printed {
  readonly #file: Uint8Array;
  readonly #demo: DemoDump | undefined;
  readonly #packets = new Map<number, Row[]>();

  constructor(file: Uint8Array, isDemo: boolean, dump: string) {
    this.#file = file;
    if (isDemo) this.#demo = new DemoDump(dump);
    else
      for (const text of dump.split(/\n(?=#\d)/))
        this.#packets.set(Number(/^#(\d+)/.exec(text.trim())?.[1]), rowsIn(linesOf(text).slice(1)));
  }

  /** The page's rows of a record, and those printed. */
  async beside(recording: Recording, row: RecordRow): Promise<[own: unknown, printed: unknown]> {
    const { track, protocol } = recording;
    const own = rowsOf(recording, row);
    if (row.kind === 'packet') return [own, this.#packets.get(track.packets[row.number]!.frame)];
    if (row.kind === 'snapshot') {
      if (this.#demo) return [own, this.#demo.payload(recording.snapshot(row.number).offset)];
      return [own, await this.#decoded(`file@${row.tick} --client ${clientOf(track)}`, this.#file)];
    }
    const message = track.messages[row.number]!;
    if (this.#demo && message.chunk !== undefined && !isSnapshotMessage(recording, row))
      return [own, this.#demo.chunk(message.chunk)];
    const { version = protocol.version } = recording.readMessage(message).message;
    const printed = await this.#decoded(`file -f message -p ${version}`, messageBytes(message));
    return [withoutBits(own), withoutBits(printed)];
  }

  async #decoded(words: string, file: Uint8Array): Promise<Row[]> {
    return rowsIn(linesOf((await run(`decode ${words} --width ${width}`, { file })).stdout));
  }
}

async function compare(file: Uint8Array): Promise<number> {
  const { tracks, schema, header } = reportDataOf((await report(file, '--limit 100')).page);
  const { stdout } = await run(`dump file -t hexdump --width ${width}`, { file });
  const printed = new Printed(file, header !== undefined, stdout);
  let compared = 0;
  for (const [i, track] of tracks.entries()) {
    const recording = new Recording({ tracks: [track], schema });
    const all = recordsOf(recording);
    const next = seeded(58);
    const random = Array.from({ length: i === 0 ? randomOnes : 0 }, () => all[next() % all.length]!);
    // Ticks begin again on another map: FILE@TICK is the snapshot of the first map that has come so far.
    const earlier = tracks.slice(0, i).filter((other) => clientOf(other) === clientOf(track));
    const isAgain = ({ kind, tick }: RecordRow) =>
      kind === 'snapshot' && earlier.some(({ snapshots }) => snapshots.at(-1)!.tick >= tick);
    for (const row of [...oneOfEach(recording), ...random]) {
      const what = `${row.kind} ${row.number} ${nameOfRecord(recording, row)} at tick ${row.tick}`;
      const saying = sayingOf(recording, row);
      expect(saying, what).toBeTypeOf('string');
      if (row.kind === 'packet' && track.packets[row.number]!.bytes.length === 0) {
        expect(saying).toContain('password');
        continue;
      }
      if (isAgain(row)) continue;
      const [own, others] = await printed.beside(recording, row);
      expect(own, what).toEqual(others);
      compared++;
    }
  }
  return compared;
}

const title = 'has in the page the rows that dump and decode print: a record of every kind, and random ones';

describe('the samples', () => {
  it.each(samples)(`%s ${title}`, async (_, open) => {
    expect(await compare(open())).toBeGreaterThan(0);
  });
});

describe.skipIf(!hasCorpus)('recordings of games (needs ../shared)', () => {
  it.each(recordings)(`%s ${title}`, async (_, open) => {
    expect(await compare(open().slice(0, most))).toBeGreaterThan(0);
  });
});
