import { promisify } from 'node:util';
import { compareRuns } from '../src/analysis/stats/run-times.ts';
import { unpackZlib } from '../src/input/decompress/decompress.ts';
import { diagnosticsOf } from '../src/input/source/read-payload.ts';
import { escapeText, pathText } from '../src/output/text/escape.ts';
import { count, size } from '../src/output/text/number.ts';
import { type PageParts, renderPage } from '../src/page/report/page-file.ts';
import { inputReport } from '../src/page/report/payload-report.ts';
import { PictureGatherer, type Pictures } from '../src/page/report/pictures.ts';
import { RecordingReport } from '../src/page/report/recording-report.ts';
import { hasTimeline, type ReportData, writeReportData } from '../src/page/report/report-data.ts';
import { readMapDesign } from '../src/recording/container/map/map-design.ts';
import { Players } from '../src/recording/events/players.ts';
import { diagnosticFinding, statusOf } from '../src/recording/health/findings.ts';
import type { RecordingEntry, SnapshotEntry } from '../src/recording/replay/record.ts';
import { matchesClient } from '../src/recording/replay/stream.ts';
import { isInRange, type TickRange, ticksPerSecond } from '../src/wire/protocol/ticks.ts';
import { inputOf } from './lib/input/input-of.ts';
import { decodeFailure, type Input, isPart, refuseMeaningless } from './lib/input/inputs.ts';
import { describeReading, refuseUnrecognised, withDoubt } from './lib/input/loaded.ts';
import { type Opened, type OpenedRecording, open, openPlain } from './lib/input/opened.ts';
import { mapIn } from './lib/input/plain.ts';
import { failureEntry, noPlayer, noSnapshot, refuseIneffective } from './lib/input/records.ts';
import { exit, inputError, usageError } from './lib/options/errors.ts';
import {
  anyInput,
  common,
  flag,
  type Given,
  output,
  parsed,
  player,
  required,
  text,
  ticks,
} from './lib/options/options.ts';
import { compiledOf, playerChoice } from './lib/options/selection.ts';
import { where } from './lib/options/where.ts';
import { print, refuseBinary } from './lib/output/printing.ts';
import type { Io } from './lib/platform/io.ts';
import { nodePlatform } from './lib/platform/node-platform.ts';
import { printNote, printProblem } from './lib/platform/note.ts';
import { runOf } from './lib/run/ghost-runs.ts';

type Options = Given<(typeof definition)['options']>;

const megabyte = 1_000_000;
const maxPrinted = 5;

export const definition = {
  arguments: { '[file]': "a demo, capture or single payload; '-' or nothing for standard input" },
  options: {
    limit: { ...parsed('--limit <megabytes>', 'the largest page to write, in megabytes', megabytes), default: 20 },
    empty: flag('--empty', 'a page without a recording: files are dropped on it, or bytes pasted', {
      goesWith: ['output'],
    }),
    map: text('--map <file>', 'draw this map, instead of the one in the demo'),
    data: text('--data <folder>', "draw with the tilesets, skins and weapons of a game: its folder 'data'"),
    ...anyInput,
    ticks,
    where: { ...where, about: "search for this at first: 'kill killer=corpus'" },
    player: { ...player, about: 'follow this player at first: name, /RE/ or client number' },
    against: text('--against <run>', 'plot how far the run is behind this one: ghosts, or runs in demos'),
    output: output('the page to write (default: standard output)'),
    strict: common.strict,
  },
  help: `
Examples:
  tw-snap report match.demo -o match.html
  tw-snap report match.demo --ticks 9938..10938 -o fight.html
  tw-snap report server.pcap -o server.html
  tw-snap report today.demo --against best.demo -o lost.html
  tw-snap report --empty -o index.html`,
};

function megabytes(text: string): number {
  const value = Number(text);
  return required(value > 0 && value <= 500 ? value : undefined, 'a number of megabytes, up to 500');
}

