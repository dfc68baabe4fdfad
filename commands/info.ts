import type { Command } from 'commander';
import { DemoReplay } from '../src/replay/demo.ts';
import { DemoSummary } from '../src/replay/demo-summary.ts';
import { csvLine } from '../src/view/csv.ts';
import { jsonText } from '../src/view/escape.ts';
import { renderInfo, renderInfoRows } from '../src/view/info.ts';
import { infoJson } from '../src/view/info-json.ts';
import { renderJson } from '../src/view/json.ts';
import { recordsOf } from './at-tick.ts';
import { CommandError, exit, inputError } from './errors.ts';
import { addedItems } from './input.ts';
import type { Io } from './io.ts';
import { openInput } from './open.ts';
import { type InputOptions, type OutputOptions, withFrom, withOutput } from './options.ts';
import { look, print } from './output.ts';

type Options = InputOptions & OutputOptions;

export function define(command: Command): Command {
  return withFrom(withOutput(command, ['table', 'json', 'ndjson', 'csv']))
    .argument('[file...]', "demos; '-' or nothing for standard input")
    .addHelpText('after', examples);
}

const examples = `
Examples:
  tw-snap info match.demo
  tw-snap info demos/*.demo -t csv -o demos.csv`;

interface Gathered {
  readonly file: string;
  readonly bytes: number;
  readonly demo: DemoSummary;
}

/** `tw-snap info FILE...` */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const added = await addedItems(options.schema, io);
  const files = args.length > 0 ? args : ['-'];
  const gathered: Gathered[] = [];
  let status: number = exit.fine;
  for (const file of files) {
    try {
      const one = await gather(file, options, added, io);
      gathered.push(one);
      if (one.demo.health.state !== 'healthy') status = exit.unreadable;
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      status = Math.max(status, error.status);
      await io.stderr.write(`tw-snap: ${error.message}\n`);
    }
  }
  if (gathered.length > 0) await print(await render(gathered, files.length > 1, options, io), options, io);
  return status;
}

async function gather(
  file: string,
  options: Options,
  added: Awaited<ReturnType<typeof addedItems>>,
  io: Io,
): Promise<Gathered> {
  const opened = await openInput(file, options, io);
  if (opened.container !== 'demo')
    throw inputError(`${opened.name}: this is no demo; tw-snap decode reads single snapshots`);
  const demo = new DemoSummary();
  let bytes = 0;
  const counted = async function* () {
    for await (const piece of opened.pieces) {
      bytes += piece.length;
      yield piece;
    }
  };
  for await (const record of recordsOf(counted(), new DemoReplay({ messages: true, added }))) demo.take(record);
  demo.finish();
  return { file: opened.name, bytes, demo };
}

async function render(gathered: readonly Gathered[], many: boolean, options: Options, io: Io): Promise<string> {
  const json = gathered.map(({ file, bytes, demo }) => infoJson(file, bytes, demo));
  switch (options.to) {
    case 'json':
      return many ? `[${json.map((one) => jsonText(one)).join(',\n ')}]\n` : renderJson(json[0]!);
    case 'ndjson':
      return json.map((one) => `${jsonText(one)}\n`).join('');
    case 'csv':
      return csv(gathered);
    default: {
      const { theme, width } = await look(options, io);
      if (many) return renderInfoRows(gathered, theme);
      const { file, bytes, demo } = gathered[0]!;
      return renderInfo(file, bytes, demo, theme, width);
    }
  }
}

const csvHead = [
  'file',
  'size',
  'health',
  'version',
  'protocol',
  'type',
  'map',
  'timestamp',
  'length',
  'seconds',
  'first_tick',
  'last_tick',
  'snapshots',
  'keyframes',
  'deltas',
  'messages',
  'players',
  'markers',
];

function csv(gathered: readonly Gathered[]): string {
  const rows = gathered.map(({ file, bytes, demo }) => {
    const { header } = demo;
    return [
      file,
      bytes,
      demo.health.state,
      header?.version,
      demo.protocol?.version,
      header?.type,
      header?.mapName,
      header?.timestamp,
      header?.length,
      demo.seconds,
      demo.firstTick,
      demo.lastTick,
      demo.keyframes + demo.deltas,
      demo.keyframes,
      demo.deltas,
      demo.messageCount,
      demo.names.seen.size,
      header?.markers.length,
    ];
  });
  return [csvHead, ...rows].map(csvLine).join('');
}
