import { type Edit, Editor } from '../../src/editing/editor.ts';
import { EventFinder, markersOf, readEventTest } from '../../src/editing/markers.ts';
import { Anonymise, Identities, Rename } from '../../src/editing/rename-players.ts';
import { DropSentSnapshots, Strip } from '../../src/editing/strip.ts';
import { renderChanges } from '../../src/output/reports/edit.ts';
import { thousands } from '../../src/output/text/number.ts';
import type { DemoHeaderFields } from '../../src/recording/container/demo/demo-writer.ts';
import type { DemoHeader } from '../../src/recording/container/demo/header.ts';
import { MapSummary } from '../../src/recording/replay/map-summary.ts';
import type { RecordingEntry } from '../../src/recording/replay/record.ts';
import { open, openPlain } from '../lib/input/opened.ts';
import { mapIn } from '../lib/input/plain.ts';
import { exit, inputError, usageError } from '../lib/options/errors.ts';
import { wrongEvent } from '../lib/options/events.ts';
import { isToStdout } from '../lib/output/printing.ts';
import type { Io } from '../lib/platform/io.ts';
import { DemoWork, demoOf, localTime, refuseNothing } from '../lib/run/demo-output.ts';
import { keepNames, type Options, renames, strippedNames } from './definition.ts';

export { definition } from './definition.ts';

export async function run([path]: readonly string[], given: Options, io: Io): Promise<number> {
  const work = await DemoWork.of(given, io);
  const named = await open(path, work);
  if (named.format?.hasBlocks) {
    const { anonymiseCapture } = await import('./capture.ts');
    return anonymiseCapture(named.whole, given, work);
  }
  const rename = new Rename(renames(given.rename ?? []));
  const header = new HeaderEdit(given, await newMap(given.map, io));
  const strip = new Strip(strippedNames(given.strip ?? [], work.schema), work.schema);
  const anonymise = given.anonymise ? new Anonymise(await identitiesOf(path, given, work)) : undefined;
  const sent = new DropSentSnapshots();
  const edits: Edit[] = [header];
  if (given.strip) edits.push(strip);
  if (given.rename || anonymise) edits.push(sent);
  if (given.rename) edits.push(rename);
  if (anonymise) edits.push(anonymise);

  const opened = demoOf(named).whole;
  const demo = work.begin();
  const editor = new Editor(edits, demo.emit);
  let recorded: DemoHeader | undefined;
  const losses = await work.readSure(opened, (entry) => {
    if (entry.record === 'header') {
      recorded = entry.header;
      if (header.needsEnd(recorded) && isToStdout(work)) {
        throw usageError('name a file with -o: the header is known only at the end');
      }
    }
    header.add(entry);
    if (entry.record !== 'map' || !header.map) editor.add(entry);
    if (entry.record === 'header' && header.map?.length) {
      editor.add({ record: 'map', stream: entry.stream, piece: header.map });
    }
  });
  if (losses.count > 0) refuseNothing(opened, demo);
  const { length, markers } = demo.recorder.header;
  await demo.finish({ length, markers, ...header.final(recorded!) });

  await work.reportWritten(renderChanges({ strip, sent, rename, anonymise, droppedMarkers: header.dropped }));
  const status = await work.reportLosses(opened.name, losses);
  const isEmpty = anonymise?.summary.players === 0;
  return Math.max(status, rename.found.size < rename.names.size || isEmpty ? exit.finding : exit.fine);
}

/** Reads the whole demo for its names: a server may speak of players before their items come. */
async function identitiesOf(path: string | undefined, given: Options, work: DemoWork): Promise<Identities> {
  const opened = (await work.open(path)).whole;
  if (!work.io.exists(opened.path)) throw usageError(`${opened.name}: --anonymise reads the input twice; name a file`);
  const identities = new Identities();
  await work.read(opened, (entry) => identities.add(entry));
  keepNames(identities, given.except);
  // Who is renamed to the own name stays, as with --except.
  for (const [old, now] of renames(given.rename ?? [])) if (old === now) identities.keep(old);
  if (identities.isFull)
    throw inputError(`${opened.name}: --anonymise replaces at most ${thousands(identities.names.size)} names`);
  return identities;
}

type NewMap = Awaited<ReturnType<typeof newMap>>;

/** Applies the options to a header: at the beginning, and at the end for values that depend on the records. */
class HeaderEdit {
  readonly #options: Options;
  readonly #map: NewMap;
  readonly #version: number | undefined;
  readonly #finder: EventFinder | undefined;
  readonly #sums = new MapSummary();
  /** The number of markers that were too many or too close to another. */
  dropped = 0;

