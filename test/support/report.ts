import { gunzipSync } from 'node:zlib';
import { readReportData } from '../../src/page/report/report-data.ts';
import { ofBase64 } from '../../src/wire/bytes/copy.ts';
import { getOr } from '../../src/wire/bytes/get-or.ts';
import { recordsOf, run, runWriting } from './run.ts';

/** Runs `report` on a file and returns the page from standard output. */
export async function report(file: Uint8Array, options = '') {
  const { stdout: page, ...rest } = await runWriting(`report file ${options}`, { file });
  return { ...rest, page };
}

export const emptyPage = async (): Promise<string> => (await run('report --empty')).stdout;

/** The recording that is embedded in a page. */
export function reportDataOf(page: string) {
  const [, base64] = /<script type="application\/octet-stream" id="report-data">([^<]*)<\/script>/.exec(page)!;
  return readReportData(new Uint8Array(gunzipSync(ofBase64(base64!))));
}

const made = new Map<string, Promise<ReturnType<typeof reportDataOf>>>();

/** What a page of a file shows, without its program; made once for each file. */
export const pageDataOf = (file: Uint8Array): Promise<ReturnType<typeof reportDataOf>> =>
  getOr(made, Buffer.from(file).toString('latin1'), async () =>
    reportDataOf((await run('report file', { file }, { hasNoProgram: true })).stdout),
  );

/** The records that `dump -t ndjson` prints for a file. */
export const dumped = async (file: Uint8Array, options = '') =>
  recordsOf((await run(`dump file -t ndjson ${options}`, { file })).stdout);
