import { ClientDemo, type ClientDemoStart } from '../src/editing/client-demo.ts';
import { diagnosticLine } from '../src/output/phrases/diagnostic-messages.ts';
import { findingLine } from '../src/output/phrases/recording-phrases.ts';
import { nameText, pathText } from '../src/output/text/escape.ts';
import { count, nonZero } from '../src/output/text/number.ts';
import { recordsOf } from '../src/recording/formats.ts';
import type { RecordingEntry } from '../src/recording/replay/record.ts';
import { matchesClient, type Stream } from '../src/recording/replay/stream.ts';
import { join } from '../src/wire/bytes/copy.ts';
import type { Snapshot } from '../src/wire/snapshot/snapshot.ts';
import { inputOf } from './lib/input/input-of.ts';
import { type Input, splitPosition } from './lib/input/inputs.ts';
import { withDoubt } from './lib/input/loaded.ts';
import { type OpenedRecording, open } from './lib/input/opened.ts';
import { refuseIneffective } from './lib/input/records.ts';
import { exit, inputError, usageError } from './lib/options/errors.ts';
import { flag, type Given, output, player, recordingInput, to } from './lib/options/options.ts';
import { encodings, type Printing, print, printEncoded, refuseBinary } from './lib/output/printing.ts';
import type { Io } from './lib/platform/io.ts';
import { printNote, printProblem } from './lib/platform/note.ts';
import { DemoWork, localTime } from './lib/run/demo-output.ts';
import { bestRun } from './lib/run/ghost-runs.ts';

type Options = Given<(typeof definition)['options']>;

export const definition = {
  arguments: {
    '<file>': "a demo or capture, FILE@MOMENT for a snapshot, FILE#N for packet N of a capture; '-' for standard input",
  },
  options: {
    map: flag('--map', 'the map embedded in a demo'),
    demo: flag('--demo', 'the demo that a client of a capture would have recorded'),
    ghost: flag('--ghost', 'the fastest run of a player in a demo, from start to finish, as a ghost'),
    player: {
      ...player,
      about: 'the player of --ghost (default: the one who recorded the demo)',
      refusal: ({ ghost }: { readonly ghost?: unknown }) => (ghost ? undefined : '--player is for --ghost'),
    },
    ...recordingInput,
    to: { ...to(encodings), flags: '-t, --to <encoding>', about: 'encoding of the snapshot' },
    output: output('the file to write; %d in its name numbers the demos of several maps'),
  },
  help: `
Examples:
  tw-snap extract match.demo --map -o dm1.map
  tw-snap extract match.demo@9938 -t packed -o 9938.snap
  tw-snap extract server.pcap --demo -o player.demo
  tw-snap extract race.demo --ghost --player racer -o run.gho
  tw-snap extract server.pcap#101 -o 101.packet`,
};

type Target = Pick<Printing, 'output' | 'io'>;

export async function run([path]: readonly string[], given: Options, io: Io): Promise<number> {
  const input = await inputOf(given, io);
  const { map, demo, ghost, to } = given;
  const { position } = splitPosition(path, io);
  if ([map, demo, ghost, position].filter((option) => option !== undefined).length !== 1) {
    throw usageError('name one thing to extract: --map, --demo, --ghost, FILE@MOMENT or FILE#N');
  }

  const named = await open(path, input);
  const opened = await named.with({ position: undefined }).recording(input);
  const target = { output: given.output, io };
  if (demo) return extractDemo(opened, input, await DemoWork.of({ output: given.output }, io));
  if (ghost) return extractGhost(opened, given.player, input, target);
  if (map) return extractMap(opened, target);

  if (position && 'packet' in position) {
    refuseBinary('a packet is binary', target);
    await print((await opened.packet(position.packet, input)).bytes, target);
    return exit.fine;
  }

  const loaded = await opened.with({ position }).delta(input);
  if (!loaded.rebuilt) throw inputError(`${pathText(loaded.name)}: the snapshot can't be rebuilt`);
  await printEncoded(loaded.rebuilt.body as Snapshot, to, target, loaded.lastByte);
  return withDoubt(exit.fine, loaded);
}

