import { type HexdumpOptions, isSelected, renderDump, renderHexdump } from '../src/output/hexdump/hexdump.ts';
import { packetHeader } from '../src/output/hexdump/packet-header.ts';
import { RecordingHexdump } from '../src/output/hexdump/recording-hexdump.ts';
import { packetJson } from '../src/output/json/packet-json.ts';
import { eventJson, RecordLines } from '../src/output/json/record-json.ts';
import { countText, findingText } from '../src/output/phrases/finding-phrases.ts';
import { maxFindings } from '../src/output/reports/ci.ts';
import { allItems, itemsOfType, messageRows, type RecordRows } from '../src/output/tables/record-rows.ts';
import { csvHead, ItemsCsv, RecordsCsv } from '../src/output/tables/table-csv.ts';
import { jsonText, pathText } from '../src/output/text/escape.ts';
import { count } from '../src/output/text/number.ts';
import { SelectionTimeline, Timeline } from '../src/output/timeline/timeline.ts';
import type { GameEvent } from '../src/recording/events/event.ts';
import { type Finding, RecordFindings, statusOf } from '../src/recording/health/findings.ts';
import type { RecordingClock } from '../src/recording/replay/clock.ts';
import type { RecordingEntry } from '../src/recording/replay/record.ts';
import type { Stream as RecordStream } from '../src/recording/replay/stream.ts';
import { annotateContents } from '../src/wire/annotate/packet-spans.ts';
import { annotate } from '../src/wire/annotate/payload-spans.ts';
import type { PacketContents } from '../src/wire/packet/packet-contents.ts';
import { contentsWithoutSecrets } from '../src/wire/packet/secrets.ts';
import type { Payload } from '../src/wire/payload/payload.ts';
import { isInRange, type TickRange } from '../src/wire/protocol/ticks.ts';
import { filesOf } from './lib/input/folders.ts';
import { type OpenedRecording, open } from './lib/input/opened.ts';
import { exit, usageError } from './lib/options/errors.ts';
import { anyInputs, common, flag, type Given, itemSelection, player, printing } from './lib/options/options.ts';
import { eventTest, filterOf, type ItemFilter, matcherOf } from './lib/options/selection.ts';
import { where } from './lib/options/where.ts';
import type { Printing } from './lib/output/printing.ts';
import { HeldWriter, type Writer } from './lib/output/writer.ts';
import { withPauses } from './lib/platform/growing.ts';
import type { Io } from './lib/platform/io.ts';
import { printNote, printNothing, printProblem } from './lib/platform/note.ts';
import { type FileResult, filesCommand, type Run, reportFailureAsJson } from './lib/run/files.ts';

/*
 * `dump` prints the records of recordings as they are read. It has one loop and five outputs:
 *
 *   files ─▶ open ─▶ replay: records ─▶ add ─▶ print ─▶ view.add ─▶ HeldWriter ─▶ standard output, or -o FILE
 *                                                 └▶ findings, on standard error and in the exit status
 *
 * What differs between outputs is data (`outputs`): whether records outside the selected ticks are needed, since they
 * say who is who; whether it wants chunks and packets; whether people read it, and so want headings and damage in
 * place.
 *
 * `--where` decides which of two things is printed: events, or items and messages. A query with a part for the other is
 * refused, since that part would select nothing.
 *
 * Output is flushed whenever the input pauses, so that a capture in a pipe is shown as it comes. With `--player`, the
 * writer holds the beginning back until that player is found, so that a name that nobody has is mostly an error alone.
 */

const refusesEvents = ({ to, messages, id, changes }: Readonly<Record<string, unknown>>) =>
  (to !== 'text' && to !== 'ndjson') || messages === false || id !== undefined || changes === true;

function refusalOfEvents(given: Readonly<Record<string, unknown>>): string | undefined {
  if (!refusesEvents(given)) return undefined;
  if (given.to !== 'csv') return '--events does not go with -t hexdump, --no-messages, --id or --changes';
  const tables = 'for tables there is export: chat, kills, finishes, votes, connection_events';
  return `--events prints -t text and -t ndjson; ${tables}`;
}

