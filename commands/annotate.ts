import { findingText } from '../src/output/phrases/finding-phrases.ts';
import { maxFindings } from '../src/output/reports/ci.ts';
import { pathText } from '../src/output/text/escape.ts';
import { CaptureAnnotator, renderAnnotated } from '../src/output/wireshark/capture-annotator.ts';
import { renderPostDissector } from '../src/output/wireshark/post-dissector.ts';
import { RecordFindings, statusOf } from '../src/recording/health/findings.ts';
import type { RecordingEntry } from '../src/recording/replay/record.ts';
import { inputOf } from './lib/input/input-of.ts';
import { open } from './lib/input/opened.ts';
import { refuseIneffective } from './lib/input/records.ts';
import { exit, inputError } from './lib/options/errors.ts';
import { common, flag, type Given, itemSelection, output } from './lib/options/options.ts';
import { filterOf } from './lib/options/selection.ts';
import { OutputFile, print, refuseBinary } from './lib/output/printing.ts';
import { withPauses } from './lib/platform/growing.ts';
import type { Io } from './lib/platform/io.ts';
import { printProblem } from './lib/platform/note.ts';
import { outputName, printReport } from './lib/run/demo-output.ts';

type Options = Given<(typeof definition)['options']>;

export const definition = {
  usage: '[options] [file] -o <out>',
  arguments: { '[file]': "a pcap or pcapng; '-' or nothing for standard input" },
  options: {
    values: flag('--no-values', 'leave out the values of items, which the post-dissector shows as fields', {
      default: true,
    }),
    lua: flag('--lua', 'print the post-dissector for Wireshark, which turns comments into fields', {
      goesWith: ['schema', 'output'],
    }),
    protocol: { ...common.protocol, choices: ['auto', '0.6', '0.7'] },
    schema: common.schema,
    ...itemSelection('items of these types and messages'),
    client: { ...common.client, about: 'comment only on packets of this client' },
    output: output('the pcapng to write (default: standard output)'),
    strict: common.strict,
    showSecrets: common.showSecrets,
  },
  help: `
Examples:
  tw-snap annotate server.pcap -o server.pcapng
  tw-snap annotate --lua -o tw-snap.lua
  tcpdump -U -w - udp port 8303 | tw-snap annotate - > live.pcapng`,
};

export async function run([path]: readonly (string | undefined)[], given: Options, io: Io): Promise<number> {
  const input = await inputOf(given, io);
  const { schema } = input;
  const { output: target } = given;
  if (given.lua) {
    await print(renderPostDissector(schema), { output: target, io });
    return exit.fine;
  }
  refuseBinary('a pcapng is binary', { output: target, io });
  const filter = filterOf(given, schema);
  const opened = await (await open(path, input)).whole.recording(input);
  if (!opened.format.hasBlocks) throw inputError(`${opened.name}: this is not a capture (pcap or pcapng)`);
  const annotator = new CaptureAnnotator({ filter, values: given.values === true, client: opened.client });
  const written = new OutputFile(target, io);
  const findings = new RecordFindings(maxFindings);
  let writtenBytes = 0;
  const write = async (piece: Uint8Array) => {
    writtenBytes += piece.length;
    if (piece.length > 0) await written.write(piece);
  };
  const add = (entry: RecordingEntry) => {
    annotator.add(entry);
    const found = findings.add(entry);
    return found && printProblem(`${pathText(opened.name)}: ${findingText(found, opened.name)}`, io);
  };
  const watched = opened.watched((pieces) => withPauses(pieces, () => write(annotator.flush())));
  const records = await watched.records(input, {
    blocks: true,
    parts: true,
    messages: false,
    hidesSecrets: !given.showSecrets,
  });
  const { bytes, failure } = await records.each(add, () => write(annotator.take()));
  await write(annotator.flush());
  if (writtenBytes === 0) throw failure ?? inputError(`${opened.name}: it has no packets`);
  refuseIneffective(opened, input, records.replay);
  await written.finish();
  const to = [outputName(target ?? '-'), writtenBytes] as const;
  const lines = renderAnnotated([opened.name, bytes], to, annotator.counts);
  await printReport(lines, { output: target ?? '-', io });
  if (failure) throw failure;
  return statusOf(findings.all, input.strict);
}
