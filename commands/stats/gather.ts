import type { ItemType } from '../../src/protocol/item.ts';
import type { TickRange } from '../../src/protocol/ticks.ts';
import { recordsOf } from '../../src/recording/formats.ts';
import { CaptureStats } from '../../src/stats/capture-stats.ts';
import { DemoStats } from '../../src/stats/demo-stats.ts';
import type { StatsReport } from '../../src/view/table/stats-rows.ts';
import { undecodable } from '../../src/view/text/capture-words.ts';
import { diagnosticLine } from '../../src/view/text/diagnostic-messages.ts';
import { CommandError, exit } from '../lib/errors.ts';
import { noClient } from '../lib/input/capture-client.ts';
import { countedInput } from '../lib/input/counted-input.ts';
import type { Opened } from '../lib/input/open.ts';

/** What `stats` has counted of a recording, and what was wrong with it. */
export interface GatheredStats {
  readonly report: StatsReport;
  /** The diagnostics as sentences. */
  readonly diagnostics: readonly string[];
  readonly status: number;
}

export interface GatherOptions {
  readonly client?: string;
  readonly ticks?: TickRange;
  readonly strict?: boolean;
}

/** Compressed data may end early: what came before is counted, and the failure told behind it. */
async function whole(pieces: AsyncIterable<Uint8Array>, take: (pieces: AsyncIterable<Uint8Array>) => Promise<void>) {
  const failed: { error?: CommandError } = {};
  async function* untilFailure() {
    try {
      yield* pieces;
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      failed.error = error;
    }
  }
  await take(untilFailure());
  return failed.error;
}

export async function gatherDemoStats(
  { name, format, pieces }: Opened,
  { ticks, strict }: GatherOptions,
  added: readonly ItemType[],
): Promise<GatheredStats> {
  const stats = new DemoStats(ticks);
  const lines = new DiagnosticLines(strict);
  const input = countedInput(pieces);
  const replay = format!.open({ messages: true, extraItems: added, parts: true });
  const failure = await whole(input.pieces, async (all) => {
    for await (const record of recordsOf(all, replay)) {
      if (record.record === 'diagnostic') {
        lines.add(record.diagnostic.severity, () => diagnosticLine(record.diagnostic));
      } else stats.add(record);
    }
  });
  stats.finish(input.bytes);
  const report = { file: name, container: 'demo', fileBytes: input.bytes, stats };
  return lines.conclude(report, failure);
}

export async function gatherCaptureStats(
  { name, format, pieces }: Opened,
  { client, ticks, strict }: GatherOptions,
  added: readonly ItemType[],
): Promise<GatheredStats> {
  const stats = new CaptureStats({ ...(client === undefined ? {} : { client }), ...(ticks ? { range: ticks } : {}) });
  const lines = new DiagnosticLines(strict);
  const input = countedInput(pieces);
  const replay = format!.open({ messages: false, extraItems: added, parts: true });
  const take = (records: ReturnType<typeof replay.feed>) => {
    for (const record of records) {
      if (client !== undefined && record.stream && record.stream.client !== client) continue;
      if (record.record === 'diagnostic') {
        const text = () => (record.stream ? undecodable(record) : diagnosticLine(record.diagnostic));
        lines.add(record.diagnostic.severity, text);
      }
      stats.add(record);
    }
  };
  const failure = await whole(input.pieces, async (all) => {
    for await (const piece of all) take(replay.feed(piece));
    take(replay.finish());
  });
  stats.finish();
  if (client !== undefined && stats.connections.length === 0) throw noClient(name, client, replay.streams);
  const report = { file: name, container: replay.container ?? 'unknown', fileBytes: input.bytes, stats };
  return lines.conclude(report, failure);
}

/** Diagnostics that are printed; the rest is counted. */
const maxLines = 20;

class DiagnosticLines {
  readonly #strict: boolean;
  readonly #lines: string[] = [];
  #more = 0;
  #status: number = exit.fine;

  constructor(strict = false) {
    this.#strict = strict;
  }

  add(severity: 'warning' | 'error', text: () => string): void {
    this.#status = Math.max(
      this.#status,
      severity === 'error' ? exit.unreadable : this.#strict ? exit.finding : exit.fine,
    );
    if (this.#lines.length < maxLines) this.#lines.push(text());
    else this.#more++;
  }

  conclude(report: StatsReport, failure: CommandError | undefined): GatheredStats {
    const more = this.#more > 0 ? [`${this.#more} more findings`] : [];
    const failed = failure ? [failure.message] : [];
    const diagnostics = [...this.#lines, ...more].map((line) => `${report.file}: ${line}`);
    return { report, diagnostics: [...diagnostics, ...failed], status: Math.max(this.#status, failure?.status ?? 0) };
  }
}
