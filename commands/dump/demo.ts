import { type DemoRecord, DemoReplay } from '../../src/recording/demo.ts';
import { DumpCsv } from '../../src/view/csv/dump-csv.ts';
import { DumpJson } from '../../src/view/json/dump-json.ts';
import { Timeline } from '../../src/view/timeline/timeline.ts';
import { exit } from '../lib/errors.ts';
import { recordsOf } from '../lib/input/at-tick.ts';
import type { Opened } from '../lib/input/open.ts';
import { outputStyle } from '../lib/output/output.ts';
import { type DumpContext, reportDiagnostic } from './context.ts';

/** Turns records into text. */
interface View {
  add(record: DemoRecord): string;
  finish?(): string;
}

export async function dumpDemo({ name, pieces }: Opened, dumping: DumpContext): Promise<number> {
  const { options, added, wanted, stream } = dumping;
  const { from, to } = options.ticks ?? { from: 0, to: Infinity };
  const replay = new DemoReplay({
    extraItems: added,
    messages: options.messages && (wanted.all || options.type !== undefined),
  });
  const view = await viewOf(dumping);
  let status: number = exit.fine;
  for await (const record of recordsOf(pieces, replay)) {
    if (record.record === 'finding') status = Math.max(status, await reportDiagnostic(name, record.finding, dumping));
    // The story has to know what went before, and keeps to the ticks itself.
    if (options.to !== 'text' && 'tick' in record && (record.tick < from || record.tick > to)) continue;
    await stream.write(view.add(record));
  }
  await stream.write(view.finish?.() ?? '');
  return status;
}

async function viewOf({ options, wanted, io }: DumpContext): Promise<View> {
  switch (options.to) {
    case 'ndjson':
      return new DumpJson(wanted, options.changes === true);
    case 'csv':
      return new DumpCsv(wanted, wanted.only);
    default:
      return new Timeline({ ...(await outputStyle(options, io)), ...(options.ticks ? { ticks: options.ticks } : {}) });
  }
}
