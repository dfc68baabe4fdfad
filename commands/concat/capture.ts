import { renderJoined } from '../../src/output/reports/concat.ts';
import { joined } from '../lib/input/joined.ts';
import { Opened, type OpenedRecording, open } from '../lib/input/opened.ts';
import { CaptureOutput, captureFormatOf, formatOf, readCapture } from '../lib/run/capture-output.ts';
import { type DemoWork, printReport } from '../lib/run/demo-output.ts';

/** Joins captures in order of time. */
export async function concatCaptures(
  files: readonly string[],
  { output: path, schema, theme, io }: DemoWork,
): Promise<number> {
  const one = (path: string) => open(path, { io }, true);
  const all = async (): Promise<Opened> => new Opened(await joined(`${files.length} files`, files, one), all);
  const opened = (await all()) as OpenedRecording;
  const output = new CaptureOutput(path, io, { format: captureFormatOf(path, formatOf(opened)), schema });
  let newest = -Infinity;
  let back = 0;
  const status = await readCapture(opened, { schema, io, tells: true, afterPiece: () => output.drain() }, (entry) => {
    if (entry.record !== 'block') return;
    output.write(entry.block);
    const { time = Number.NaN } = entry;
    if (time > newest) newest = time;
    else if (newest - time > back) back = newest - time;
  });
  await output.finish();
  await printReport(
    renderJoined(output, { files: opened.path.split('\n'), isSorted: opened.path === files.join('\n'), back }, theme),
    { output: path, io },
  );
  return status;
}