export async function run([path]: readonly (string | undefined)[], given: Options, io: Io): Promise<number> {
  const target = { output: given.output, io };
  refuseBinary('a page is for a browser', target);
  if (given.empty) {
    const program = await io.pageProgram('app');
    await print(await pageOf({ title: 'tw-snap', ...program, reportData: '' }), target);
    return exit.fine;
  }
  const input = await inputOf(given, io);
  const named = await open(path, input);
  refuseMeaningless([named], input);
  const isRecording = named.format !== undefined && !isPart(named);
  const opened = isRecording ? await named.recording(input) : named;
  for (const name of ['map', 'data', 'player', 'against', 'where'] as const) {
    if (given[name] !== undefined && !isRecording) throw usageError(`--${name} is for demos and captures`);
  }
  const name = pathText(opened.name);
  const maxBytes = given.limit! * megabyte;
  const limits = pageLimits(maxBytes, opened.ticks);
  const { reportData, status } = isRecording
    ? await reportRecording(opened as OpenedRecording, input, given, limits)
    : await reportPayload(opened, input);
  const program = await io.pageProgram(hasTimeline(reportData) ? 'main' : 'main-contents');
  const made = async (content: ReportData) => {
    const data = await packed(writeReportData(content));
    return pageOf({ title: `${reportData.name} · tw-snap`, ...program, reportData: data });
  };
  let page = await made(reportData);
  // The recording matters more than what its map looks like.
  if (page.length > maxBytes && reportData.mapFile)
    page = await made({ ...reportData, mapFile: undefined, pictures: undefined });
  if (page.length > maxBytes) {
    const found = `too long for a page of ${size(maxBytes)}: it would have ${size(page.length)}`;
    throw usageError(`${name}: ${found}; choose ticks (--ticks A..B), or allow more (--limit)`);
  }
  const { range } = limits;
  if (range) {
    const fits = `only ticks ${range.from} to ${range.to} fit into a page of ${size(maxBytes)}`;
    await printNote(`${name}: ${fits}; --ticks selects others, --limit allows more`, io);
  }
  await print(page, target);
  if (given.output !== undefined && io.stderr.isTerminal) {
    await printNote(`${pathText(given.output)}   ${size(page.length)}`, io);
  }
  // Findings are printed, too, for those who do not open the page.
  const { findings } = reportData;
  for (const { text } of findings.slice(0, maxPrinted)) await printProblem(`${name}: ${text}`, io);
  const more = findings.length - maxPrinted;
  if (more > 0) await printProblem(`${name}: ${count(more, 'more finding')} in the page`, io);
  return status;
}

const pageOf = async (parts: Omit<PageParts, 'program'>) =>
  renderPage({ ...parts, program: await packed(new TextEncoder().encode(parts.script), 9) });

/** Bytes as they are in a page: compressed, in base64. */
async function packed(bytes: Uint8Array, level?: number): Promise<string> {
  // The highest level takes up to 15 times as long to save 7% of a capture's page. Of a program it takes 5 ms.
  // With memLevel 6 a block of the program has codes of its own sooner: 1.3 kB less than with 8, the default.
  const gzip = promisify<Uint8Array, object, Buffer>((await import('node:zlib')).gzip);
  const packed = await gzip(bytes, { memLevel: 6, level });
  // RFC 1952: the system that compressed. It is named Unix, so that a page has the same bytes wherever it is written.
  packed[9] = 3;
  return packed.toString('base64');
}

async function reportPayload(opened: Opened, input: Input) {
  const loaded = await opened.payload(input);
  const name = nameOf(loaded.name);
  const status = statusOf(diagnosticsOf(loaded).all.map(diagnosticFinding), input.strict);
  refuseUnrecognised(loaded, input);
  if (loaded.kind === 'contents') return { reportData: inputReport(name, loaded, input.schema), status };
  await describeReading(loaded, input);
  const isUncertain = loaded.doubt === exit.unreadable;
  return {
    reportData: inputReport(name, loaded, input.schema, isUncertain),
    status: withDoubt(status, loaded),
  };
}

