import { ofBase64 } from '../bytes/base64.ts';
import { type Cargo, readCargo } from '../report/report-data.ts';

/** What the page carries. */
export async function embeddedCargo(): Promise<Cargo> {
  const compressed = ofBase64(document.getElementById('cargo')!.textContent);
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return readCargo(new Uint8Array(await new Response(stream).arrayBuffer()));
}
