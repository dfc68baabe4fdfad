import { type Command, InvalidArgumentError, Option } from 'commander';
import { join } from '../../src/bytes/join.ts';
import type { LastByte } from '../../src/codec/huffman.ts';
import { recordsOf } from '../../src/recording/formats.ts';
import type { Tick } from '../../src/recording/snapshot-search.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { diagnosticLine } from '../../src/view/text/diagnostic-messages.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { exit, inputError, usageError } from '../lib/errors.ts';
import { atPacket } from '../lib/input/at-packet.ts';
import { type InputContext, inputContext } from '../lib/input/context.ts';
import { withUncertainty } from '../lib/input/describe-input.ts';
import { type Loaded, loadOpened } from '../lib/input/load.ts';
import { type Opened, openInput, refuseEmpty } from '../lib/input/open.ts';
import { splitPosition, tickOf } from '../lib/input/position.ts';
import type { Io } from '../lib/io.ts';
import { type InputOptions, type OutputOptions, withFrom } from '../lib/options.ts';
import { encodings, isEncoding, printEncoded } from '../lib/output/encodings.ts';
import { isToStdout, print } from '../lib/output/output.ts';
import { refuseMeaningless } from '../lib/refuse-options.ts';
import { extractDemo } from './demo.ts';

type Options = InputOptions &
  OutputOptions & { map?: boolean; snapshot?: Tick; demo?: boolean; lastByte: LastByte | 'auto' };

export function define(command: Command): Command {
  return withFrom(command)
    .argument(
      '<file>',
      "a demo or capture, FILE@TICK for a snapshot, FILE#N for packet N of a capture; '-' for standard input",
    )
    .option('--map', 'the map embedded in a demo')
    .option('--demo', 'the demo that a client of a capture would have recorded')
    .option('--snapshot <tick>', 'the snapshot at a tick, or first or last', parseTick)
    .addOption(new Option('-t, --to <encoding>', 'encoding of the snapshot').choices(encodings).default('huffman'))
    .addOption(
      new Option(
        '--last-byte <mode>',
        'whether a compressed snapshot may end with an extra zero byte (auto: as in the file)',
      )
        .choices(['auto', 'extra', 'none'])
        .default('auto'),
    )
    .option('-o, --output <file>', 'the file to write; %d in its name numbers the demos of several maps')
    .addHelpText('after', examples);
}

const examples = `
Examples:
  tw-snap extract match.demo --map -o dm1.map
  tw-snap extract match.demo --snapshot 9938 -t packed -o 9938.snap
  tw-snap extract server.pcap --demo -o player.demo
  tw-snap extract server.pcap#101 -o 101.packet`;

function parseTick(text: string): Tick {
  const tick = tickOf(text);
  if (tick === undefined) throw new InvalidArgumentError('Expected a tick, first or last.');
  return tick;
}

/** `tw-snap extract FILE --map | --snapshot TICK | --demo`, `FILE@TICK`, `FILE#N` */
export async function run([path]: readonly string[], options: Options, io: Io): Promise<number> {
  const context = await inputContext(options, io);
  const { map, demo, snapshot } = options;
  const { path: file, position } = splitPosition(path, io);
  if ([map, demo, snapshot, position].filter((one) => one !== undefined).length !== 1) {
    throw usageError('name one thing to extract: --map, --demo, --snapshot TICK, FILE@TICK or FILE#N');
  }
  const isPacket = position !== undefined && 'packet' in position;
  if (options.lastByte !== 'auto' && (map || demo || isPacket || options.to !== 'huffman')) {
    throw usageError('--last-byte is for snapshots with -t huffman');
  }
  const opened = await openInput(file, options, io);
  refuseMeaningless([opened], options);
  refuseEmpty(opened);
  if (!opened.format) throw inputError(`${opened.name}: this is not a demo or capture`);
  if (demo) return extractDemo(opened, options, context);
  if (map) return extractMap(opened, options, io);
  if (position && 'packet' in position) return extractPacket(opened, position.packet, options, context);
  return extractSnapshot(opened, position?.tick ?? snapshot!, options, context);
}

/** Writes a packet as it was sent. */
async function extractPacket(opened: Opened, number: number, options: Options, context: InputContext): Promise<number> {
  const { io } = context;
  if (io.stdout.isTerminal && isToStdout(options)) {
    throw usageError('a packet is binary, not for a terminal: name a file with -o');
  }
  const { bytes } = await atPacket(opened, number, context);
  await print(bytes, options, io);
  return exit.fine;
}

async function extractMap(opened: Opened, options: Options, io: Io): Promise<number> {
  const replay = opened.format!.open({ messages: false });
  if (replay.datagrams) throw inputError(`${opened.name}: only demos contain a map`);
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
  if (pieces.length === 0) throw inputError(`${escapeText(opened.name)}: this demo contains no map`);
  await print(join(pieces), options, io);
  return exit.fine;
}

/** The chosen ending of a compressed snapshot, or that of the recording. */
function lastByteOf({ lastByte }: Options, loaded: Loaded): LastByte | undefined {
  return lastByte === 'auto' ? loaded.lastByte : lastByte;
}

async function extractSnapshot(opened: Opened, tick: Tick, options: Options, context: InputContext): Promise<number> {
  const { io } = context;
  const loaded = await loadOpened(opened, { tick }, context);
  const { rebuilt } = loaded;
  if (!rebuilt) throw inputError(`${escapeText(opened.name)}: the snapshot at tick ${tick} can't be rebuilt`);
  if (isEncoding(options.to))
    await printEncoded(rebuilt.body as Snapshot, options.to, options, io, lastByteOf(options, loaded));
  return withUncertainty(exit.fine, loaded);
}
