import { gunzipSync } from 'node:zlib';
import { main } from '../../commands/index.ts';
import { ofBase64 } from '../../src/bytes/copy.ts';
import { readReportData } from '../../src/report/report-data.ts';
import { fakeIo } from './fake-io.ts';

/** Runs `report` on a file and returns the page from standard output. */
export async function report(file: Uint8Array, ...args: string[]) {
  const io = fakeIo({ files: { file } });
  const status = await main(['report', 'file', ...args], io);
  return { status, page: io.stdout.text, stderr: io.stderr.text, files: io.files };
}

/** The page of `report --empty`. */
export async function emptyPage(): Promise<string> {
  const io = fakeIo();
  await main(['report', '--empty'], io);
  return io.stdout.text;
}

/** The recording that is embedded in a page. */
export function reportDataOf(page: string) {
  const [, base64] = /<script type="application\/octet-stream" id="report-data">([^<]*)<\/script>/.exec(page)!;
  return readReportData(new Uint8Array(gunzipSync(ofBase64(base64!))));
}

/** The records that `dump -t ndjson` prints for a file. */
export async function dumped(file: Uint8Array, ...args: string[]) {
  const io = fakeIo({ files: { file } });
  await main(['dump', 'file', '-t', 'ndjson', ...args], io);
  return io.stdout.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