export const definition = {
  arguments: { '[file...]': "demos, captures, folders, snapshots, deltas, packets; '-' or nothing for standard input" },
  options: {
    changes: flag('--changes', 'print only the items that changed (ndjson)', {
      refusal: ({ to }) => (to === 'ndjson' ? undefined : `--changes requires -t ndjson, not -t ${to}`),
    }),
    events: flag('--events', 'print kills, chat, joins, finishes and so on; --type selects kinds: kill,chat', {
      refusal: refusalOfEvents,
    }),
    messages: flag('--no-messages', 'leave out messages', {
      default: true,
      refusal: ({ to }) =>
        to === 'csv' ? '-t csv prints messages only if --type names them: leave out --no-messages' : undefined,
    }),
    ...anyInputs,
    player,
    ...itemSelection('items of these types and messages'),
    where,
    ...printing(['text', 'ndjson', 'csv', 'hexdump']),
    strict: common.strict,
    showSecrets: common.showSecrets,
    jobs: common.jobs,
  },
  help: `
Examples:
  tw-snap dump match.demo
  tw-snap dump match.demo --where 'obj_character x>800 weapon=grenade'
  tw-snap dump match.demo -t csv --type obj_character --id 0 > path.csv
  tcpdump -U -w - udp port 8303 | tw-snap dump -`,
};

type DumpOptions = Given<(typeof definition)['options']>;

interface DumpRun extends Run<DumpOptions> {
  readonly selected: ItemFilter;
  /**
   * The options that look for something, as a message names them: `--type and --id`. Then what is found decides the
   * status, and nothing else is printed.
   */
  readonly searched: string;
  /** Selects the events of `--events`, or those about the player of `--player`. */
  readonly only: ((event: GameEvent) => boolean) | undefined;
  /** Whether events are printed that others tell: for programs, and where kinds are searched. */
  readonly withTold: boolean;
  /** Whether events are printed: with `--events`, and for a query that is about nothing else. */
  readonly events: boolean;
}

function selectionOf(run: Run<DumpOptions>): DumpRun {
  const { type, id, to, player: who } = run.options;
  const query = matcherOf(run.options.where, run.input.schema, true);
  const { items, messages, events: hasEvents } = query?.query.selects ?? {};
  const isOfEvents = hasEvents === true && !items && !messages;
  const events = run.options.events === true || isOfEvents;
  const [both] = events ? [] : (query?.query.ambiguous ?? []);
  if (both) {
    const [word, others] = both;
    throw usageError(
      `--where: '${word}' is an event (with --events) and also ${others.slice(0, 3).join(', ')}: say which`,
    );
  }
  for (const { items, messages, events: ofEvents } of query?.query.alternatives ?? []) {
    if (events ? ofEvents : items || messages) continue;
    const why = 'dump prints either events or items and messages, and a part of the query selects';
    throw usageError(`--where: ${why} ${events ? 'no event: leave it out, or --events' : 'only events: leave it out'}`);
  }
  if (isOfEvents && refusesEvents(run.options))
    throw usageError('--where: the query is about events, which -t text and -t ndjson print');
  if (to === 'csv' && !type && !events && items && messages)
    throw usageError(
      '--where: the query is about items and messages, which have no columns in common: name one of them',
    );
  const selected = filterOf(events ? { player: who } : run.options, run.input.schema);
  const { player } = selected;
  const only = events
    ? eventTest(type, player, query)
    : player && !type && !id && !query
      ? player.event.bind(player)
      : undefined;
  const given = { '--events': run.options.events, '--type': type, '--id': id, '--player': who, '--where': query };
  const searched = Object.entries(given).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [name],
  );
  const withTold = type !== undefined || query !== undefined || to === 'ndjson';
  return { ...run, selected, searched: searched.join(' and '), only, withTold, events };
}

interface DumpResult extends FileResult {
  readonly isFound?: boolean;
}

const files = filesCommand<DumpOptions, DumpRun, DumpResult>({
  name: 'dump',
  prepare: selectionOf,
  async read(file, run, writer) {
    // Rows of CSV and queries are about values, which a delta without its base does not show.
    const mayLackSnapshot = run.options.to !== 'csv' && run.options.where === undefined;
    const opened = await (await open(file, run.input)).recordingOrPayload(run.input, mayLackSnapshot);
    return dump(opened, run, writer);
  },
  failed: reportFailureAsJson,
});