/** The tracks of a recording, the rows of `info` about it, and the distribution of its bytes. */
async function reportRecording(
  opened: OpenedRecording,
  input: Input,
  { map: mapPath, data: folder, player: who, against, where: search }: Options,
  limits: ReturnType<typeof pageLimits>,
) {
  const { schema, io } = input;
  if (search) compiledOf(search, schema);
  const map = mapPath === undefined ? undefined : await mapIn(await openPlain(mapPath, io));
  const records = await opened.records(input, { parts: true });
  const { replay } = records;
  const report = new RecordingReport(replay, { client: opened.client, ticks: opened.ticks, limits });
  const chosen = playerChoice(who);
  const game = folder === undefined ? undefined : new GameData(folder, io);
  let opening: ReportData['opening'];
  const end = await records.each((entry) => {
    report.add(entry);
    game?.add(entry);
    if (!chosen || opening || !matchesClient(entry.stream, opened.client)) return;
    chosen.follow(entry);
    if (entry.record !== 'snapshot' || !limits.has(entry.tick)) return;
    const { client: followed } = chosen;
    if (followed !== undefined) opening = { client: entry.stream.client || undefined, tick: entry.tick, followed };
  });
  const failed = failureEntry(end, opened.name);
  if (failed) report.add(failed);
  if (!failed) refuseIneffective(opened, input, replay);
  if (chosen && !opening) throw noPlayer(opened.name, chosen);
  const { tracks } = report;
  if (tracks.all.length === 0) {
    if (!opened.ticks || tracks.first < 0)
      throw inputError(`${pathText(opened.name)}: it has no snapshot that can be read`);
    throw noSnapshot(opened.name, tracks.first, tracks.last);
  }
  try {
    const reportData = await report.data(nameOf(opened.name), end.bytes, schema, inflate, map);
    const lost = against === undefined ? undefined : await timeLost(opened, against, who, input);
    return {
      reportData: { ...reportData, pictures: await game?.pictures(reportData), opening, query: search?.text, lost },
      status: statusOf(report.problems, input.strict),
    };
  } catch (error) {
    throw mapPath === undefined ? error : decodeFailure(mapPath, error);
  }
}

/** How far the run of a ghost, or of a player in a demo, is behind another one. */
async function timeLost({ path }: Opened, against: string, player: string | undefined, input: Input) {
  if ([path, against].includes('-')) throw usageError('--against reads files: standard input can be read only once');
  const read = async (path: string) => {
    const opened = await open(path, input);
    if (!opened.format) throw inputError(`${pathText(opened.name)}: this is not a ghost or demo`);
    return runOf(opened as OpenedRecording, player, input);
  };
  const run = await read(path);
  const other = await read(against);
  const places = compareRuns(run, other, comparedPlaces);
  return {
    title: `milliseconds behind ${nameOf(escapeText(against))}`,
    ticks: places.map(({ first }) => run.startTick + first * ticksPerSecond),
    behind: places.map(({ first, second }) => (second === undefined ? null : Math.round(1000 * (first - second)))),
  };
}

const inflate = (data: Uint8Array, size: number) => unpackZlib(data, size, nodePlatform);

const comparedPlaces = 500;

const nameOf = (path: string) => path.replace(/^.*[/\\]/s, '') || path;

/** The size of the page without the recording. */
const programBytes = 250_000;
/**
 * The minimum number of page bytes per snapshot, since each takes memory here, up to 1,600 bytes, and in the browser.
 */
const minBytes = 200;

