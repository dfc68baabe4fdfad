import { type Command, Option } from 'commander';
import type { DemoHeader } from '../../src/container/demo/header.ts';
import { LastByteMode } from '../../src/edit/demo-recorder.ts';
import { type Edit, Editor } from '../../src/edit/editor.ts';
import { Anonymise, Identities, maxNameBytes, Rename } from '../../src/edit/names.ts';
import { DropSentSnapshots, messageGroups, messagesCalled, Strip } from '../../src/edit/strip.ts';
import type { Schema } from '../../src/protocol/schema.ts';
import type { RecordingEntry } from '../../src/recording/record.ts';
import { type Changes, renderChanges } from '../../src/view/edit/changes.ts';
import { renderWritten } from '../../src/view/edit/slices.ts';
import { DemoOutput, refuseTerminal } from '../lib/demo/demo-output.ts';
import { type DemoOptions, withDemoOutput } from '../lib/demo/options.ts';
import { openDemo, readDemo, readSureRecords } from '../lib/demo/read-demo.ts';
import { printReport, reportLosses, reportTheme, writtenDemo } from '../lib/demo/report.ts';
import { exit, usageError } from '../lib/errors.ts';
import { names } from '../lib/filter.ts';
import { readSchemaFile } from '../lib/input/context.ts';
import type { Io } from '../lib/io.ts';
import { repeated } from '../lib/options.ts';
import { isToStdout } from '../lib/output/output.ts';
import { HeaderEdit, type HeaderOptions } from './header.ts';

type Options = DemoOptions &
  HeaderOptions & { readonly strip?: string[]; readonly rename?: string[]; readonly anonymise?: boolean };

export function define(command: Command): Command {
  return withDemoOutput(command)
    .argument('<file>', "a demo; '-' for standard input")
    .option(
      '--strip <names>',
      `leave out messages: ${Object.keys(messageGroups).join(', ')}, or names of messages`,
      names,
    )
    .option('--rename <old=new>', 'rename a player everywhere; may be repeated', repeated)
    .option('--anonymise', 'replace the names of all players and clans by pseudonyms; reads the file twice')
    .option('--map <file>', 'embed this map, or none')
    .option('--marker <tick>', 'add (+TICK) or remove (-TICK) a marker; may be repeated', repeated)
    .option('--markers <which>', 'replace the markers: none, or at:kill, at:death, at:finish, at:chat:/RE/')
    .addOption(new Option('--demo-version <version>', 'write this version of the format').choices(['3', '4', '5', '6']))
    .option('--timestamp <time>', 'the time of the recording: 2026-11-20_11-08-13, or now')
    .addHelpText('after', examples);
}

const examples = `
Examples:
  tw-snap edit match.demo --strip chat,votes --rename stress2=rival -o clean.demo
  tw-snap edit match.demo --anonymise --map none -o shared.demo
  tw-snap edit match.demo --markers at:kill -o marked.demo
  tw-snap edit match.demo --demo-version 5 -o match-5.demo`;

/** `tw-snap edit FILE -o OUT` */
export async function run([path]: readonly string[], options: Options, io: Io): Promise<number> {
  const output = refuseTerminal(options.output, io);
  const rename = new Rename(renames(options.rename ?? []));
  const header = await HeaderEdit.of(options, io);
  const schema = await readSchemaFile(options.schema, io);
  const strip = new Strip(strippedNames(options.strip ?? [], schema));
  const anonymise = options.anonymise ? new Anonymise(await identitiesOf(path, schema, io)) : undefined;
  const sent = new DropSentSnapshots();
  const edits: Edit[] = [header];
  if (options.strip) edits.push(strip);
  if (options.rename || anonymise) edits.push(sent);
  if (options.rename) edits.push(rename);
  if (anonymise) edits.push(anonymise);

  const opened = await openDemo(path, io);
  const mode = new LastByteMode();
  const demo = new DemoOutput(output, mode, io);
  const editor = new Editor(edits, demo.emit);
  let recorded: DemoHeader | undefined;
  const add = (entry: RecordingEntry): undefined => {
    if (entry.record === 'header') {
      recorded = entry.header;
      if (header.needsEnd(recorded) && isToStdout({ output })) {
        throw usageError('this requires a file (-o): the header is known only at the end');
      }
    }
    header.add(entry);
    if (entry.record !== 'map' || !header.map) editor.add(entry);
    if (entry.record === 'header' && header.map?.length) {
      editor.add({ record: 'map', stream: entry.stream, piece: header.map });
    }
  };
  const { losses } = await readSureRecords(opened, schema, mode, { add, drain: () => demo.drain() });
  const { length, markers } = demo.recorder.header;
  await demo.finish({ length, markers, ...header.final(recorded!) });

  const found = [...(options.rename ? rename.names : [])].filter(([from]) => rename.found.has(from));
  const notFound = [...rename.names.keys()].filter((name) => !rename.found.has(name));
  const changes: Changes = {
    stripped: strip.counts,
    sentSnapshots: sent.count,
    renamed: found,
    notFound,
    texts: rename.texts + (anonymise?.texts ?? 0),
    anonymised: anonymise?.summary,
    droppedMarkers: header.dropped,
  };
  const lines = [...renderWritten([writtenDemo(demo)], await reportTheme(options, io)), ...renderChanges(changes)];
  await printReport(lines, output, io);
  const status = await reportLosses(opened.name, losses, io);
  const isEmpty = anonymise?.summary.players === 0;
  return Math.max(status, notFound.length > 0 || isEmpty ? exit.finding : exit.fine);
}

function strippedNames(words: readonly string[], schema: Schema): Set<string> {
  const all = words.map((word) => {
    const called = messagesCalled(word, schema);
    if (called.size === 0) {
      throw usageError(`--strip: no message or group '${word}'; groups are ${Object.keys(messageGroups).join(', ')}`);
    }
    return [...called];
  });
  return new Set(all.flat());
}

function renames(all: readonly string[]): Map<string, string> {
  return new Map(
    all.map((one) => {
      const at = one.indexOf('=');
      if (at < 1) throw usageError(`--rename expects OLD=NEW, not '${one}'`);
      const name = one.slice(at + 1);
      if (new TextEncoder().encode(name).length > maxNameBytes) {
        throw usageError(`--rename: '${name}' is too long; a name has at most ${maxNameBytes} bytes`);
      }
      return [one.slice(0, at), name];
    }),
  );
}

/** Reads the whole demo for its names: a server may speak of players before their items come. */
async function identitiesOf(path: string | undefined, schema: Schema, io: Io): Promise<Identities> {
  const opened = await openDemo(path, io);
  if (!io.exists(opened.path)) throw usageError(`${opened.name}: --anonymise reads the input twice; name a file`);
  const identities = new Identities();
  const add = (entry: RecordingEntry): undefined => {
    identities.add(entry);
  };
  await readDemo(opened, schema, { add });
  return identities;
}