export const { makeJob } = files;

export async function run(args: readonly string[], options: DumpOptions, io: Io): Promise<number> {
  const named = await filesOf(args, options, io);
  let isFound = false;
  const status = await files.run(named, options, io, {
    add(result) {
      isFound ||= result.isFound ?? true;
    },
    begin: (writer, run) =>
      options.to === 'csv' && named.multipleFiles
        ? writer.write(csvHead(rowsOf(run, '')?.schema ?? allItems))
        : undefined,
  });
  return status === exit.fine && !isFound ? exit.finding : status;
}

/** Prints the records of a recording as they arrive: whenever the input pauses, all of it has been printed. */
async function dump(opened: OpenedRecording, ofAll: DumpRun, target: Writer): Promise<DumpResult> {
  // Each file has its own players.
  const run = (ofAll.selected.player ?? ofAll.selected.where) ? selectionOf(ofAll) : ofAll;
  const { options, input, selected, searched, multipleFiles, printing, io } = run;
  const isSearch = searched !== '';
  const name = pathText(opened.name);
  const output = run.events && options.to !== 'text' ? eventRecords : outputs[options.to]!;

  const messages = options.messages === true && (selected.all || selected.namesMessages || run.events);
  const frames = output.needsFrames === true;
  const { player, where } = selected;

  // The first output waits for the first hit: of a file without one, nothing is printed. A table has its heading.
  let hits = 0;
  const writer = new HeldWriter(target, () =>
    isSearch && options.to !== 'csv' ? hits > 0 : (player?.isFound ?? true),
  );
  const isOfMany = multipleFiles && output.isForPeople === true;

  // What is searched or sorted by another program loses its heading.
  const hasHeading = isOfMany && io.stdout.isTerminal && options.output === undefined;
  const plainView = output.open(run, opened);
  const view = isOfMany && !hasHeading ? namedLines(plainView, `${printing.theme.strong(name)}: `) : plainView;

  await writer.write(view.heading ?? '');
  if (hasHeading) await writer.write(`${printing.theme.strong(name)}\n`);

  const isInTicks = opened.ticks && tickFilter(opened.ticks);
  const counts = { snapshot: 0, message: 0 };
  const findings = new RecordFindings(maxFindings, opened.only !== undefined);

  const add = (entry: RecordingEntry): Promise<void> | undefined => {
    if (entry.stream) view.clock?.at(entry);
    if (frames && where && entry.record === 'packet') throw noBytesOf(name);
    const found = findings.add(entry);
    // A flood is one of the events; the others are left out there.
    if (isSearch && entry.record === 'diagnostic') return run.events ? print(entry) : undefined;
    // Messages that only announce checksums.
    if ((entry.record === 'message' || entry.record === 'copy') && !messages && !frames) return undefined;
    if (entry.record === 'snapshot' || entry.record === 'message') counts[entry.record]++;
    // A fault in every message would hide everything else.
    if (!found && entry.record === 'diagnostic' && output.isForPeople) return undefined;
    return found ? printFinding(entry, found) : print(entry);
  };

  // Most snapshots have nothing of a query, and nothing is written of them.
  const isNothing = ({ record }: RecordingEntry) => record === 'snapshot' && where?.found === 0 && !options.changes;
  const print = (entry: RecordingEntry) => {
    const isShown = isInTicks?.(entry) ?? true;
    if (!output.needsContext && (!isShown || isNothing(entry))) return undefined;
    return write(view.add(entry, isShown), entry.record);
  };
  /** What is printed is found, but for the header of a file, which NDJSON has in any case. */
  const write = (text: string | Uint8Array, record?: RecordingEntry['record']) => {
    if (text.length > 0 && record !== 'header' && record !== 'ghost' && record !== 'connection') hits++;
    return writer.write(text);
  };

  /** Findings are also printed on standard error if the output may not be visible. */
  const printFinding = async (entry: RecordingEntry, found: Finding) => {
    if (!output.isForPeople || !io.stdout.isTerminal) await printProblem(`${name}: ${findingText(found, name)}`, io);
    await print(entry);
  };

  const writeNow = async (text: string | Uint8Array) => {
    await write(text);
    await writer.flush();
  };
  const afterPiece = () => writeNow(view.flush?.() ?? '');
  const afterAll = async () => {
    await write(view.finish?.() ?? '');
    if (hasHeading) await writer.write('\n');
  };

  const onPause = () => writeNow(view.pause?.() ?? '');
  const watched = options.follow ? opened.watched((pieces) => withPauses(pieces, onPause, silenceTime)) : opened;
  const records = await watched.records(input, {
    messages: messages || frames,
    announcements: true,
    parts: frames,
    hidesSecrets: !options.showSecrets,
  });
  const { failure } = await records.read({ add, afterPiece, afterAll, player, where, mayLackPlayer: multipleFiles });

  if (!isSearch || hits > 0 || options.to === 'csv') await writer.release();
  if (failure) throw failure;
  const isFound = hits > 0 || !isSearch;
  if (isSearch) {
    // What the search is not about is for `info`; only what cannot be read may hide a hit.
    const unread = findings.all.filter((found) => statusOf([found]) === exit.unreadable);
    for (const found of unread) await printProblem(`${name}: ${findingText(found, name)}`, io);
    if (!isFound && !multipleFiles) await printNothing(opened.name, { optionNames: run.searched }, io);
    return { status: Math.max(statusOf(unread), opened.doubt ?? exit.fine), isFound };
  }

  const texts = [count(counts.snapshot, 'snapshot'), count(counts.message, 'message')];
  for (const found of findings.late) await printProblem(`${name}: ${findingText(found, name)}`, io);
  const mismatched = countText(findings.all, 'mismatched_snapshots');
  if (options.follow) await printNote(`${name}: ${[...texts, ...(mismatched ? [mismatched] : [])].join(', ')}`, io);
  else if (mismatched) await printProblem(`${name}: ${mismatched}`, io);
  return { status: Math.max(statusOf(findings.all, options.strict), opened.doubt ?? exit.fine), isFound };
}

