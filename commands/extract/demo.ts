import { ClientDemo, type ClientDemoStart } from '../../src/edit/client-demo.ts';
import { LastByteMode } from '../../src/edit/demo-recorder.ts';
import { isOfClient, type RecordingEntry, type Stream } from '../../src/recording/record.ts';
import { renderWritten } from '../../src/view/edit/slices.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { count } from '../../src/view/text/number.ts';
import { findingLine } from '../../src/view/text/recording-phrases.ts';
import { DemoOutput, refuseTerminal } from '../lib/demo/demo-output.ts';
import { localTime } from '../lib/demo/local-time.ts';
import { printReport, reportTheme, writtenDemo } from '../lib/demo/report.ts';
import { exit, inputError, usageError } from '../lib/errors.ts';
import type { InputContext } from '../lib/input/context.ts';
import { type Opened, openReplay } from '../lib/input/open.ts';
import { readRecords } from '../lib/input/read-records.ts';
import { printProblem } from '../lib/note.ts';
import type { InputOptions, OutputOptions } from '../lib/options.ts';
import { refuseIneffective } from '../lib/refuse-options.ts';

/** Writes the demo that a client of a capture would have recorded; one per map if the output's name contains %d. */
export async function extractDemo(
  { name, format, pieces }: Opened,
  options: InputOptions & OutputOptions,
  { schema, io }: InputContext,
): Promise<number> {
  const output = refuseTerminal(options.output, io);
  const replay = openReplay({ format: format! }, options, { schema });
  if (!replay.datagrams) throw inputError(`${name}: this is a demo already; --demo is for captures`);
  const { client } = options;
  const outputs: DemoOutput[] = [];
  let recorded: Stream | undefined;
  const begin = ({ stream, time }: ClientDemoStart) => {
    recorded ??= stream;
    if (stream.client !== recorded.client) {
      throw usageError(`${name}: several clients; choose one with --client: ${recorded.client}, ${stream.client}, …`);
    }
    const number = outputs.length + 1;
    if (number > 1 && !output.includes('%d')) {
      throw usageError(`${name}: there is another map; name a demo for each with %d, as in -o match-%d.demo`);
    }
    const demo = new DemoOutput(output.replaceAll('%d', String(number)), new LastByteMode(), io);
    outputs.push(demo);
    return { timestamp: Number.isNaN(time) ? '' : localTime(new Date(time * 1000)), emit: demo.emit };
  };
  const demos = new Map<Stream, ClientDemo>();
  let status: number = exit.fine;
  let lost = 0;
  const add = (entry: RecordingEntry) => {
    const { stream } = entry;
    if (!isOfClient(stream, client)) return undefined;
    if (stream && entry.record === 'drop') {
      lost += demos.get(stream)?.lost ?? 0;
      demos.delete(stream);
    } else if (stream) {
      const demo = demos.get(stream) ?? new ClientDemo(begin);
      demos.set(stream, demo);
      demo.add(entry);
    }
    if (entry.record !== 'diagnostic' || entry.diagnostic.severity !== 'error') return undefined;
    status = exit.unreadable;
    return printProblem(`${escapeText(name)}: ${findingLine(entry)}`, io);
  };
  const drain = async () => {
    for (const one of outputs) await one.drain();
  };
  const { failure } = await readRecords({ pieces }, replay, add, drain);
  refuseIneffective(name, options, replay);
  if (outputs.length === 0) throw inputError(`${name}: there is no snapshot that the client could have recorded`);
  for (const one of outputs) await one.finish();
  const theme = await reportTheme(options, io);
  const lines = renderWritten(
    outputs.map((one) => writtenDemo(one)),
    theme,
  );
  for (const one of demos.values()) lost += one.lost;
  if (lost > 0) lines.push(`  ${count(lost, 'snapshot')} could not be rebuilt from what was captured`);
  await printReport(lines, output, io);
  if (failure) throw failure;
  return status;
}
