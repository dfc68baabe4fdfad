import type { CaptureRecord } from '../../src/recording/capture.ts';
import type { Connection } from '../../src/recording/connection.ts';
import { CaptureDumpCsv } from '../../src/view/csv/capture-dump-csv.ts';
import { CaptureDumpJson } from '../../src/view/json/capture-dump-json.ts';
import { undecodable } from '../../src/view/text/capture-words.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { CaptureTimeline } from '../../src/view/timeline/capture-timeline.ts';
import { CommandError, exit } from '../lib/errors.ts';
import { noClient } from '../lib/input/capture-client.ts';
import { packetReplay } from '../lib/input/capture-replay.ts';
import type { Opened } from '../lib/input/open.ts';
import { outputStyle } from '../lib/output/output.ts';
import { type DumpContext, reportDiagnostic } from './context.ts';

/** Turns records into text. */
interface View {
  /** The story has to know what went before, too. */
  add(record: CaptureRecord, isShown: boolean): string;
  finish?(): string;
}

/** Shows records as they come: when the input pauses, all of it has been shown. */
export async function dumpCapture(opened: Opened, dumping: DumpContext): Promise<number> {
  const { options, added, wanted, stream } = dumping;
  const messages = options.messages && options.to !== 'csv' && (wanted.all || options.type !== undefined);
  const replay = packetReplay(opened.container, { extraItems: added, messages });
  const view = await viewOf(dumping);
  const range = new TickRange(options.ticks ?? { from: 0, to: Infinity });
  let status: number = exit.fine;
  const take = async (records: Iterable<CaptureRecord>) => {
    for (const record of records) {
      if (record.event === 'finding')
        status = Math.max(status, await reportDiagnostic(opened.name, record.finding, dumping));
      else if (options.client !== undefined && record.connection.client !== options.client) continue;
      status = Math.max(status, await statusOf(record, opened.name, dumping));
      const isShown = range.has(record);
      if (isShown || options.to === 'text') await stream.write(view.add(record, isShown));
    }
  };
  let failure: CommandError | undefined;
  try {
    for await (const piece of opened.pieces) {
      await take(replay.feed(piece));
      await stream.flush();
    }
  } catch (error) {
    // Compressed data may end early: what came before is shown.
    if (!(error instanceof CommandError)) throw error;
    failure = error;
  }
  await take(replay.finish());
  await stream.write(view.finish?.() ?? '');
  if (failure) throw failure;
  const { client } = options;
  if (client !== undefined && !replay.connections.some((one) => one.client === client)) {
    throw noClient(opened.name, client, replay.connections);
  }
  return status;
}

async function statusOf(record: CaptureRecord, name: string, { options, io }: DumpContext): Promise<number> {
  if (record.event === 'undecodable') {
    if (options.to !== 'text' || !io.stdout.isTerminal) {
      await io.stderr.write(`tw-snap: ${escapeText(name)}: ${undecodable(record)}\n`);
    }
    return exit.unreadable;
  }
  return record.event === 'snapshot' && record.received.ok === false ? exit.finding : exit.fine;
}

/** Keeps to the ticks that are asked for: of a connection, what comes while its last snapshot has one of them. */
class TickRange {
  readonly #from: number;
  readonly #to: number;
  readonly #ticks = new Map<Connection, number>();

  constructor({ from, to }: { from: number; to: number }) {
    this.#from = from;
    this.#to = to;
  }

  has(record: CaptureRecord): boolean {
    if (record.event === 'finding') return true;
    const { connection } = record;
    if (record.event === 'snapshot') this.#ticks.set(connection, record.received.tick);
    const tick = this.#ticks.get(connection) ?? 0;
    return tick >= this.#from && tick <= this.#to;
  }
}

async function viewOf({ options, wanted, io }: DumpContext): Promise<View> {
  switch (options.to) {
    case 'ndjson':
      return new CaptureDumpJson(wanted, options.changes === true);
    case 'csv':
      return new CaptureDumpCsv(wanted, wanted.only);
    default:
      return new CaptureTimeline({
        ...(await outputStyle(options, io)),
        only: wanted.all ? undefined : wanted.message,
      });
  }
}
