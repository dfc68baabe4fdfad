import type { Command } from 'commander';
import { DecodeError } from '../src/bytes/diagnostic.ts';
import type { Recognised } from '../src/decode/recognise.ts';
import type { Schema } from '../src/protocol/schema.ts';
import { compare } from '../src/snapshot/compare.ts';
import { createDelta } from '../src/snapshot/create-delta.ts';
import { select, withFieldsOf } from '../src/snapshot/select.ts';
import type { Snapshot } from '../src/snapshot/snapshot.ts';
import { diffJson, renderJson } from '../src/view/json/json.ts';
import { renderDiff } from '../src/view/table/diff.ts';
import type { TypedSnapshot } from '../src/view/table/typed-snapshot.ts';
import { diagnosticMessage } from '../src/view/text/diagnostic-messages.ts';
import { exit, inputError, usageError } from './lib/errors.ts';
import { type FilterOptions, filterOf, names, withFilter } from './lib/filter.ts';
import { inputContext } from './lib/input/context.ts';
import { concludeDiagnostics, withUncertainty } from './lib/input/describe-input.ts';
import { readSnapshot } from './lib/input/load.ts';
import type { Io } from './lib/io.ts';
import { type InputOptions, type OutputOptions, withOutput, withSnapshotInput, withStrict } from './lib/options.ts';
import { encodings, isEncoding, printEncoded } from './lib/output/encodings.ts';
import { outputStyle, print } from './lib/output/output.ts';
import { refuseMeaningless } from './lib/refuse-options.ts';

type Options = InputOptions & OutputOptions & FilterOptions & { ignore?: string[] };

export function define(command: Command): Command {
  return withFilter(
    withStrict(withSnapshotInput(withOutput(command, ['table', 'json', ...encodings]))),
    'items of these types',
  )
    .argument('<old>', "a snapshot in any encoding, or 'empty'")
    .argument('<new>', 'the snapshot to compare it with')
    .option('--ignore <fields>', 'ignore changes of these fields, separated by commas', names)
    .addHelpText('after', examples);
}

const examples = `
Exit status: 0 if the snapshots contain the same items, 1 if they differ.

Examples:
  tw-snap diff old.snap new.snap --ignore tick
  tw-snap diff old.snap new.snap -t huffman -o new.delta`;

/** `tw-snap diff OLD NEW` */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const [oldPath, newPath] = args as [string, string];
  const context = await inputContext(options, io);
  const old = await readSnapshot(oldPath, context);
  const now = await readSnapshot(newPath, context);
  refuseMeaningless(context.opened, options);
  const strict = Math.max(await strictStatus(oldPath, old, options, io), await strictStatus(newPath, now, options, io));
  const found = compare(old.payload.body as Snapshot, now.payload.body as Snapshot);
  if (isEncoding(options.to)) {
    if (options.type || options.id || options.ignore) {
      throw usageError(`-t ${options.to} writes a whole delta: --type, --id and --ignore cannot be combined with it`);
    }
    await printEncoded(delta(old, now), options.to, options, io);
    return Math.max(strict, withUncertainty(differs(found) ? exit.finding : exit.fine, old, now));
  }
  const [before, after] = comparedSnapshots(old, now, options, context.schema);
  const narrowed = compare(before.snapshot, after.snapshot);
  const title = `${oldPath} → ${newPath}`;
  const style = await outputStyle(options, io);
  const text =
    options.to === 'json'
      ? renderJson(diffJson(before, after, narrowed))
      : style.fit(renderDiff(before, after, narrowed, { title, ...style }));
  await print(text, options, io);
  return Math.max(strict, withUncertainty(differs(narrowed) ? exit.finding : exit.fine, old, now));
}

/** With --strict, warnings about the inputs are findings. */
const strictStatus = (name: string, { payload }: Recognised, options: Options, io: Io) =>
  concludeDiagnostics(name, payload.diagnostics, options, io);

function delta(old: Recognised, now: Recognised) {
  const { body, types } = now.payload;
  try {
    return createDelta(old.payload.body as Snapshot, body as Snapshot, types.protocol.sizeOf);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw inputError(`no delta can turn one into the other: ${diagnosticMessage(error)}`);
  }
}

/** The selected items of both snapshots. Ignored fields of the new one get their old values. */
function comparedSnapshots(
  old: Recognised,
  now: Recognised,
  options: Options,
  schema: Schema,
): [TypedSnapshot, TypedSnapshot] {
  const isSelected = filterOf(options, schema);
  const typedSnapshot = ({ payload: { body, types } }: Recognised): TypedSnapshot => {
    const whole = body as Snapshot;
    if (isSelected.all) return { snapshot: whole, types, whole };
    return { snapshot: select(whole, (type, id) => isSelected.item(types, type, id)), types, whole };
  };
  const before = typedSnapshot(old);
  const after = typedSnapshot(now);
  const { ignore } = options;
  if (!ignore) return [before, after];
  return [before, { ...after, snapshot: withFieldsOf(before.snapshot, after.snapshot, after.types, new Set(ignore)) }];
}

const differs = ({ removed, added, changed, reordered }: ReturnType<typeof compare>) =>
  removed.length + added.length + changed.length > 0 || reordered;
