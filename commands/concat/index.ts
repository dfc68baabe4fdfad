import { Concat, type Mismatch } from '../../src/editing/concat.ts';
import { renderSent, renderStarts } from '../../src/output/reports/edit.ts';
import { attempt, DecodeError } from '../../src/wire/bytes/diagnostic.ts';
import { filesOfName } from '../lib/input/folders.ts';
import { open } from '../lib/input/opened.ts';
import { exit, usageError } from '../lib/options/errors.ts';
import { demoOutput, type Given } from '../lib/options/options.ts';
import type { Io } from '../lib/platform/io.ts';
import { DemoWork, refuseNothing } from '../lib/run/demo-output.ts';

type Options = Given<(typeof definition)['options']>;

export const definition = {
  usage: '[options] <file...> -o <out>',
  arguments: {
    '<file...>': 'demos of the same map and protocol, in order; or captures, which are put in order of time',
  },
  options: demoOutput("the file to write; '-' for standard output"),
  help: `
Examples:
  tw-snap concat first.demo second.demo -o both.demo
  tw-snap concat frag-*.demo -o frags.demo
  tw-snap concat server.pcap* -o server.pcapng`,
};

const reasons: Readonly<Record<Mismatch, string>> = {
  protocol: 'it has another protocol than the first demo',
  map: 'it was recorded on another map than the first demo',
};

export async function run(named: readonly string[], given: Options, io: Io): Promise<number> {
  const files = (await Promise.all(named.map((name) => filesOfName(name, io)))).flat();
  const work = await DemoWork.of(given, io);
  if (await isCapture(files[0], io)) {
    const { concatCaptures } = await import('./capture.ts');
    return concatCaptures(files, work);
  }
  const demo = work.begin();
  const concat = new Concat(demo.emit);
  const names: string[] = [];
  let status: number = exit.fine;
  for (const file of files) {
    const opened = (await work.open(file)).whole;
    names.push(opened.name);
    concat.begin();
    const losses = await work.readSure(opened, (entry) => {
      const mismatch = entry.record === 'header' ? concat.mismatch(entry) : undefined;
      if (mismatch) throw usageError(`${opened.name}: ${reasons[mismatch]}`);
      const error = attempt(() => concat.add(entry));
      if (error instanceof DecodeError) throw usageError(`${opened.name}: its ticks would be too high for a demo`);
    });
    concat.finish();
    if (losses.count > 0) refuseNothing(opened, demo);
    status = Math.max(status, await work.reportLosses(opened.name, losses));
  }
  await demo.finish({}, concat.markers);
  await work.reportWritten([...renderStarts(names, concat.starts, work.theme), ...renderSent(concat.sent)]);
  return status;
}

/** The first one decides: the others are of its kind, or refused. */
async function isCapture(path: string | undefined, io: Io): Promise<boolean> {
  return path !== undefined && path !== '-' && (await open(path, { io }, true)).format?.hasBlocks === true;
}
