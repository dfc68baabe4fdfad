import { sha256 as sha256Of } from '@noble/hashes/sha2.js';
import { type Explanation, failuresOf } from '../../analysis/explain/explanation.ts';
import { DemoCheck, RecordingExplainer } from '../../analysis/explain/recording-explainer.ts';
import type { StreamFinding } from '../../analysis/explain/server-faults.ts';
import { type ItemTally, labelOf } from '../../analysis/stats/item-tallies.ts';
import { RecordingStats } from '../../analysis/stats/recording-stats.ts';
import { bitsOfSecond, type Tally } from '../../analysis/stats/tally.ts';
import { storyOf } from '../../output/phrases/connection-phrases.ts';
import { findingText as problemText, warningsText } from '../../output/phrases/finding-phrases.ts';
import {
  demoTexts,
  findingPlace,
  findingText,
  saidOf,
  whereLines,
} from '../../output/reports/explain/explanation-text.ts';
import { contentRows } from '../../output/reports/info-content-rows.ts';
import { healthText, infoRows, kindText } from '../../output/reports/info-rows.ts';
import { thousands } from '../../output/text/number.ts';
import { type LabelledRow, rowText } from '../../output/text/rows.ts';
import { plainTheme } from '../../output/text/theme.ts';
import type { Inflate } from '../../recording/container/map/datafile.ts';
import { readMap } from '../../recording/container/map/game-map.ts';
import { oddityFindings, type Finding as Problem, finding as problem } from '../../recording/health/findings.ts';
import type { MapEntry, RecordingEntry } from '../../recording/replay/record.ts';
import type { Replay } from '../../recording/replay/replay.ts';
import { matchesClient } from '../../recording/replay/stream.ts';
import { RecordingSummary } from '../../recording/summary/recording-summary.ts';
import type { StreamSummary } from '../../recording/summary/stream-summary.ts';
import { join } from '../../wire/bytes/copy.ts';
import { DecodeError } from '../../wire/bytes/diagnostic.ts';
import { hexText } from '../../wire/bytes/to-hex.ts';
import { crc32 } from '../../wire/codec/crc32.ts';
import type { Schema } from '../../wire/protocol/registry.ts';
import { type TickRange, ticksPerSecond } from '../../wire/protocol/ticks.ts';
import type { Connection, Fact, PageFinding, ReportData, SecondBytes, SizeEntry, Tone } from './report-data.ts';
import { clientOf, type Track } from './track.ts';
import { type TrackLimits, Tracks } from './tracks.ts';

/** Causes that the page shows. */
const maxCauses = 50;
/** A larger map is left out. */
const maxMapBytes = 1 << 26;
/** The page draws the game layers of a larger map only. */
const maxMapFile = 1 << 22;

type MapParts = Pick<ReportData, 'map' | 'mapFile'>;

interface RecordingReportOptions {
  readonly client?: string | undefined;
  readonly ticks?: TickRange | undefined;
  readonly limits: TrackLimits;
}

/**
 * Gathers the data of a report from the records of a demo or capture: its tracks, what `info` prints, and where its
 * bytes go.
 */
export class RecordingReport {
  readonly tracks: Tracks;
  readonly #options: RecordingReportOptions;
  readonly #summary: RecordingSummary;
  readonly #stats: RecordingStats;
  readonly #explainer = new RecordingExplainer();
  readonly #check = new DemoCheck();
  readonly #map: Uint8Array[] = [];
  #mapBytes = 0;
  readonly #mapProblems: Problem[] = [];
  /** The first time, and the tick at which the seconds of the statistics begin. */
  #firstTime = Number.NaN;
  #firstTick = Number.NaN;

  constructor(replay: Replay, options: RecordingReportOptions) {
    this.#options = options;
    this.tracks = new Tracks(options.limits);
    this.#summary = new RecordingSummary(replay);
    this.#stats = new RecordingStats(replay, { client: options.client, range: options.ticks });
  }

