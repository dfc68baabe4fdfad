import { CaptureSummary } from '../../src/recording/capture-summary.ts';
import {
  isLoss,
  isOfClient,
  type RecordingEntry,
  type SnapshotEntry,
  type Stream,
} from '../../src/recording/record.ts';
import { emptyBase, unknownBase } from '../../src/recording/track.ts';
import { TrackBuilder } from '../../src/recording/track-builder.ts';
import { sizeBreakdown } from '../../src/report/size-breakdown.ts';
import { RecordingStats } from '../../src/stats/recording-stats.ts';
import { captureRows, connectionRows, verdict } from '../../src/view/info/capture-info.ts';
import { diagnosticLine } from '../../src/view/text/diagnostic-messages.ts';
import { plainTheme } from '../../src/view/text/theme.ts';
import { size } from '../../src/view/text/units.ts';
import { exit } from '../lib/errors.ts';
import { requireClient } from '../lib/input/capture-client.ts';
import { readRecords } from '../lib/input/read-records.ts';
import { type Budget, factOf, type Gathered, maxDiagnostics, nameOf, type Reporting, shownFact } from './gathered.ts';

/** What a report tells of a capture: a track for each connection and each map, and what `info` says. */
export async function gatherCapture({ opened, options, added, budget }: Reporting): Promise<Gathered> {
  const { client } = options;
  const replay = opened.format!.open({ extraItems: added, parts: true });
  const stats = new RecordingStats(replay, { client, range: options.ticks });
  const capture = new CaptureSummary(client);
  const tracks = new Tracks(budget);
  const { bytes, failure } = await readRecords(opened, replay, (record) => {
    if (!isOfClient(record.stream, client)) return;
    capture.add(record);
    stats.add(record);
    tracks.add(record);
  });
  if (failure) throw failure;
  stats.finish(bytes);
  requireClient(opened.name, client, replay.streams);
  if (tracks.all.length === 0) throw budget.nothing(tracks.first, tracks.last);
  const container = replay.container ?? 'unknown';
  const info = { file: opened.name, container, bytes, capture, datagrams: replay.datagrams! };
  const rows = [
    ...captureRows(info),
    ...(capture.connections.length === 1 ? connectionRows(capture.connections[0]!, capture, plainTheme, false) : []),
  ];
  const isBroken = capture.diagnostics.some(({ severity }) => severity === 'error') || capture.undecodable > 0;
  const isWrong = capture.connections.some(({ outcomes }) => outcomes.mismatch > 0);
  return {
    reportData: {
      name: nameOf(opened.name),
      kind: `${container}, ${size(bytes)}`,
      health: verdict(info, plainTheme),
      tone: isBroken || isWrong ? 'bad' : 'good',
      facts: [...rows.map(factOf).filter(({ text }) => text !== ''), ...shownFact(options.ticks)],
      diagnostics: [...capture.diagnostics.map(diagnosticLine), ...tracks.mismatches].slice(0, maxDiagnostics),
      weights: sizeBreakdown(stats.tally),
      added,
      tracks: tracks.all.map((track) => track.build()),
    },
    status: isBroken ? exit.unreadable : isWrong ? exit.finding : exit.fine,
  };
}

/** Ticks that go back further than this start again. */
const lateTicks = 300;

/** A snapshot that came without a delta is its base unchanged. */
const nothingChanged = Uint8Array.of(0, 0, 0);

/** What is being gathered of a connection. */
interface Gathering {
  readonly track: TrackBuilder;
  readonly byTick: Map<number, number>;
  tick: number;
}

class Tracks {
  readonly #budget: Budget;
  readonly #gathering = new Map<Stream, Gathering>();
  readonly all: TrackBuilder[] = [];
  readonly mismatches: string[] = [];
  first = -1;
  last = -1;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  add(record: RecordingEntry): void {
    if (record.record === 'snapshot') this.#receive(record);
    else if (record.record === 'message' && record.direction === 'to_client') {
      const { track, tick } = this.#of(record.stream);
      if (tick < 0 || this.#budget.has(tick)) track.addMessage(tick, record.bytes);
    }
  }

  #receive(entry: SnapshotEntry): void {
    const {
      tick,
      base,
      announced,
      verdict,
      payload = isLoss(verdict) ? undefined : nothingChanged,
      payloadKind,
      encoding,
      snapshot,
      before,
      stream: connection,
    } = entry;
    if (this.first < 0) this.first = tick;
    this.last = Math.max(this.last, tick);
    if (tick < this.#of(connection).tick - lateTicks) this.#gathering.delete(connection);
    const one = this.#of(connection);
    one.tick = tick;
    if (!payload || !this.#budget.has(tick)) return;
    if (one.byTick.size === 0) this.all.push(one.track);
    const from = base === emptyBase ? emptyBase : one.byTick.get(base);
    const added = {
      tick,
      kind: payloadKind,
      encoding,
      payload,
      offset: -1,
      before,
      announced,
      uncertain: false,
    } as const;
    one.byTick.set(tick, one.track.add({ ...added, base: snapshot ? from : unknownBase }));
    this.#budget.reach(
      tick,
      this.all.reduce((sum, { bytes }) => sum + bytes, 0),
    );
    if (verdict !== 'mismatch') return;
    const sums = `announced ${announced}, rebuilt ${snapshot!.checksum()}`;
    this.mismatches.push(`${connection.client}: tick ${tick} on base ${base}: ${sums}`);
  }

  #of(connection: Stream): Gathering {
    let one = this.#gathering.get(connection);
    if (!one) {
      const { client, protocol } = connection;
      const sameClient = this.all.filter(({ name }) => name === client || name.startsWith(`${client} `)).length;
      const name = sameClient === 0 ? client : `${client} (${sameClient + 1})`;
      one = { track: new TrackBuilder(name, protocol), byTick: new Map(), tick: -1 };
      this.#gathering.set(connection, one);
    }
    return one;
  }
}
