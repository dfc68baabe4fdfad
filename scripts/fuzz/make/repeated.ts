import { gzipSync } from 'node:zlib';
import { DemoWriter, writeDemoHeader } from '../../../src/recording/container/demo/demo-writer.ts';
import { type Bytes, file, text } from '../../../test/support/bytes.ts';
import { ipv4, pcapHeader, pcapRecord, someTime, udp } from '../../../test/support/capture-builder.ts';
import { chunk06, control06, ints, packet06, snapSingle } from '../../../test/support/packet-builder.ts';

/** A file that consists of one record, repeated. Nothing that a command keeps of a record may add up. */
interface Repetition {
  readonly name: `${string}.${'demo' | 'pcap' | 'txt' | 'demo.gz'}`;
  readonly head: Uint8Array;
  /** The record, for the given time. */
  record(number: number): Uint8Array;
}

const firstTick = 100;
/** A snapshot with one item: its type, id and data. */
const keyframe = Int32Array.of(8, 1, 0, (4 << 16) | 1, 1);
const ticksEnd = 0x6fffffff;

const netVersion = '0.6 626fce9a778df4d4';
const header = {
  ...{ version: 5, netVersion, mapName: 'dm1', mapSize: 0, mapCrc: 0, type: 'client' },
  ...{ length: 0, timestamp: '', markers: [] },
};

/** What a writer of demos writes for some parts. */
function parts(write: (writer: DemoWriter) => void): Uint8Array {
  const writer = new DemoWriter(5);
  write(writer);
  return writer.flush();
}

/** A message as the ints of a demo: its id, whether it is a system message, and its fields. */
function message(id: number, ...fields: Bytes): Int32Array {
  const bytes = [(id << 1) & 0x3f, ...fields];
  const padded = Uint8Array.from([...bytes, ...new Array<number>(-bytes.length & 3).fill(0)]);
  return new Int32Array(padded.buffer);
}

/** A chat line of a player, or of the server: its `client_id` is -1. */
const chat = (line: string, client = 1) => message(3, 0, client < 0 ? 0x40 : client, ...text(line), 0);

function demo(name: string, write: (writer: DemoWriter, number: number) => void): Repetition {
  const start = parts((writer) => {
    writer.tick(firstTick, true);
    writer.chunk('snapshot', writer.encode(keyframe));
  });
  return {
    name: `${name}.demo`,
    head: file([...writeDemoHeader(header)], [...start]),
    record: (number) => parts((writer) => write(writer, number)),
  };
}

const tickOf = (number: number) => firstTick + 1 + (number % (ticksEnd - firstTick - 1));

const [client, server, clientPort, serverPort] = [[10, 0, 0, 1], [10, 0, 0, 2], 50_000, 8303] as const;

interface Sender {
  readonly up?: boolean;
  readonly port?: number;
  readonly address?: Bytes;
}

function packet(bytes: Uint8Array, number: number, { up = false, port = clientPort, address = client }: Sender = {}) {
  const [from, to] = up ? [port, serverPort] : [serverPort, port];
  const [source, destination] = up ? [address, server] : [server, address];
  const seconds = someTime + Math.floor(number / 50);
  const time = { seconds, fraction: (number % 50) * 20_000 };
  return file(pcapRecord(ipv4(udp([...bytes], from, to), { source, destination }), time));
}

const capture = (name: string, record: Repetition['record']): Repetition => ({
  name: `${name}.pcap`,
  head: file(pcapHeader({ linkType: 101 }), [
    ...packet(control06(1), 0, { up: true }),
    ...packet(control06(2), 0),
    ...packet(control06(3), 0, { up: true }),
  ]),
  record,
});

const vital = (number: number) => ({ vital: true, sequence: (number + 1) % 1024 });

