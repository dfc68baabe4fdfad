import { describe, expect, it } from 'vitest';
import { inspect } from '../../src/page/inspect.ts';
import { inspectRecord } from '../../src/page/inspect-record.ts';
import { messageBytes, Recording } from '../../src/page/recording.ts';
import { contentsOf, nameOfRecord, type RecordRow, recordsOf, sayingOf } from '../../src/page/records.ts';
import { clientOf } from '../../src/recording/track.ts';
import { messageName } from '../../src/text/message-name.ts';
import { plainTheme } from '../../src/text/theme.ts';
import { renderRows } from '../../src/view/hexdump/hexdump.ts';
import { corpusFile, corpusFiles } from '../support/corpus.ts';
import { report, reportDataOf } from '../support/report.ts';
import { linesOf, run } from '../support/run.ts';
import { names, read } from '../support/samples.ts';

const width = 400;
/** The dump of a large recording has hundreds of megabytes: of these, some ticks are compared. */
const [large, someTicks] = [1 << 20, 100];

const isRecording = /\.(demo|pcap|pcapng|netlog)$/;
const files: [name: string, read: () => Uint8Array][] = [
  ...names.filter((name) => isRecording.test(name)).map((name): [string, () => Uint8Array] => [name, () => read(name)]),
  ...['', 'ddnet20/'].flatMap((folder) =>
    corpusFiles(isRecording, folder).map((name): [string, () => Uint8Array] => [name, () => corpusFile(folder + name)]),
  ),
];

/** Without the addresses, which the page counts from the beginning of a record, and the zeros that end an int of a demo. */
const meaning = (rows: readonly string[]) =>
  rows.map((row) =>
    row
      .replace(/ (padding=\d|rest=[0 ]+)$/, '')
      .replace(/^ *[0-9a-f]+(\.[0-7] +[0-9a-f]{4,})? {2}/, '')
      .trim(),
  );

/** The rows of bytes that the page has of a record. */
function rowsOf(recording: Recording, { kind, number }: RecordRow): string[] {
  const { payload, spans } =
    kind === 'snapshot' ? inspect(recording, number) : inspectRecord(recording, { kind, number })!;
  return renderRows({ ...payload.layers, spans }, { theme: plainTheme, width, verbose: false });
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

/** Demos of servers have the network's snapshots, too. A dump does not open them, and `decode` does. */
const isSnapshotMessage = (recording: Recording, row: RecordRow) =>
  row.kind === 'message' && /^snap_/.test(nameOfRecord(recording, row));

/** A record of every kind. */
function oneOfEach(recording: Recording, last: number): RecordRow[] {
  const seen = new Set<string>();
  return recordsOf(recording).filter((row) => {
    if (row.tick > last) return false;
    const added = kindsOf(recording, row).filter((kind) => !seen.has(kind));
    for (const kind of added) seen.add(kind);
    return added.length > 0;
  });
}

/** The rows of a dump below the head of the chunk at an address of a demo, or from a payload at an address on. */
class DemoDump {
  readonly #lines: readonly string[];
  readonly #at = new Map<string, number>();

  constructor(text: string) {
    this.#lines = linesOf(text);
    for (const [i, line] of this.#lines.entries()) {
      const [, address] = /^ *([0-9a-f]+(?:\.[0-7])?) /.exec(line) ?? [];
      if (address !== undefined && !this.#at.has(address)) this.#at.set(address, i);
    }
  }

  /** @returns undefined if no row begins there */
  from(address: number, count: number): string[] | undefined {
    const hex = address.toString(16);
    // Addresses of bytes have four digits at least, those of bits do not.
    let at = this.#at.get(hex.padStart(4, '0')) ?? this.#at.get(`${hex}.0`);
    if (at === undefined) return undefined;
    // The head of a chunk has a row of its own.
    if (/ chunk=/.test(this.#lines[at]!)) at++;
    return meaning(this.#lines.slice(at, at + count));
  }
}

describe.skipIf(files.some(([name]) => name === 'recordings'))(
  'one record of every kind (needs ../shared/corpus)',
  () => {
    it.each(files)('%s: has in the page the rows that dump or decode prints', async (_, open) => {
      const file = open();
      const { tracks, schema, header } = reportDataOf((await report(file, '--limit 100')).page);
      const recordings = tracks.map((track) => new Recording({ tracks: [track], schema }));
      const first = Math.min(...recordings.map(({ ticks }) => ticks.from));
      const last = file.length > large ? first + someTicks : Number.POSITIVE_INFINITY;
      const range = file.length > large ? `--ticks first..${last}` : '';
      const { stdout } = await run(`dump file -t hexdump --width ${width} ${range}`, { file });
      const isDemo = header !== undefined;
      const packets = new Map(
        isDemo
          ? []
          : stdout.split(/\n(?=#\d)/).map((text) => [Number(/^#(\d+)/.exec(text.trim())?.[1]), linesOf(text)]),
      );
      const dump = isDemo ? new DemoDump(stdout) : undefined;
      const differ: string[] = [];
      let compared = 0;
      for (const recording of recordings) {
        const { track, protocol } = recording;
        for (const row of oneOfEach(recording, last)) {
          const what = `${row.kind} ${row.number} ${nameOfRecord(recording, row)} at tick ${row.tick}`;
          // It says something, whatever it is.
          expect(sayingOf(recording, row), what).toBeTypeOf('string');
          if (row.kind === 'packet' && track.packets[row.number]!.bytes.length === 0) continue;
          const own = meaning(rowsOf(recording, row));
          let others: string[] | undefined;
          if (row.kind === 'packet') others = meaning(packets.get(track.packets[row.number]!.frame) ?? []);
          else if (dump && !isSnapshotMessage(recording, row)) {
            const at =
              row.kind === 'snapshot'
                ? recording.snapshot(row.number).offset
                : (track.messages[row.number]!.chunk ?? -1);
            others = dump.from(at, own.length);
          } else if (row.kind === 'message') {
            const bytes = messageBytes(track.messages[row.number]!);
            const { stdout: text } = await run(`decode file -f message -p ${protocol.version} --width ${width}`, {
              file: bytes,
            });
            others = meaning(linesOf(text));
          } else {
            const line = ['decode', `file@${row.tick}`, '--client', clientOf(track), '--width', String(width)];
            others = meaning(linesOf((await run(line, { file })).stdout));
          }
          compared++;
          if (others?.join('\n').includes(own.join('\n'))) continue;
          const bad = own.findIndex((line) => !others?.includes(line));
          const near = others?.find((line) => line.slice(0, 48) === own[bad]?.slice(0, 48));
          differ.push(`${what}: ${own[bad]}\nbut ${near}`);
        }
      }
      expect(differ.slice(0, 4).join('\n\n')).toBe('');
      expect(compared).toBeGreaterThan(0);
    });
  },
);
