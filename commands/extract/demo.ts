import { ClientDemo, type ClientDemoStart } from '../../src/edit/client-demo.ts';
import { LastByteMode } from '../../src/edit/last-byte-mode.ts';
import { isOfClient, type RecordingEntry, type Stream } from '../../src/recording/record.ts';
import { renderWritten } from '../../src/view/edit/slices.ts';
import { diagnosticLine } from '../../src/view/text/diagnostic-messages.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { count } from '../../src/view/text/number.ts';
import { packetFinding } from '../../src/view/text/recording-phrases.ts';
import { DemoOutput, refuseTerminal } from '../lib/demo/demo-output.ts';
import { localTime } from '../lib/demo/local-time.ts';
import { printReport, reportTheme, writtenDemo } from '../lib/demo/report.ts';
import { CommandError, exit, inputError, usageError } from '../lib/errors.ts';
import type { InputContext } from '../lib/input/context.ts';
import { type Opened, openReplay } from '../lib/input/open.ts';
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
  const add = async (entries: Iterable<RecordingEntry>) => {
    for (const entry of entries) {
      const { stream } = entry;
      if (!isOfClient(stream, client)) continue;
      if (entry.record === 'diagnostic' && entry.diagnostic.severity === 'error') {
        status = exit.unreadable;
        const line = entry.direction === undefined ? diagnosticLine(entry.diagnostic) : packetFinding(entry);
        await io.stderr.write(`tw-snap: ${escapeText(name)}: ${line}\n`);
      }
      if (!stream) continue;
      if (entry.record === 'drop') {
        lost += demos.get(stream)?.lost ?? 0;
        demos.delete(stream);
        continue;
      }
      const demo = demos.get(stream) ?? new ClientDemo(begin);
      demos.set(stream, demo);
      demo.add(entry);
    }
    for (const one of outputs) await one.drain();
  };
  let failure: CommandError | undefined;
  try {
    for await (const piece of pieces) await add(replay.feed(piece));
  } catch (error) {
    // If compressed data ends early, the readable part is recorded.
    if (!(error instanceof CommandError) || error.status === exit.usage) throw error;
    failure = error;
  }
  await add(replay.finish());
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
