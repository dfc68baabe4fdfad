import { Tracer } from '../src/analysis/trace/trace.ts';
import { renderJson } from '../src/output/json/item-json.ts';
import { renderTrace } from '../src/output/reports/trace.ts';
import { valuesOf } from '../src/output/results/fields.ts';
import { traceFields } from '../src/output/results/trace.ts';
import { escapeText, pathText } from '../src/output/text/escape.ts';
import { count } from '../src/output/text/number.ts';
import { valuesOf as itemValues } from '../src/wire/annotate/field-values.ts';
import { ValuePath } from '../src/wire/annotate/value-path.ts';
import { findTypes, similarNames } from '../src/wire/protocol/lookup.ts';
import type { Schema } from '../src/wire/protocol/registry.ts';
import { protocolOf, versions } from '../src/wire/protocol/registry.ts';
import { inputOf } from './lib/input/input-of.ts';
import { type Input, otherPosition } from './lib/input/inputs.ts';
import { type Opened, open } from './lib/input/opened.ts';
import { exit, inputError, usageError } from './lib/options/errors.ts';
import { type Given, printing, recordingInput } from './lib/options/options.ts';
import { unknownName } from './lib/options/selection.ts';
import { print, printingOf } from './lib/output/printing.ts';
import type { Io } from './lib/platform/io.ts';
import { printNote } from './lib/platform/note.ts';

type Options = Given<(typeof definition)['options']>;

export const definition = {
  arguments: {
    '<file>': 'FILE@MOMENT of a demo or capture; without a moment, its last snapshot',
    '<value>': 'ITEM/ID.FIELD: obj_character/0.weapon',
  },
  options: {
    ...recordingInput,
    ...printing(['text', 'markdown', 'json']),
  },
  help: `
The value at a moment, the delta that set it, where its bits are in the file, and all
changes of it. Without a difference the value itself was sent: with a whole snapshot, or
an item that the base does not have.

Examples:
  tw-snap trace match.demo@0:20 obj_character/0.weapon
  tw-snap trace server.pcap@last obj_character/0.x -t json`,
};

export async function run([path, wanted]: readonly string[], given: Options, io: Io): Promise<number> {
  const input = await inputOf(given, io);
  const style = await printingOf(given, io);
  const traced = tracedValue(wanted!, input.schema);
  const named = await open(path, input);
  const { position } = named;
  if (named.format && position && !('moment' in position)) throw otherPosition(named.name, position);
  const { opened, tick } = await momentIn(named, input);
  const tracer = new Tracer(traced, tick, opened.client);
  // The whole recording is read, for the life of the value.
  const whole = opened.with({ ticks: undefined });
  const records = await whole.records(input, { messages: false, parts: opened.format.hasPackets });
  const { failure } = await records.read({ add: (entry) => tracer.add(entry) });
  const [trace, ...rest] = tracer.traces;
  const name = pathText(named.name);
  if (!trace)
    throw inputError(`${name}: no snapshot that can be read${tick === Infinity ? '' : ` up to tick ${tick}`}`);
  if (trace.steps.length === 0)
    throw usageError(`${name}: no snapshot has ${traced.item}/${traced.id}.${traced.field}`);
  if (rest.length > 0)
    await printNote(`${name}: of client ${trace.stream.client}; ${count(rest.length, 'more client')} (--client)`, io);
  const text =
    given.to === 'json'
      ? renderJson(valuesOf(traceFields, { ...trace, file: named.name }))
      : style.fit(renderTrace(trace, named.name, style));
  await print(text, style);
  if (failure) throw failure;
  return exit.fine;
}

/** The tick of the moment that is named; without one, the last. */
async function momentIn(named: Opened, input: Input) {
  const { position } = named;
  const moment = position && 'moment' in position ? position.moment : undefined;
  const ticks = moment && { from: moment, to: moment };
  const opened = await named.with({ position: undefined }).recording({ ...input, ticks });
  return { opened, tick: opened.ticks?.from ?? Infinity };
}

/** `obj_character/0.weapon`, the item also as in `--type`. @throws CommandError */
function tracedValue(text: string, schema: Schema): ValuePath {
  const path = ValuePath.parse(text);
  if (!path) throw usageError(`'${escapeText(text)}' is no value: ITEM/ID.FIELD, as obj_character/0.weapon`);
  const { item: word, id, field } = path;
  const items = versions.flatMap((version) => protocolOf(version, schema).items);
  const [type] = findTypes(items, word);
  if (!type) throw unknownName('item', word, [items]);
  const fields = items
    .filter(({ name }) => name === type.name)
    .flatMap((type) => itemValues(type).map(({ label }) => label));
  if (!fields.includes(field)) {
    const near = similarNames(
      [...new Set(fields)].map((name) => ({ name })),
      field,
    ).slice(0, 3);
    const hint = near.length > 0 ? `did you mean ${near.join(', ')}?` : `it has ${[...new Set(fields)].join(', ')}`;
    throw usageError(`${type.name} has no field '${escapeText(field)}'; ${hint}`);
  }
  return new ValuePath(type.name, id, field);
}
