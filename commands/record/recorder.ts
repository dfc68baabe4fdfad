import { ClientDemo, type FindMap } from '../../src/editing/client-demo.ts';
import { renderWritten } from '../../src/output/reports/edit.ts';
import { nameText, pathText } from '../../src/output/text/escape.ts';
import { shortened } from '../../src/output/text/layout.ts';
import { count, nonZero, size, thousands } from '../../src/output/text/number.ts';
import { Timeline } from '../../src/output/timeline/timeline.ts';
import { CaptureReplay } from '../../src/recording/capture/capture-replay.ts';
import { handshakeStepOf } from '../../src/recording/capture/handshake.ts';
import { endpointText } from '../../src/recording/container/net/ip.ts';
import { isNotRebuilt, type RecordingEntry, type Verdict } from '../../src/recording/replay/record.ts';
import type { ReadOptions } from '../../src/recording/replay/replay.ts';
import type { ConnectionStream, Direction } from '../../src/recording/replay/stream.ts';
import { inputError } from '../lib/options/errors.ts';
import type { Printing } from '../lib/output/printing.ts';
import type { Io } from '../lib/platform/io.ts';
import { printNote } from '../lib/platform/note.ts';
import { localTime } from '../lib/run/demo-output.ts';
import { GrowingCapture, GrowingDemo } from './files.ts';
import type { Passenger } from './relay.ts';

type End = { readonly address: string; readonly port: number };

interface RecorderOptions {
  /** The name of the first file. */
  readonly output: string;
  readonly server: End;
  readonly schema: ReadOptions['schema'];
  readonly findMap: FindMap;
  readonly printing: Printing;
  readonly io: Io;
}

/** The connections of one client, one after the other, whose counts are kept. */
const maxConnections = 64;

/** Records what the clients of a relay are sent, each as its own demo, or all as a capture; and says what happens. */
export class Recorder {
  readonly options: RecorderOptions;
  readonly #timeline: Timeline;
  readonly #capture: GrowingCapture | undefined;
  readonly #clients = new Set<ClientRecorder>();
  readonly #counts = { right: 0, wrong: 0, unchecked: 0, lost: 0 };
  #demos = 0;
  #passed = 0;
  /** What passed since the last second. */
  #bytes = 0;
  #snapshots = 0;
  #hasStatus = false;
  /** What is printed, each after the other. */
  #printed: Promise<unknown> = Promise.resolve();

  constructor(options: RecorderOptions) {
    this.options = options;
    this.#timeline = new Timeline({ ...options.printing, only: () => true });
    if (options.output.endsWith('.pcapng')) this.#capture = new GrowingCapture(options.output);
  }