  /** What is wrong in the recording, which decides about the exit status. */
  get problems(): readonly Problem[] {
    return [...this.#summary.findings, ...this.#mapProblems];
  }

  add(entry: RecordingEntry): void {
    if (!matchesClient(entry.stream, this.#options.client)) return;
    this.#summary.add(entry);
    this.#stats.add(entry);
    this.tracks.add(entry);
    this.#explainer.add(entry);
    this.#check.add(entry);
    if (entry.record === 'map') this.#onMap(entry);
    if (Number.isNaN(this.#firstTick)) this.#findFirstTick(entry);
  }

  /** In a demo the seconds begin with its first tick, in a capture with the first packet, before the first snapshot. */
  #findFirstTick(entry: RecordingEntry): void {
    if (entry.record === 'packet' && Number.isNaN(this.#firstTime)) this.#firstTime = entry.time ?? Number.NaN;
    if (entry.record === 'chunk' && entry.chunk.tick >= 0) this.#firstTick = entry.chunk.tick;
    if (entry.record !== 'snapshot' || entry.time === undefined) return;
    this.#firstTick = entry.tick - ticksPerSecond * (entry.time - this.#firstTime);
  }

  #secondBytes(): SecondBytes | undefined {
    if (this.tracks.all.length !== 1 || Number.isNaN(this.#firstTick)) return undefined;
    const { all } = this.#stats.tally.seconds;
    return {
      firstTick: this.#firstTick,
      second: all.map(({ second }) => second),
      bytes: all.map((second) => bitsOfSecond(second) / 8),
    };
  }

  #onMap({ piece }: MapEntry): void {
    this.#mapBytes += piece.length;
    if (this.#mapBytes <= maxMapBytes) this.#map.push(piece.slice());
  }

  /** @param named the bytes of the map that the user names; otherwise the map inside a demo is used */
  async data(name: string, bytes: number, schema: Schema, inflate: Inflate, named?: Uint8Array): Promise<ReportData> {
    this.#stats.finish(bytes);
    const summary = this.#summary;
    const ticks = this.#options.limits.range ?? this.#options.ticks;
    const players = new Map(summary.streams.map(({ stream, player }) => [stream.client, player]));
    const facts = infoRows(summary, plainTheme).map(factOf);
    const { map, mapFile } = await this.#readMap(inflate, named);
    const tracks = this.tracks.build((client) => players.get(client));
    return {
      name,
      kind: kindText({ file: name, bytes, summary }),
      health: healthText(summary, plainTheme),
      tone: toneOf(summary),
      facts: [...facts.filter(({ text }) => text !== ''), ...ticksFact(ticks)],
      findings: [
        ...doubtLines(summary, tracks),
        ...this.tracks.findings,
        ...summary.streams.flatMap((stream) => oddityLines(stream, tracks)),
      ],
      causes: this.#causes(tracks),
      sizes: sizeBreakdown(this.#stats.tally),
      seconds: this.#secondBytes(),
      // A ghost has fields of its own.
      schema: summary.ghost ? summary.streams[0]!.stream.protocol.schema : schema,
      map,
      mapFile,
      header: summary.header,
      tracks,
      reads: this.tracks.reads(),
      connections: summary.streams.flatMap((stream) => connectionOf(stream, summary)),
    };
  }

  /**
   * The causes of the failures, as `explain` finds them in the whole recording, each with its first failure in the
   * tracks.
   */
  #causes(tracks: readonly Track[]): PageFinding[] {
    const faults = this.#check.finish();
    const all = [
      ...this.#explainer.explain().flatMap((explanation) => explanationFindings(explanation, tracks)),
      ...(faults ? demoTexts(faults) : []).map((text) => ({ text: text.title, details: detailsOf(text) })),
      ...this.#explainer.findings.map((finding) => streamFinding(finding, tracks)),
    ];
    return all.slice(0, maxCauses);
  }

  /** A map that cannot be read is a finding: everything else can be shown. */
  async #readMap(inflate: Inflate, named: Uint8Array | undefined): Promise<MapParts> {
    const note = (found: Problem) => {
      this.#mapProblems.push(found);
      this.tracks.findings.push({ text: problemText(found, '')!, details: [] });
    };
    const { header, ghost } = this.#summary;
    const crc = header?.mapCrc ?? ghost?.mapCrc;
    const sha256 = ghost?.mapSha256;
    const isOther =
      crc !== undefined ? named && crc32(named) !== crc : sha256 && named && hexText(sha256Of(named)) !== sha256;
    if (isOther) note(problem('given_map_differs', 'warning'));
    if (!named && (this.#mapBytes === 0 || this.#mapBytes > maxMapBytes)) return {};
    const bytes = named ?? join(this.#map);
    try {
      return { map: await readMap(bytes, inflate), mapFile: bytes.length <= maxMapFile ? bytes : undefined };
    } catch (error) {
      if (named || !(error instanceof DecodeError)) throw error;
      note(problem('map_not_drawn', 'warning', { cause: problem(error.code, 'warning', { args: error.args }) }));
      return {};
    }
  }
}

function connectionOf(of: StreamSummary, summary: RecordingSummary): Connection[] {
  const { stream, connection, player, snapshots, outcomes, lag } = of;
  if (!connection) return [];
  // Of a single one, `infoRows` has it.
  const contents = summary.streams.length > 1 ? contentRows(of, summary, plainTheme) : [];
  const { matched, mismatched, missing_base, missing_part, damaged } = outcomes;
  const lost = connection.counts('to_server').lost + connection.counts('to_client').lost;
  const counts = { snapshots, matched, mismatched, missing: missing_base + missing_part, damaged, 'chunks lost': lost };
  return [
    {
      client: stream.client,
      player,
      version: connection.version ?? stream.protocol.version,
      rebuilt: matched + mismatched,
      counts: Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, thousands(value)])),
      story: [
        ...contents.map((row) => ({ ...factOf(row), isWrong: row[0] === 'odd' })),
        ...storyOf(connection, lag, summary.firstTime).map(({ label, texts }) => ({
          label,
          text: texts.map(({ text }) => text).join(', '),
          isWrong: texts.some(({ isWrong }) => isWrong),
        })),
      ],
    },
  ];
}

/** The ticks of a demo that are in doubt. */
const doubtLines = ({ findings }: RecordingSummary, tracks: readonly Track[]): PageFinding[] =>
  findings
    .filter(({ code }) => code === 'doubtful_ticks')
    .map((found) => ({ text: problemText(found, '')!, ...placeOf(tracks, '', found.place.tick), details: [] }));

/** What no game sends, or its receiver drops. */
function oddityLines({ stream, oddities }: StreamSummary, tracks: readonly Track[]): PageFinding[] {
  return oddityFindings(oddities, stream.client).map((found) => ({
    text: problemText(found, '')!,
    ...placeOf(tracks, stream.client, found.place.tick),
    details: stream.client === '' ? [] : [stream.client],
  }));
}

function toneOf({ health: { state, isCut }, findings }: RecordingSummary): Tone {
  if (state === 'healthy') return warningsText(findings) ? 'warning' : 'good';
  return state === 'incomplete' || isCut ? 'warning' : 'bad';
}

function ticksFact(ticks: TickRange | undefined): Fact[] {
  if (!ticks) return [];
  const to = ticks.to === Infinity ? 'the last' : String(ticks.to);
  return [{ label: 'shown', text: `only the ticks from ${ticks.from} to ${to}` }];
}

const factOf = ([label, ...parts]: LabelledRow): Fact => ({ label, text: rowText(parts) });

function explanationFindings(explanation: Explanation, tracks: readonly Track[]): PageFinding[] {
  const [first] = failuresOf(explanation);
  const place = placeOf(tracks, explanation.runs[0]?.stream?.client ?? '', first?.tick);
  return saidOf(explanation).map(({ title, evidence, decides, items: [item], ...text }) => ({
    text: title,
    ...place,
    item: item && `${item.label}/${item.id}`,
    details: [
      ...whereLines(explanation),
      `evidence: ${evidence}`,
      ...detailsOf(text),
      ...(decides ? [`to decide: ${decides}`] : []),
    ],
  }));
}

function streamFinding(finding: StreamFinding, tracks: readonly Track[]): PageFinding {
  const { title, ...text } = findingText(finding);
  return {
    text: title,
    ...placeOf(tracks, finding.stream.client, finding.firstTick),
    details: [findingPlace(finding), ...detailsOf(text)],
  };
}

const detailsOf = ({ meaning, whereToLook }: { meaning: string; whereToLook: string }) =>
  [meaning && `meaning: ${meaning}`, whereToLook && `look for: ${whereToLook}`].filter(Boolean);

/** The track of a client that has a tick: a client has one for each map. */
function placeOf(
  tracks: readonly Track[],
  client: string,
  tick: number | undefined,
): Pick<PageFinding, 'track' | 'tick'> {
  const ofClient = tracks.filter((track) => clientOf(track) === client);
  const track = ofClient.find(({ snapshots }) => snapshots.some((snapshot) => snapshot.tick === tick));
  return track ? { track: track.name, tick } : {};
}

/** Where the bits of a recording go, largest first. The entries add up to all bits of the file. */
function sizeBreakdown(tally: Tally): SizeEntry[] {
  const others = (kind: SizeEntry['kind']) => (count: { name: string; times: number; bits: number }) => ({
    name: count.name.replaceAll('_', kind === 'other' ? ' ' : '_'),
    kind,
    times: count.times,
    bits: count.bits,
    fields: [],
  });
  return [
    ...tally.items.all.map(itemEntry),
    ...[...tally.messages.values()].map(others('message')),
    ...[...tally.parts.values()].map(others('other')),
  ]
    .filter(({ bits }) => bits > 0)
    .sort((a, b) => b.bits - a.bits);
}

function itemEntry(item: ItemTally): SizeEntry {
  const { sent, bits, fields } = item;
  return {
    name: labelOf(item),
    kind: 'item',
    times: sent,
    bits,
    fields: fields
      .filter((field) => field.bits > 0)
      .map((field) => ({ name: field.name ?? 'type, id, size or key', changed: field.changed, bits: field.bits }))
      .sort((a, b) => b.bits - a.bits),
  };
}