/** A packet comes before what is read of it, and a query is about that. */
const noBytesOf = (name: string) =>
  usageError(`${name}: -t hexdump of a capture has no --where: --type and --id select items and messages`);

/** Milliseconds without new data after which lines are printed that wait for what comes at the same time. */
const silenceTime = 100;

/**
 * Selects ticks: in a capture, records that arrive while the last snapshot of their connection has one of the ticks.
 */
function tickFilter(range: TickRange): (entry: RecordingEntry) => boolean {
  const current = new Map<RecordStream, number>();
  return (entry) => {
    const { stream, record } = entry;
    if (record === 'chunk') return entry.chunk.tick < 0 || isInRange(entry.chunk.tick, range);
    if (entry.time === undefined) return !('tick' in entry) || isInRange(entry.tick, range);
    if (!stream) return record !== 'server_info' && record !== 'info_exchange' && record !== 'handshake';
    if (record === 'drop') current.delete(stream);
    if (record === 'snapshot') current.set(stream, entry.tick);
    return isInRange(current.get(stream) ?? 0, range);
  };
}

interface RecordView {
  /** It takes note of every record, also of those that are not added. */
  readonly clock?: RecordingClock;
  readonly heading?: string;
  /** @param isShown false for a record outside the selected ticks, which only sets the context */
  add(entry: RecordingEntry, isShown: boolean): string | Uint8Array;
  flush?(): string | Uint8Array;
  /** Called when a followed input pauses: lines that wait for other records are ready. */
  pause?(): string;
  finish?(): string | Uint8Array;
}

/** The same lines, each after the name of its file. */
function namedLines(view: RecordView, name: string): RecordView {
  const named = (text: string | Uint8Array | undefined): string =>
    typeof text === 'string' ? text.replaceAll(/^(?=.)/gm, () => name) : '';
  return {
    add: (entry, isShown) => named(view.add(entry, isShown)),
    flush: () => named(view.flush?.()),
    pause: () => named(view.pause?.()),
    finish: () => named(view.finish?.()),
  };
}

