import type { Command } from 'commander';
import type { RecordingEntry } from '../src/recording/record.ts';
import { escapeText } from '../src/view/text/escape.ts';
import { findingLine } from '../src/view/text/recording-phrases.ts';
import { CaptureAnnotator } from '../src/view/wireshark/capture-annotator.ts';
import { renderPostDissector } from '../src/view/wireshark/post-dissector.ts';
import { renderAnnotated } from '../src/view/wireshark/summary.ts';
import { outputName, printReport } from './lib/demo/report.ts';
import { exit, inputError, usageError } from './lib/errors.ts';
import { type FilterOptions, filterOf, withFilter } from './lib/filter.ts';
import { entryStatus } from './lib/health-status.ts';
import { readSchemaFile } from './lib/input/context.ts';
import { openInput, openReplay, refuseEmpty } from './lib/input/open.ts';
import { withPauses } from './lib/input/pauses.ts';
import { readRecords } from './lib/input/read-records.ts';
import type { Io } from './lib/io.ts';
import { printProblem } from './lib/note.ts';
import { type InputOptions, withProtocol, withStrict } from './lib/options.ts';
import { isToStdout, OutputFile, print } from './lib/output/output.ts';
import { refuseIneffective, refuseMeaningless } from './lib/refuse-options.ts';

type Options = FilterOptions & {
  output?: string;
  lua?: boolean;
  values: boolean;
  client?: string;
  protocol: InputOptions['protocol'];
  schema?: string;
  strict?: boolean;
};

export function define(command: Command): Command {
  return withStrict(withProtocol(withFilter(command)))
    .argument('[file]', "a pcap or pcapng; '-' or nothing for standard input")
    .option('-o, --output <file>', 'the pcapng to write (default: standard output)')
    .option('--no-values', 'leave out the values of items, which the post-dissector shows as fields')
    .option('--client <addr:port>', 'comment only on packets of this client')
    .option('--lua', 'print the post-dissector for Wireshark, which turns comments into fields')
    .addHelpText('after', examples);
}

const examples = `
Examples:
  tw-snap annotate server.pcap -o server.pcapng
  tw-snap annotate --lua -o tw-snap.lua
  tcpdump -U -w - udp port 8303 | tw-snap annotate - > live.pcapng`;

/** `tw-snap annotate CAPTURE -o OUT.pcapng`, `tw-snap annotate --lua` */
export async function run([path]: readonly (string | undefined)[], options: Options, io: Io): Promise<number> {
  const schema = await readSchemaFile(options.schema, io);
  if (options.lua) {
    refuseBesideLua(path, options);
    await print(renderPostDissector(schema), options, io);
    return exit.fine;
  }
  if (io.stdout.isTerminal && isToStdout(options)) {
    throw usageError('a pcapng is binary, not for a terminal: name a file with -o');
  }
  const filter = filterOf(options, schema);
  const opened = await openInput(path, { from: 'auto' }, io);
  refuseEmpty(opened);
  if (!opened.format?.hasBlocks) throw inputError(`${opened.name}: this is not a capture (pcap or pcapng)`);
  refuseMeaningless([opened], options);
  const { client, values } = options;
  const annotator = new CaptureAnnotator({ filter, values, client });
  const replay = openReplay(opened, options, { schema, blocks: true, parts: true, messages: false });
  const output = isToStdout(options) ? io.stdout : new OutputFile(options.output!, io);
  let status: number = exit.fine;
  let writtenBytes = 0;
  const write = async (piece: Uint8Array) => {
    writtenBytes += piece.length;
    if (piece.length > 0) await output.write(piece);
  };
  const add = (entry: RecordingEntry) => {
    annotator.add(entry);
    status = Math.max(status, entryStatus(entry, options.strict));
    if (entry.record !== 'diagnostic') return undefined;
    return printProblem(`${escapeText(opened.name)}: ${findingLine(entry)}`, io);
  };
  const pieces = withPauses(opened.pieces, () => write(annotator.flush()));
  const { bytes, failure } = await readRecords({ pieces }, replay, add, () => write(annotator.take()));
  await write(annotator.flush());
  if (writtenBytes === 0) throw failure ?? inputError(`${opened.name}: it has no packets`);
  refuseIneffective(opened.name, options, replay);
  if (output instanceof OutputFile) await output.finish();
  const [from, to] = [escapeText(opened.name), escapeText(outputName(options.output ?? '-'))];
  const lines = renderAnnotated({ from, to, bytes, writtenBytes, counts: annotator.counts });
  await printReport(lines, options.output ?? '-', io);
  if (failure) throw failure;
  return status;
}

function refuseBesideLua(path: string | undefined, { client, values, protocol, strict, type, id }: Options): void {
  const others: [isGiven: boolean, name: string][] = [
    [path !== undefined, 'a capture'],
    [client !== undefined, '--client'],
    [!values, '--no-values'],
    [protocol !== 'auto', '-p'],
    [strict === true, '--strict'],
    [type !== undefined, '--type'],
    [id !== undefined, '--id'],
  ];
  const other = others.find(([isGiven]) => isGiven);
  if (other) throw usageError(`--lua prints the post-dissector; it does not go with ${other[1]}`);
}