  board(client: End): Passenger {
    const recorder = new ClientRecorder(this, client, this.#capture === undefined);
    this.#clients.add(recorder);
    return recorder;
  }

  leave(client: ClientRecorder): void {
    this.#clients.delete(client);
  }

  /** The number of a datagram, from 1. */
  passes(time: number, from: End, to: End, datagram: Uint8Array): number {
    this.#capture?.add(time, from, to, datagram);
    this.#bytes += datagram.length;
    return ++this.#passed;
  }

  add(entry: RecordingEntry): void {
    if (entry.record === 'snapshot') {
      this.#snapshots++;
      this.#counts[outcomeOf(entry.verdict)]++;
    }
    this.print(this.#timeline.add(entry));
  }

  begins(): void {
    this.#demos++;
  }

  note(text: string): void {
    const { io } = this.options;
    this.#after(() => printNote(text, io));
  }

  /** A line that breaks between words in a narrow terminal. */
  line(text: string): void {
    this.print(this.options.printing.fit(`${text}\n`));
  }

  print(text: string): void {
    if (text !== '') this.#after(() => this.options.io.stdout.write(text));
  }

  /** What passed in the last second, on a terminal in a line that stays the last one. */
  async everySecond(): Promise<void> {
    const { io } = this.options;
    this.print(this.#timeline.pause());
    const { right, wrong } = this.#counts;
    const connected = [...this.#clients].filter(({ isConnected }) => isConnected).length;
    const parts = [
      count(connected, 'client'),
      `${this.#snapshots} snapshots/s`,
      `${size(this.#bytes)}/s`,
      `${thousands(right)} checksums right`,
      ...nonZero([wrong, `${thousands(wrong)} wrong`]),
    ];
    this.#bytes = 0;
    this.#snapshots = 0;
    await this.#printed;
    if (!io.stderr.isTerminal || io.isQuiet) return;
    this.#hasStatus = true;
    await io.stderr.write(`\r${shortened(parts.join(', '), (io.stderr.columns ?? 80) - 1)}\u001b[K`);
  }

  /**
   * After the last packet. @returns whether all checksums were right @throws CommandError if there is nothing to keep
   */
  async finish(refused: number): Promise<boolean> {
    const capture = this.#capture;
    this.print(this.#timeline.finish());
    capture?.finish();
    const { right, wrong, lost } = this.#counts;
    if (capture) this.line(`${pathText(capture.path)}   ${count(capture.packets, 'packet')}   ${size(capture.bytes)}`);
    const snapshots = [`${thousands(right)} right`, ...nonZero([wrong, `${thousands(wrong)} wrong`])];
    const left = nonZero([lost, `; ${count(lost, 'snapshot')} without a base or a part`]);
    if (right + wrong + lost > 0) this.line(`checksums: ${snapshots.join(', ')}${left.join('')}`);
    if (refused > 0) this.note(`${count(refused, 'datagram')} not passed on, of nobody who takes part`);
    await this.#printed;
    if (this.#demos === 0 && !capture?.packets) throw inputError('nothing was recorded: no client was in a game');
    return wrong === 0;
  }

  #after(write: () => Promise<void>): void {
    this.#printed = this.#printed.then(async () => {
      if (this.#hasStatus) await this.options.io.stderr.write('\r\u001b[K');
      this.#hasStatus = false;
      await write();
    });
  }
}

/**
 * Records one client: its connections, of which each has a demo for each map. The packets after the end of a connection
 * are those of nobody, until the client asks for another.
 */
class ClientRecorder implements Passenger {
  isProven = false;
  readonly #all: Recorder;
  readonly #client: End;
  readonly #writesDemos: boolean;
  #replay: CaptureReplay;
  #isOver = false;
  #stream: ConnectionStream | undefined;
  #demo: ClientDemo | undefined;
  #file: GrowingDemo | undefined;

  constructor(all: Recorder, client: End, writesDemos: boolean) {
    this.#all = all;
    this.#client = client;
    this.#writesDemos = writesDemos;
    this.#replay = this.#newReplay();
  }

  get isConnected(): boolean {
    return this.#stream !== undefined;
  }

  pass(direction: Direction, datagram: Uint8Array): void {
    const { server } = this.#all.options;
    const [from, to] = direction === 'to_server' ? [this.#client, server] : [server, this.#client];
    const time = Date.now() / 1000;
    const number = this.#all.passes(time, from, to, datagram);
    if (this.#isOver || this.#replay.streams.length >= maxConnections) this.#beginAgain(direction, datagram);
    if (this.#isOver) return;
    const source = from.address;
    const sourcePort = from.port;
    const destination = to.address;
    const destinationPort = to.port;
    const place = { time, number, source, sourcePort, destination, destinationPort };
    for (const entry of this.#replay.datagram(place, datagram)) this.#add(entry);
    this.#file?.flush();
  }

  end(): void {
    if (!this.#isOver) for (const entry of this.#replay.end()) this.#add(entry);
    this.#finish();
    this.#all.leave(this);
  }

  #newReplay(): CaptureReplay {
    return new CaptureReplay({ schema: this.#all.options.schema!, hidesSecrets: true });
  }

  /** Another connection begins with a request. */
  #beginAgain(direction: Direction, datagram: Uint8Array): void {
    const kind = handshakeStepOf(datagram)?.kind;
    if (direction !== 'to_server' || (kind !== 'connect' && kind !== 'token_request')) return;
    this.#finish();
    this.#replay = this.#newReplay();
    this.#isOver = false;
  }

  #add(entry: RecordingEntry): void {
    const { record, stream } = entry;
    if (record === 'connection') this.#begin(entry.stream);
    if (record === 'message' && entry.direction === 'to_client' && this.#stream?.hasTokens) this.isProven = true;
    this.#all.add(entry);
    if (stream !== undefined && stream === this.#stream) this.#demo?.add(entry);
    if (record !== 'close' || stream !== this.#stream) return;
    const who = entry.direction === 'to_server' ? 'leaves' : 'is closed by the server';
    this.#say(`${who}${entry.reason === '' ? '' : ` (${nameText(entry.reason)})`}`);
    this.#finish();
    this.#isOver = true;
  }

  #begin(stream: ConnectionStream): void {
    this.#finish();
    this.#stream = stream;
    this.#say(`connects${stream.version === undefined ? '' : `, ${stream.version}`}`);
    if (!this.#writesDemos) return;
    const { output, findMap } = this.#all.options;
    const begin = ({ time }: { readonly time: number }) => {
      this.#finishFile();
      const file = new GrowingDemo(output);
      this.#file = file;
      this.#all.begins();
      return { timestamp: localTime(new Date(1000 * time)), emit: (entry: RecordingEntry) => this.#emit(file, entry) };
    };
    this.#demo = new ClientDemo(begin, findMap);
  }

  #emit(file: GrowingDemo, entry: RecordingEntry): void {
    file.add(entry);
    if (entry.record !== 'header') return;
    const { mapName, mapSize } = entry.header;
    const map = nameText(mapName) || 'of unknown name';
    const name = pathText(file.path);
    this.#say(`is recorded as ${name}, map ${map}`);
    if (mapSize > 0) return;
    this.#all.note(`${name}: the map is not in it: the client has it already, and its file was not found (--map)`);
  }

  #finish(): void {
    this.#finishFile();
    this.#demo = undefined;
    const stream = this.#stream;
    this.#stream = undefined;
    if (stream) this.#all.add({ record: 'drop', stream, time: stream.lastTime, frame: 0 });
  }

  #finishFile(): void {
    const file = this.#file;
    this.#file = undefined;
    if (!file) return;
    file.finish();
    const { theme } = this.#all.options.printing;
    const { path, recorder } = file;
    const lines = renderWritten([{ name: pathText(path), recorder, about: [] }], theme);
    for (const line of lines) this.#all.line(line);
    if (recorder.hasOneTick) this.#all.note(`${pathText(path)}: only one tick: the games do not play it`);
  }

  #say(what: string): void {
    this.#all.note(`${endpointText(this.#client.address, this.#client.port)} ${what}`);
  }
}

function outcomeOf(verdict: Verdict): 'right' | 'wrong' | 'unchecked' | 'lost' {
  if (verdict === 'ok') return 'right';
  return verdict === 'mismatch' ? 'wrong' : isNotRebuilt(verdict) ? 'lost' : 'unchecked';
}
