import type { Command } from 'commander';
import { annotate } from '../../src/annotate/annotate.ts';
import type { Payload } from '../../src/decode/payload.ts';
import { renderHexdump } from '../../src/view/hexdump/hexdump.ts';
import { payloadJson, renderJson } from '../../src/view/json/json.ts';
import { splitTick } from '../lib/input/at-tick.ts';
import { conclude, describeReading, withUncertainty } from '../lib/input/describe-input.ts';
import { baseOptions, extraItems, loadAny, readSnapshot } from '../lib/input/load.ts';
import { openInput } from '../lib/input/open.ts';
import type { Io } from '../lib/io.ts';
import { type InputOptions, type OutputOptions, withInput, withOutput } from '../lib/options.ts';
import { outputStyle, print } from '../lib/output/output.ts';

type Options = InputOptions & OutputOptions & { base?: string };

export function define(command: Command): Command {
  return withInput(withOutput(command, ['hexdump', 'table', 'json']))
    .argument('[file]', "a file, or '-' or nothing for standard input")
    .option('--base <file>', "the snapshot that a delta is a difference to, or 'empty': shows old → new")
    .addHelpText('after', examples);
}

const examples = `
Examples:
  tw-snap decode samples/first.huff
  tw-snap decode server.packet -v
  tw-snap decode match.demo@9938 -t table
  printf '00 01 00 11 05 90 0c b0 04' | tw-snap decode -p 0.7 -t json`;

/** `tw-snap decode [FILE]` */
export async function run([path]: readonly (string | undefined)[], options: Options, io: Io): Promise<number> {
  const added = await extraItems(options.schema, io);
  const base =
    options.base === undefined ? undefined : await readSnapshot(options.base, baseOptions(options), added, io);
  const place = splitTick(path, io);
  const loaded = await loadAny(await openInput(place.path, options, io), place.tick, options, added, io, base);
  if ('wire' in loaded) return (await import('./packet.ts')).decodePacket(loaded, options, io);
  await describeReading(loaded, options, io);
  await print(await render(loaded.payload, loaded.name, options, io), options, io);
  return withUncertainty(await conclude(loaded, options, added, io), loaded, base);
}

async function render(payload: Payload, name: string, options: Options, io: Io): Promise<string> {
  if (options.to === 'json') return renderJson(payloadJson(payload));
  const how = { name, ...(await outputStyle(options, io)) };
  const spans = annotate(payload);
  if (options.to === 'hexdump') return renderHexdump(payload, spans, how);
  const { renderTable } = await import('../../src/view/table/table.ts');
  return renderTable(payload, how);
}