interface Output {
  /** Whether records outside the selected ticks are also added, since they set the context. */
  readonly needsContext?: boolean;
  /** Whether the view consumes the `chunk` and `packet` records: the option `parts` of a reader. */
  readonly needsFrames?: boolean;
  /** Whether it is for human readers: it then includes diagnostics and a heading for each of several files. */
  readonly isForPeople?: boolean;
  open(run: DumpRun, opened: OpenedRecording): RecordView;
}

const outputs: Readonly<Record<string, Output>> = {
  text: {
    needsContext: true,
    isForPeople: true,
    open({ selected, only, withTold, events, printing }, { name, ticks, only: alone }) {
      // Nothing happens in a single snapshot: its items are shown.
      const isItems = alone ? !events : !selected.all && !only;
      if (!isItems) return new Timeline({ ...printing, only, withTold, ...(ticks ? { ticks } : {}) });
      const view = new SelectionTimeline({
        ...printing,
        filter: selected,
        isMomentary: selected.where?.query.needsBefore,
        hasNoTick: alone !== undefined,
      });
      if (!isBare(alone)) return view;
      return withEnd(view, selected, () => `${packetHeader(alone, name, printing)}\n`);
    },
  },
  ndjson: {
    open({ options, selected, multipleFiles }, { name, only: alone }) {
      const file = multipleFiles ? name : undefined;
      const lines = new RecordLines({ filter: selected, changes: options.changes === true }, file);
      if (!isBare(alone)) return lines;
      return withEnd(lines, selected, () => `${jsonText({ record: 'packet', file, ...packetJson(alone) })}\n`);
    },
  },
  // With several files the heading is printed once, at the beginning.
  csv: {
    open(run, { name }) {
      const hasHeading = !run.multipleFiles;
      const rows = rowsOf(run, name);
      return rows ? new RecordsCsv(rows, hasHeading) : new ItemsCsv(run.selected, name, hasHeading);
    },
  },
  hexdump: {
    needsContext: true,
    needsFrames: true,
    isForPeople: true,
    open: ({ options, selected, printing }, { name, only: alone }) =>
      alone
        ? hexdumpOf(alone, { ...printing, name, filter: selected }, options)
        : new RecordingHexdump({ ...printing, filter: selected, messages: options.messages === true }),
  },
};

/** Whether it is a packet without messages, which is its header and a control message, or no traffic of a connection. */
const isBare = (alone: Payload | PacketContents | undefined): alone is PacketContents =>
  alone !== undefined && 'messages' in alone && alone.messages.length === 0;

/** What `decode` says of such a packet, after what is odd in it: it is shown whole or not at all. */
const withEnd = (view: Pick<RecordView, 'add'>, { all }: ItemFilter, text: () => string): RecordView => ({
  add: (entry, isShown) => view.add(entry, isShown),
  finish: () => (all ? text() : ''),
});

/** The hexdump of a snapshot, delta or packet, as `decode` shows it. */
const hexdumpOf = (
  alone: Payload | PacketContents,
  options: HexdumpOptions & Pick<Printing, 'fit'> & { readonly filter: ItemFilter },
  { messages, showSecrets }: Pick<DumpOptions, 'messages' | 'showSecrets'>,
): RecordView => ({
  add: () => '',
  finish() {
    const { name, filter } = options;
    const isAll = filter.all && (messages || 'body' in alone);
    const isShown = isAll ? undefined : isSelected(alone, filter, messages);
    if ('body' in alone) return options.fit(renderHexdump(alone, annotate(alone), options, isShown));
    const contents = showSecrets ? alone : contentsWithoutSecrets(alone);
    const title = packetHeader(contents, name, options);
    return options.fit(renderDump(contents, title, annotateContents(contents), options, isShown));
  },
});

const eventRecords: Output = {
  needsContext: true,
  open({ only, withTold, printing, multipleFiles }, { name, ticks }) {
    const record = eventJson(multipleFiles ? name : undefined);
    return new Timeline({ ...printing, only, withTold, record, ...(ticks ? { ticks } : {}) });
  },
};

/** The items of the one type that is selected, or the messages where only those are. */
function rowsOf({ selected, input: { schema } }: DumpRun, file: string): RecordRows | undefined {
  if (selected.onlyMessages) return messageRows(selected.onlyMessage?.name, schema, selected, file);
  return selected.only && itemsOfType(selected.only.name, schema, selected, file);
}
