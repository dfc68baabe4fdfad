import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { run } from '../support/run.ts';

/**
 * Files, logs and pasted forms as people hand them over, remade from public reports. What each has to say was written
 * down in the README beside the inputs before any program read them.
 */
const folder = fileURLToPath(new URL('../../../shared/cases/reports/', import.meta.url));
const namesIn = (path: string) => (existsSync(path) ? readdirSync(path) : []);
const inputs = namesIn(folder).filter((name) => /^c[4-8]/.test(name));
const forms = namesIn(`${folder}forms`);

type Answer = readonly [name: string, status: number, ...says: readonly RegExp[]];

const answers: readonly Answer[] = [
  ['c40-source2.demo', 3, /demo of Counter-Strike 2/],
  ['c41-source.demo', 3, /demo of a Source game/],
  ['c43-quake3.demo', 3, /demo of Quake 3/],
  ['c44-page.demo', 3, /web page, saved in place of the file/],
  ['c45-lfs.demo', 3, /pointer of Git LFS.*1,234,567 bytes/],
  ['c47-empty.demo', 3, /the input is empty/],
  ['c48-teehistorian.demo', 3, /a teehistorian file/],
  ['c49-map-as.demo', 3, /this is a map/],
  // The demo in it is c01, of two connections.
  ['c51-zip-renamed.demo', 1, /suspect/, /recorders_alternate/],
  ['c52-crlf.demo', 0, /a carriage return stood before every line feed/, /healthy/, /110 {5}1 full, 109 deltas/],
  ['c53-text-saved.demo', 3, /opened as UTF-8 text and saved.*lost/],
  ['c55-base64.demo', 0, /base64 of a recording/, /healthy/],
  ['c58-zeros-tail.demo', 3, /zeros from 0x1770 to the end/, /refuses it/],
  ['c60-version3.gho', 3, /unread/, /ghost version 3/],
  ['c61-as-demo.demo', 0, /ghost, version 6/],
  ['c63-skin-with-path.gho', 0, /DDNet shows default/],
  ['c64-hole.demo', 3, /stops at tick 420/, /Error during network decompression/],
  ['c70-invalidated.log', 0, /harmless/, /newer server/],
  ['c71-server.log', 1, /Wrong version/, /another version than the server/],
  ['c73-powershell-utf16.log', 1, /2 wrong checksums/, /−3,785/],
  ['c74-utf8-bom.log', 1, /2 wrong checksums/],
  ['c76-in-markdown.log', 1, /2 wrong checksums/],
  ['c77-demo-player.log', 1, /Error during network decompression/, /error=-5/],
  ['c78-asserts.log', 1, /Invalid snap item Type: -32768/],
  ['c80-annotated-page.txt', 0, /control: connectaccept/],
  ['c83-one-line.log', 1, /error=-5/],
];

describe.skipIf(inputs.length === 0)('what people hand over (needs ../shared)', () => {
  const files = Object.fromEntries(inputs.map((name) => [name, new Uint8Array(readFileSync(folder + name))]));

  it('is all here', () => {
    expect(inputs.filter((name) => !answers.some(([own]) => own === name))).toEqual([]);
  });

  it.each(answers.map(([name, status, ...says]) => ({ name, status, says })))(
    '$name: exit $status',
    async ({ name, status, says }) => {
      const got = await run(name, files);
      const said = `${got.stdout}\n${got.stderr}`;
      for (const text of says) expect(said).toMatch(text);
      expect(got.status).toBe(status);
    },
  );

  it('the packet in every form is read', async () => {
    expect(forms.length).toBeGreaterThan(0);
    for (const name of forms) {
      const { stdout, status } = await run(name, { [name]: new Uint8Array(readFileSync(`${folder}forms/${name}`)) });
      expect([name, status, stdout]).toEqual([name, 0, expect.stringContaining('gg wp')]);
    }
  });
});