export const repetitions: readonly Repetition[] = [
  demo('message', (writer) => writer.chunk('message', writer.encode(chat('gg')))),
  demo('chat', (writer, number) => {
    writer.tick(tickOf(number), false);
    writer.chunk('message', writer.encode(chat(`line ${number}`)));
  }),
  demo('names', (writer, number) =>
    writer.chunk('message', writer.encode(chat(`'player ${number}' entered and joined the game`, -1))),
  ),
  demo('votes', (writer, number) => writer.chunk('message', writer.encode(message(11, ...text(`vote ${number}`), 0)))),
  demo('kill', (writer, number) => {
    writer.tick(tickOf(number), false);
    writer.chunk('message', writer.encode(message(4, 0, 1, 1, 0)));
  }),
  { ...demo('step', () => {}), record: () => Uint8Array.of(0xa1) },
  demo('marker', (writer, number) => writer.tick(tickOf(number), false)),
  demo('keyframe', (writer, number) => {
    writer.tick(tickOf(number), true);
    writer.chunk('snapshot', writer.encode(keyframe));
  }),
  demo('snapshot', (writer) => writer.chunk('snapshot', writer.encode(keyframe))),
  demo('empty-delta', (writer) => writer.chunk('delta', writer.encode(Int32Array.of(0, 0, 0)))),
  demo('delta', (writer, number) => {
    writer.tick(tickOf(number), false);
    writer.chunk('delta', writer.encode(Int32Array.of(0, 1, 0, 4, 1, 1, 1)));
  }),
  demo('new-item', (writer, number) => {
    writer.tick(tickOf(number), false);
    writer.chunk(
      'delta',
      writer.encode(Int32Array.of(1, 1, 0, (4 << 16) | ((number % 60_000) + 1), 4, (number + 1) % 60_000, 1, 1)),
    );
  }),
  demo('damaged-delta', (writer, number) => {
    writer.tick(tickOf(number), false);
    writer.chunk('delta', writer.encode(Int32Array.of(-1, 0, 0)));
  }),
  // Two chunks that can be read after each, so that its size is known to be right.
  demo('damaged-message', (writer, number) => {
    writer.chunk('message', new Uint8Array(20).fill(0x55));
    writer.tick(tickOf(number), false);
    for (const line of ['a', 'b']) writer.chunk('message', writer.encode(chat(line)));
  }),
  { ...demo('type-0', () => {}), record: () => Uint8Array.of(0x01, 0x00) },
  capture('connection', (number) =>
    packet(control06(1), number, {
      up: true,
      port: 1024 + (number % 60_000),
      address: [11, (number >>> 16) & 255, (number >>> 8) & 255, number & 255],
    }),
  ),
  capture('empty-snapshot', (number) =>
    packet(packet06([chunk06([(4 << 1) | 1, ...ints(number + 1, number + 2)])]), number),
  ),
  capture('snapshot', (number) =>
    packet(packet06([chunk06(snapSingle(5, number + 1, number + 2, 1, ints(0, 1, 0, 4, 1, 1)))]), number),
  ),
  capture('chat', (number) =>
    packet(packet06([chunk06([3 << 1, 0, 1, ...text(`line ${number}`), 0], vital(number))]), number),
  ),
  capture('same-packet', () => packet(packet06([chunk06([3 << 1, 0, 1, ...text('gg'), 0], vital(0))]), 0)),
  capture('keep-alive', (number) => packet(control06(0), number, { up: number % 2 === 0 })),
  capture('other', (number) => packet(Uint8Array.of(1, 2, 3, 4), number, { port: 53 })),
  { name: 'packets.txt', head: new Uint8Array(0), record: () => file(text('10 00 00 02 00 01 02 03\n')) },
  { name: 'bytes.txt', head: new Uint8Array(0), record: () => file(text('00')) },
];

const common = ['info', 'checksum', 'stats', 'explain', 'report', 'export', 'dump'];
const forms = ['dump -t ndjson', 'dump -t csv', 'dump -t hexdump'];

/** Command lines for such files, by the end of their names; the file follows the command. */
export const commandsOf: Readonly<Record<string, readonly string[]>> = {
  demo: [
    ...common,
    ...forms,
    ...['checksum --messages', 'repair', 'slice --ticks 1..', 'edit --anonymise', 'concat', 'slice --around kill'],
    ...['edit --markers at:kill', 'extract @last', 'extract --map', 'decode @last'],
  ],
  pcap: [...common, ...forms, 'annotate', 'extract --demo', 'extract @last', 'decode @last'],
  txt: ['decode', 'decode -t json', 'decode -t table', 'decode --nth 2', 'info', 'dump', 'explain', 'report --nth 1'],
};

const writing = /^(?:repair|slice|edit|concat|extract|annotate|report|export)\b/;

export function argumentsOf(command: string, path: string, out: string): string[] {
  const [name, ...options] = command.split(' ') as [string, ...string[]];
  const moment = options[0]?.startsWith('@') ? options.shift() : '';
  const files = name === 'concat' ? [path, path] : [path + moment];
  return [name, ...files, ...options, ...(writing.test(command) ? ['-o', out] : [])];
}

/** The bytes of a file of about this size, in pieces. */
export function* repeated({ head, record }: Repetition, size: number): Generator<Uint8Array, void> {
  yield head;
  let [bytes, number] = [head.length, 0];
  while (bytes < size) {
    const pieces: Uint8Array[] = [];
    for (let room = Math.min(1 << 20, size - bytes); room > 0; number++) {
      const bytes = record(number);
      pieces.push(bytes);
      room -= bytes.length;
    }
    const piece = new Uint8Array(Buffer.concat(pieces));
    bytes += piece.length;
    yield piece;
  }
}

/** A small file that contains a large one. */
export const bomb = (repetition: Repetition, size: number): Uint8Array =>
  new Uint8Array(gzipSync(Buffer.concat([...repeated(repetition, size)])));
