import type { Command } from 'commander';
import { layersOfInts } from '../src/decode/encoding-layers.ts';
import type { Payload } from '../src/decode/payload.ts';
import { readPayload } from '../src/decode/payload.ts';
import type { Recognised } from '../src/decode/recognise.ts';
import { payloadJson, renderJson } from '../src/view/json/json.ts';
import { renderTable } from '../src/view/table/table.ts';
import { diagnosticLine } from '../src/view/text/diagnostic-messages.ts';
import { escapeText } from '../src/view/text/escape.ts';
import { exit, inputError } from './lib/errors.ts';
import { inputContext, withOptions } from './lib/input/context.ts';
import { withUncertainty } from './lib/input/describe-input.ts';
import { baseContext, type Loaded, load, readSnapshot, sureVersion } from './lib/input/load.ts';
import type { Io } from './lib/io.ts';
import { printProblem } from './lib/note.ts';
import {
  crc,
  type InputOptions,
  type OutputOptions,
  withOutput,
  withSnapshotInput,
  withStrict,
} from './lib/options.ts';
import { encodings, isEncoding, printEncoded } from './lib/output/encodings.ts';
import { outputStyle, print } from './lib/output/output.ts';
import { refuseMeaningless } from './lib/refuse-options.ts';

type Options = InputOptions & OutputOptions & { expect?: number };

export function define(command: Command): Command {
  return withStrict(withSnapshotInput(withOutput(command, ['table', 'json', ...encodings])))
    .argument('<base>', "a snapshot in any encoding, or 'empty'")
    .argument('<delta...>', 'deltas, applied one after the other')
    .option('--expect <crc>', 'exit 1 if the checksum of the result differs', crc)
    .addHelpText('after', examples);
}

const examples = `
Examples:
  tw-snap apply base.snap next.delta
  tw-snap apply empty first.delta -t huffman -o first.snap`;

/** `tw-snap apply BASE DELTA...` */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const [basePath, ...deltas] = args as [string, ...string[]];
  const context = await inputContext(options, io);
  const base = await readSnapshot(basePath, baseContext(context));
  const inputs: Pick<Loaded, 'uncertainty'>[] = [base];
  let current: Recognised = base;
  let warnings = 0;
  for (const path of deltas) {
    const delta = await load(path, withOptions(context, { kind: 'delta' }), current);
    inputs.push(delta);
    const { diagnostics, result, types, kind } = delta.payload;
    if (kind === 'snapshot') throw inputError(`${delta.name}: this is a snapshot; expected a delta`);
    for (const diagnostic of diagnostics.warnings)
      await printProblem(`${escapeText(delta.name)}: ${diagnosticLine(diagnostic)}`, io);
    if (diagnostics.error || !result)
      throw inputError(`${delta.name}: ${diagnostics.error ? diagnosticLine(diagnostics.error) : ''}`);
    warnings += diagnostics.warnings.length;
    const version = sureVersion(delta);
    const payload = readPayload(layersOfInts(result.toInts()), 'snapshot', types.protocol);
    current = { kind: 'payload', payload, penalty: 0, equals: version ? [] : current.equals };
  }
  refuseMeaningless(context.opened, options);
  const { payload } = current;
  const checksum = (payload.body as Payload['result'])!.checksum();
  if (isEncoding(options.to)) await printEncoded(payload.body, options.to, options, io);
  else await print(await render(payload, [basePath, ...deltas].join(' + '), options, io), options, io);
  if (options.expect !== undefined && options.expect !== checksum) {
    await printProblem(`the checksum is ${checksum}; expected ${options.expect}`, io);
    return withUncertainty(exit.finding, ...inputs);
  }
  return withUncertainty(options.strict && warnings > 0 ? exit.finding : exit.fine, ...inputs);
}

async function render(payload: Payload, name: string, options: Options, io: Io): Promise<string> {
  if (options.to === 'json') return renderJson(payloadJson(payload));
  const style = await outputStyle(options, io);
  return style.fit(renderTable(payload, { name, ...style }));
}