  constructor(options: Options, map: NewMap) {
    this.#options = options;
    this.#map = map;
    this.#version = options.demoVersion === undefined ? undefined : Number(options.demoVersion);
    const { markers, marker = [], timestamp } = options;
    if (markers !== undefined && markers !== 'none') {
      const [, what] = /^at:(.+)$/s.exec(markers) ?? [];
      if (what === undefined)
        throw usageError(`--markers expects none, or at:kill, at:chat:/RE/ and so on, not '${markers}'`);
      const test = readEventTest(what);
      if (!test || what === 'marker') throw wrongEvent('--markers', what);
      this.#finder = new EventFinder(test);
    }
    for (const change of marker)
      if (!/^[+-]\d+$/.test(change)) throw usageError(`--marker expects +TICK or -TICK, not '${change}'`);
    if (timestamp !== undefined && timestamp !== 'now' && !/^\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d$/.test(timestamp)) {
      throw usageError(`--timestamp expects now or a time such as 2026-11-20_11-08-13, not '${timestamp}'`);
    }
  }

  /** Whether the header is final only at the end, so that it has to be written again. */
  needsEnd(header: DemoHeader): boolean {
    return this.#finder !== undefined || this.#needsHash(header);
  }

  get map(): Uint8Array | undefined {
    return this.#map === 'none' ? new Uint8Array(0) : this.#map?.bytes;
  }

  header(header: DemoHeader): DemoHeader {
    const version = this.#version ?? header.version;
    const { timestamp: stated } = this.#options;
    const timestamp = stated === 'now' ? localTime(new Date()) : (stated ?? header.timestamp);
    const changed = { ...header, version, ...this.#mapFields(), timestamp };
    if (version >= 6 && changed.sha256 === undefined && header.version < 6) {
      if (changed.mapSize === 0) {
        throw usageError('version 6 contains the sha256 of the map, and this demo has no map: add --map FILE');
      }
      // A placeholder, replaced once the whole map has been read.
      changed.sha256 = '0'.repeat(64);
    }
    return { ...changed, markers: this.#finder ? [] : this.#markers(header.markers) };
  }

  add(entry: RecordingEntry): void {
    this.#finder?.add(entry);
    if (entry.record === 'map') this.#sums.add(entry.piece);
  }

  final(header: DemoHeader): Partial<DemoHeaderFields> {
    this.#finder?.finish();
    const found = this.#finder?.found.flatMap(({ tick }) => (tick < 0 ? [] : tick));
    return {
      ...(found ? { markers: this.#markers(found) } : {}),
      ...(this.#needsHash(header) ? { sha256: this.#sums.sha256 } : {}),
    };
  }

  #needsHash(header: DemoHeader): boolean {
    return (this.#version ?? header.version) >= 6 && header.version < 6 && this.#map === undefined;
  }

  #mapFields(): Partial<DemoHeaderFields> {
    if (this.#map === undefined) return {};
    if (this.#map === 'none') return { mapSize: 0 };
    const { name, bytes, crc, sha256 } = this.#map;
    return { mapName: name, mapSize: bytes.length, mapCrc: crc, sha256 };
  }

  #markers(recorded: readonly number[]): readonly number[] {
    const { marker = [], markers } = this.#options;
    if (marker.length === 0 && markers === undefined) return recorded;
    const removed = new Set(marker.filter((change) => change.startsWith('-')).map((change) => Number(change.slice(1))));
    const added = marker.filter((change) => change.startsWith('+')).map((change) => Number(change.slice(1)));
    const unknown = [...removed].find((tick) => !recorded.includes(tick));
    if (unknown !== undefined) throw usageError(`--marker: there is no marker at tick ${unknown}`);
    const remaining = (markers === 'none' ? [] : recorded).filter((tick) => !removed.has(tick));
    const { markers: all, dropped } = markersOf([...remaining, ...added]);
    this.dropped = dropped;
    return all;
  }
}

async function newMap(path: string | undefined, io: Io) {
  if (path === undefined || path === 'none') return path;
  const bytes = await mapIn(await openPlain(path, io));
  const sums = new MapSummary();
  sums.add(bytes);
  const name = path.replace(/^.*[/\\]/, '').replace(/\.map$/i, '');
  return { name, bytes, crc: sums.crc, sha256: sums.sha256 };
}