/** Which ticks the page has: those that are selected, as far as they fit. */
function pageLimits(limit: number, selected: TickRange = { from: -1, to: Infinity }) {
  const limits = {
    fits: undefined as number | undefined,
    first: undefined as number | undefined,
    has: (tick?: number) => limits.fits === undefined && (tick === undefined || isInRange(tick, selected)),
    reach(tick: number, bytes: number, snapshots: number): void {
      limits.first ??= tick;
      // Estimated without compression, with four letters for every three bytes.
      if ((bytes * 4) / 3 > limit - programBytes || snapshots > limit / minBytes) limits.fits ??= tick;
    },
    get range(): TickRange | undefined {
      return limits.fits === undefined ? undefined : { from: limits.first!, to: limits.fits };
    },
  };
  return limits;
}

/** A larger file is no picture of the games. */
const maxPictureBytes = 1 << 23;
/** Players are looked at in every snapshot whose number is a multiple of this. */
const playersEvery = 25;
/** The folders of the parts of a skin of 0.7, in their order; hands are not drawn. */
const partFolders = ['body', 'marking', 'decoration', undefined, 'feet', 'eyes'];

/** Takes the pictures that a recording needs from the data of an installed game. */
class GameData {
  readonly #folder: string;
  readonly #io: Io;
  readonly #players = new Players(true);
  readonly #skins = new Set<string>();
  #version: string | undefined;
  #snapshots = 0;

  /** @throws CommandError if it is no folder with the data of a game */
  constructor(folder: string, io: Io) {
    if (!io.exists(`${folder}/game.png`) || !io.isFolder(`${folder}/mapres`))
      throw inputError(`${pathText(folder)}: this is not the data of a game: it has no game.png and mapres`);
    this.#folder = folder;
    this.#io = io;
  }

  /** Notes the skins of players. */
  add(entry: RecordingEntry): void {
    if (entry.record === 'message' && entry.direction === 'to_client' && entry.head.version === undefined) {
      if (!/^sv_(clientinfo|skinchange)$/.test(entry.head.type?.name ?? '')) return;
      this.#players.onMessage(entry.message);
      this.#note(entry.stream.protocol.version);
    }
    if (entry.record === 'snapshot' && entry.snapshot) this.#onSnapshot(entry);
  }

  #onSnapshot({ snapshot, stream }: SnapshotEntry): void {
    if (this.#snapshots++ % playersEvery !== 0) return;
    this.#players.onSnapshot(snapshot!, stream.protocol);
    this.#note(stream.protocol.version);
  }

  #note(version: string): void {
    this.#version = version;
    for (const { skin } of this.#players.infos) this.#skins.add(skin);
  }

  async pictures({ mapFile }: ReportData): Promise<Pictures> {
    const inflate = (data: Uint8Array, size: number) => unpackZlib(data, size, nodePlatform);
    const { deflate } = await import('node:zlib');
    const packed = (data: Uint8Array) => promisify<Uint8Array, object, Uint8Array>(deflate)(data, { level: 9 });
    const gatherer = new PictureGatherer((path) => this.#read(path), inflate, packed);
    const is07 = this.#version === '0.7';
    const parts = (skin: string) =>
      skin.split('/').flatMap((name, i) => (name && partFolders[i] ? [`${partFolders[i]}/${name}`] : []));
    return gatherer.gather({
      design: mapFile && (await readMapDesign(mapFile, inflate)),
      skins: is07 ? [...this.#skins].flatMap(parts) : this.#skins,
      is07,
    });
  }

  async #read(path: string): Promise<Uint8Array | undefined> {
    // DDNet has the parts of skins of 0.7 in a folder of their own.
    const found = [path, path.replace(/^skins\/(?=.*\/)/, 'skins7/')]
      .map((name) => `${this.#folder}/${name}`)
      .find((file) => this.#io.exists(file) && !this.#io.isFolder(file) && this.#io.size(file) <= maxPictureBytes);
    if (found === undefined) return undefined;
    const pieces: Uint8Array[] = [];
    for await (const piece of this.#io.open(found)) pieces.push(piece);
    return new Uint8Array(Buffer.concat(pieces));
  }
}
