import { payloadJson, renderJson } from '../src/output/json/item-json.ts';
import { diagnosticLine } from '../src/output/phrases/diagnostic-messages.ts';
import { renderTable } from '../src/output/reports/decode.ts';
import { payloadOfSnapshot } from '../src/wire/payload/payload.ts';
import { readBase, readDelta, readSnapshot } from './lib/input/bases.ts';
import { inputOf } from './lib/input/input-of.ts';
import { type Loaded, nameOfInput, refuseMeaningless, refuseNeedlessBase } from './lib/input/inputs.ts';
import { sureVersion, withDoubt } from './lib/input/loaded.ts';
import { tellWarnings } from './lib/input/snapshots.ts';
import { exit, inputError, usageError } from './lib/options/errors.ts';
import { common, expectedChecksum, type Given, printing, snapshotInput } from './lib/options/options.ts';
import { encodings, isEncoding, print, printEncoded, printingOf } from './lib/output/printing.ts';
import type { Io } from './lib/platform/io.ts';
import { printError } from './lib/platform/note.ts';

type Options = Given<(typeof definition)['options']>;

export const definition = {
  arguments: {
    '[file...]': "a snapshot, 'empty' or a first delta, then deltas to apply; '-' or nothing for standard input",
  },
  options: {
    expect: expectedChecksum('exit 1 if the checksum of the result differs'),
    ...snapshotInput,
    ...printing(['table', 'json', ...encodings]),
    strict: common.strict,
  },
  help: `
Examples:
  tw-snap apply first.delta
  tw-snap apply base.snap next.delta
  tw-snap apply first.delta -t huffman -o first.snap`,
};

export async function run(args: readonly string[], given: Options, io: Io): Promise<number> {
  const [first = '-', ...deltas] = args;
  const input = await inputOf(given, io);
  const printing = await printingOf(given, io);
  if (deltas.length > 0 && given.base !== undefined)
    throw usageError('--base is for one delta alone; the base of several is named before them: apply BASE DELTA…');
  // What is stated is about the last.
  let current = deltas.length > 0 ? await readBase(first, input) : await readSnapshot(first, input);
  const inputs: Loaded[] = [current];
  let warnings = await tellWarnings(current, input);
  for (const path of deltas) {
    const delta = await readDelta(path, input, current);
    inputs.push(delta);
    const { diagnostics, result, types } = delta.payload;
    warnings += await tellWarnings({ name: delta.name, ...diagnostics }, input);
    if (diagnostics.error || !result)
      throw inputError(`${delta.name}: ${diagnostics.error ? diagnosticLine(diagnostics.error) : ''}`);
    const payload = payloadOfSnapshot(result, types.protocol);
    current = { ...current, payload, snapshot: result, otherReadings: sureVersion(delta) ? [] : current.otherReadings };
  }
  refuseMeaningless(input.opened, input);
  refuseNeedlessBase(first, input);
  const { payload, snapshot } = current;
  const checksum = snapshot.checksum();
  const { format } = printing;
  if (isEncoding(format)) await printEncoded(snapshot, format, printing);
  else {
    const name = [first, ...deltas].map(nameOfInput).join(' + ');
    const table = () => printing.fit(renderTable(payload, { name, ...printing }));
    await print(format === 'json' ? renderJson(payloadJson(payload)) : table(), printing);
  }
  if (given.expect !== undefined && given.expect !== checksum) {
    await printError(`the checksum is ${checksum}; expected ${given.expect}`, io);
    return withDoubt(exit.finding, ...inputs);
  }
  return withDoubt(input.strict && warnings > 0 ? exit.finding : exit.fine, ...inputs);
}
