import { type Command, Option } from 'commander';
import { join } from '../../src/bytes/join.ts';
import { recordsOf } from '../../src/recording/formats.ts';
import type { Tick } from '../../src/recording/snapshot-search.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { diagnosticLine } from '../../src/view/text/diagnostic-messages.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { exit, inputError, usageError } from '../lib/errors.ts';
import { splitTick } from '../lib/input/at-tick.ts';
import { type InputContext, inputContext } from '../lib/input/context.ts';
import { withUncertainty } from '../lib/input/describe-input.ts';
import { loadOpened } from '../lib/input/load.ts';
import { type Opened, openInput } from '../lib/input/open.ts';
import type { Io } from '../lib/io.ts';
import { type InputOptions, type OutputOptions, withFrom } from '../lib/options.ts';
import { encodings, isEncoding, printEncoded } from '../lib/output/encodings.ts';
import { isToStdout, print } from '../lib/output/output.ts';
import { extractDemo } from './demo.ts';

type Options = InputOptions & OutputOptions & { map?: boolean; snapshot?: Tick; demo?: boolean };

export function define(command: Command): Command {
  return withFrom(command)
    .argument('<file>', "a demo or capture; '-' for standard input")
    .option('--map', 'the map that the demo carries')
    .option('--demo', 'what a client of a capture received, as the demo that it would have recorded')
    .option('--snapshot <tick>', 'the snapshot at a tick, or first or last')
    .addOption(new Option('-t, --to <encoding>', 'how a snapshot is encoded').choices(encodings).default('huffman'))
    .option('-o, --output <file>', 'the file to write, whole or not at all; %d in it numbers the demos of several maps')
    .addHelpText('after', examples);
}

const examples = `
Examples:
  tw-snap extract match.demo --map -o dm1.map
  tw-snap extract match.demo --snapshot 9938 -t packed -o 9938.snap
  tw-snap extract server.pcap --demo -o player.demo`;

/** `tw-snap extract FILE --map | --snapshot TICK | --demo` */
export async function run([path]: readonly string[], options: Options, io: Io): Promise<number> {
  const context = await inputContext(options, io);
  const { map, demo, snapshot } = options;
  if ([map, demo, snapshot].filter((one) => one !== undefined).length !== 1) {
    throw usageError('say what to extract: --map, --demo, or --snapshot TICK');
  }
  const opened = await openInput(path, options, io);
  if (!opened.format) throw inputError(`${opened.name}: this is no demo or capture`);
  if (demo) return extractDemo(opened, options, context);
  return map ? extractMap(opened, options, io) : extractSnapshot(opened, options, context);
}

async function extractMap(opened: Opened, options: Options, io: Io): Promise<number> {
  const replay = opened.format!.open({ messages: false });
  if (replay.datagrams) throw inputError(`${opened.name}: only demos carry a map`);
  if (io.stdout.isTerminal && isToStdout(options)) {
    throw usageError('a map is binary, not for a terminal: name a file with -o');
  }
  const pieces: Uint8Array[] = [];
  for await (const record of recordsOf(opened.pieces, replay)) {
    if (record.record === 'map') pieces.push(record.piece.slice());
    else if (record.record === 'diagnostic' && record.diagnostic.severity === 'error') {
      throw inputError(`${opened.name}: ${diagnosticLine(record.diagnostic)}`);
    } else if (record.record !== 'header' && record.record !== 'diagnostic') break;
  }
  if (pieces.length === 0) throw inputError(`${escapeText(opened.name)}: this demo carries no map`);
  await print(join(pieces), options, io);
  return exit.fine;
}

async function extractSnapshot(opened: Opened, options: Options, context: InputContext): Promise<number> {
  const { io } = context;
  const { tick } = splitTick(`@${options.snapshot}`, io);
  if (tick === undefined) throw usageError(`--snapshot takes a tick, first or last, not '${options.snapshot}'`);
  const loaded = await loadOpened(opened, tick, context);
  const { rebuilt } = loaded;
  if (!rebuilt)
    throw inputError(`${escapeText(opened.name)}: the snapshot at tick ${options.snapshot} can't be rebuilt`);
  if (isEncoding(options.to)) await printEncoded(rebuilt.body as Snapshot, options.to, options, io);
  return withUncertainty(exit.fine, loaded);
}