async function extractMap({ name, format, source }: OpenedRecording, target: Target): Promise<number> {
  const replay = format.open({ messages: false });
  if (replay.datagrams) throw inputError(`${name}: only demos contain a map`);
  refuseBinary('a map is binary', target);

  const map: Uint8Array[] = [];
  for await (const record of recordsOf(source.pieces, replay)) {
    if (record.record === 'map') map.push(record.piece.slice());
    else if (record.record === 'diagnostic' && record.diagnostic.severity === 'error') {
      throw inputError(`${name}: ${diagnosticLine(record.diagnostic)}`);
    } else if (record.record !== 'header' && record.record !== 'diagnostic') break; // The map is before all else.
  }

  if (map.length === 0) throw inputError(`${pathText(name)}: this demo contains no map`);
  await print(join(map), target);
  return exit.fine;
}

async function extractGhost(opened: OpenedRecording, player: string | undefined, input: Input, target: Target) {
  refuseBinary('a ghost', target);
  const { best, runs, failure } = await bestRun(opened, player, input);
  await print(runs.write(best), target);

  const { time, startTick, finishTick, characters } = best;
  const of = runs.runs.length > 1 ? `, the fastest of ${runs.runs.length} runs` : '';
  const about = `${nameText(best.player)}, ${(time / 1000).toFixed(2)} s, ticks ${startTick} to ${finishTick}`;
  await printNote(`${about}, ${count(characters.length, 'character')}${of}`, input.io);

  if (!runs.mapSha256) {
    await printNote('the demo does not say which file the map is: the game needs cl_race_ghost_strict_map 0', input.io);
  }
  if (failure) throw failure;
  return exit.fine;
}

/** Writes the demo that a client of a capture would have recorded; one per map if the output's name contains %d. */
async function extractDemo(opened: OpenedRecording, input: Input, work: DemoWork): Promise<number> {
  const { name } = opened;
  const { output, outputs } = work;
  const { io } = input;
  const records = await opened.records(input);
  if (!records.replay.datagrams) throw inputError(`${name}: this is a demo already; --demo is for captures`);

  let recorded: Stream | undefined;
  const begin = ({ stream, time }: ClientDemoStart) => {
    recorded ??= stream;
    if (stream.client !== recorded.client) {
      throw usageError(`${name}: several clients; choose one with --client: ${recorded.client}, ${stream.client}, …`);
    }
    const number = outputs.length + 1;
    if (number > 1 && !output.includes('%d')) {
      throw usageError(`${name}: there is another map; name a demo for each with %d, as in -o match-%d.demo`);
    }
    const demo = work.begin(output.replaceAll('%d', String(number)));
    return { timestamp: Number.isNaN(time) ? '' : localTime(new Date(time * 1000)), emit: demo.emit };
  };

  const demos = new Map<Stream, ClientDemo>();
  let status: number = exit.fine;
  let lost = 0;
  const add = (entry: RecordingEntry) => {
    const { stream } = entry;
    if (!matchesClient(stream, opened.client)) return undefined;
    if (stream && entry.record === 'drop') {
      lost += demos.get(stream)?.lost ?? 0;
      demos.delete(stream);
    } else if (stream) {
      const demo = demos.get(stream) ?? new ClientDemo(begin);
      demos.set(stream, demo);
      demo.add(entry);
    }
    if (entry.record !== 'diagnostic' || entry.diagnostic.severity !== 'error') return undefined;
    status = exit.unreadable;
    return printProblem(`${pathText(name)}: ${findingLine(entry)}`, io);
  };

  const { failure } = await records.each(add, () => work.drain());
  refuseIneffective(opened, input, records.replay);
  if (outputs.length === 0) throw inputError(`${name}: there is no snapshot that the client could have recorded`);
  for (const output of outputs) await output.finish();
  for (const demo of demos.values()) lost += demo.lost;

  const withoutMap = outputs.filter(({ recorder }) => recorder.header.mapSize === 0);
  const maps = new Set(withoutMap.map(({ recorder }) => nameText(recorder.header.mapName) || 'of unknown name'));
  const needed = "is not in the demo: to play it, the game needs the map's file";
  await work.reportWritten([
    ...nonZero([lost, `  ${count(lost, 'snapshot')} left out: they can't be rebuilt or have a wrong checksum`]),
    ...[...maps].map((map) => `  the map ${map} ${needed}`),
  ]);
  if (failure) throw failure;
  return status;
}
