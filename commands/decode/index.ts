import type { Command } from 'commander';
import { annotate } from '../../src/annotate/annotate.ts';
import { renderHexdump } from '../../src/view/hexdump/hexdump.ts';
import { payloadJson, renderJson } from '../../src/view/json/json.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { exit } from '../lib/errors.ts';
import { type InputContext, inputContext } from '../lib/input/context.ts';
import { conclude, concludeDiagnostics, describeReading, withUncertainty } from '../lib/input/describe-input.ts';
import {
  diagnosticsOf,
  type Loaded,
  type LoadedInput,
  type LoadedText,
  loadAny,
  loadPasted,
  readBase,
} from '../lib/input/load.ts';
import { openInput } from '../lib/input/open.ts';
import { splitPosition } from '../lib/input/position.ts';
import { chosen } from '../lib/input/read-sources.ts';
import type { Io } from '../lib/io.ts';
import { printNote } from '../lib/note.ts';
import { type InputOptions, type OutputOptions, withInput, withOutput, withStrict } from '../lib/options.ts';
import { outputStyle, print } from '../lib/output/output.ts';
import { Stream } from '../lib/output/stream.ts';
import { refuseMeaningless } from '../lib/refuse-options.ts';

type Options = InputOptions & OutputOptions & { base?: string };

export function define(command: Command): Command {
  return withStrict(withInput(withOutput(command, ['hexdump', 'table', 'json'])))
    .argument(
      '[file]',
      "a file, FILE@TICK of a recording, FILE#N for packet N of a capture; '-' or nothing for standard input",
    )
    .option('--base <file>', "the base of a delta, or 'empty': shows old → new")
    .addHelpText('after', examples);
}

const examples = `
Examples:
  tw-snap decode samples/first.huff
  tw-snap decode server.packet -v
  tw-snap decode match.demo@9938 -t table
  tw-snap decode server.pcap#101
  tw-snap decode chat.txt --nth 2
  printf '00 01 00 11 05 90 0c b0 04' | tw-snap decode -p 0.7 -t json`;

/** `tw-snap decode [FILE]` */
export async function run([path]: readonly (string | undefined)[], options: Options, io: Io): Promise<number> {
  const context = await inputContext(options, io);
  const base = await readBase(options.base, context);
  const { path: file, position } = splitPosition(path, io);
  const opened = await openInput(file, options, io);
  refuseMeaningless([opened, ...context.opened], options);
  if (opened.format) return decodeOne(await loadAny(opened, position, context, base), options, context, base);
  const text = await loadPasted(opened, position, context, base);
  if (text.items.length > 1 && options.nth === undefined) return decodeAll(opened.name, text, options, io, base);
  return decodeOne(await chosen(opened.name, text.items, options.nth)(), options, context, base);
}

async function decodeOne(
  loaded: LoadedInput,
  options: Options,
  { schema, io }: InputContext,
  base: Pick<Loaded, 'uncertainty'> | undefined,
): Promise<number> {
  if (loaded.kind === 'packet') await (await import('./packet.ts')).describePacket(loaded, options, io);
  else await describeReading(loaded, options, io);
  await print(await render(loaded, options, io), options, io);
  return withUncertainty(await conclude(loaded, options, schema, io), loaded, base);
}

/** Decodes all packets of a text, one after another; as JSON they are one array. */
async function decodeAll(
  name: string,
  { form, items }: LoadedText,
  options: Options,
  io: Io,
  base: Pick<Loaded, 'uncertainty'> | undefined,
): Promise<number> {
  await printNote(`${escapeText(name)}: ${items.length} packets from text (${form}); --nth N shows one alone`, io);
  const isJson = options.to === 'json';
  const stream = new Stream(options, io);
  let status = withUncertainty(exit.fine, base);
  for (const [i, read] of items.entries()) {
    const loaded = await read();
    await stream.write(isJson ? (i === 0 ? '[' : ',\n') : i === 0 ? '' : '\n');
    const text = await render(loaded, options, io);
    await stream.write(isJson ? text.trimEnd() : text);
    status = Math.max(status, await concludeDiagnostics(loaded.name, diagnosticsOf(loaded), options, io));
  }
  if (isJson) await stream.write(']\n');
  await stream.end(status);
  return status;
}

/** A snapshot, delta, packet or message in the format of `--to`. */
async function render(loaded: LoadedInput, options: OutputOptions, io: Io): Promise<string> {
  if (loaded.kind === 'packet') return (await import('./packet.ts')).renderPacket(loaded, options, io);
  const { payload, name } = loaded;
  if (options.to === 'json') return renderJson(payloadJson(payload));
  const how = { name, ...(await outputStyle(options, io)) };
  if (options.to === 'hexdump') return how.fit(renderHexdump(payload, annotate(payload), how));
  const { renderTable } = await import('../../src/view/table/table.ts');
  return how.fit(renderTable(payload, how));
}
