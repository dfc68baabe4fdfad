import type { Command } from 'commander';
import { type InputContext, inputContext } from '../lib/input/context.ts';
import { conclude, concludeDiagnostics, describeReading, withUncertainty } from '../lib/input/describe-input.ts';
import { type Loaded, loadAny, loadPasted, readBase } from '../lib/input/load.ts';
import type { LoadedPacket } from '../lib/input/load-packet.ts';
import { openInput } from '../lib/input/open.ts';
import { splitPosition } from '../lib/input/position.ts';
import { chosen } from '../lib/input/read-sources.ts';
import type { Io } from '../lib/io.ts';
import { type InputOptions, type OutputOptions, withInput, withOutput, withStrict } from '../lib/options.ts';
import { print } from '../lib/output/output.ts';
import { refuseMeaningless } from '../lib/refuse-options.ts';
import { render } from './render.ts';

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
  if (text.items.length > 1 && options.nth === undefined) {
    const { decodeSeveral } = await import('./several.ts');
    return decodeSeveral(opened.name, text, options, io, base);
  }
  return decodeOne(await chosen(opened.name, text.items, options.nth)(), options, context, base);
}

async function decodeOne(
  loaded: Loaded | LoadedPacket,
  options: Options,
  { schema, io }: InputContext,
  base: Pick<Loaded, 'uncertainty'> | undefined,
): Promise<number> {
  if ('contents' in loaded) {
    await (await import('./packet.ts')).describePacket(loaded, options, io);
    await print(await render(loaded, options, io), options, io);
    const status = await concludeDiagnostics(loaded.name, loaded.contents.diagnostics, options, io);
    return withUncertainty(status, loaded, base);
  }
  await describeReading(loaded, options, io);
  await print(await render(loaded, options, io), options, io);
  return withUncertainty(await conclude(loaded, options, schema, io), loaded, base);
}
