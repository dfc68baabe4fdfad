import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { look, panels, terminalPicture } from '../../scripts/docs/terminal-picture.mjs';
import { exampleFiles, needsMore } from '../support/examples.ts';
import { hasTool, spawnSync, tool } from '../support/host.ts';
import { program, withProgram } from '../support/program.ts';
import { type Outcome, replay } from '../support/transcript.ts';

const root = join(import.meta.dirname, '../..');
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
const place = withProgram();
const tw = `exec "${process.execPath}" "${program}"`;
/** What the documents call: the built program, and programs that are replaced. */
const programs = {
  'tw-snap': `${tw} "$@"`,
  npx: `shift; ${tw} "$@"`,
  tcpdump: `while [ "$1" != -w ]; do shift; done; if [ "$2" = - ]; then cat server.pcap; else cp server.pcap "$2"; fi`,
  tshark: 'xxd -p server.packet | tr -d "\\n"; echo',
};

describe.skipIf(!['bash', 'jq', 'xxd'].every(hasTool))(
  'every command in the documents works in bash (needs bash, jq and xxd)',
  () => {
    let folder = '';

    beforeEach(() => {
      folder = mkdtempSync(join(place.folder, 'page-'));
      for (const [name, bytes] of exampleFiles()) {
        if (name.startsWith('/')) continue;
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), bytes);
      }
      mkdirSync(join(folder, '.bin'));
      for (const [name, text] of Object.entries(programs))
        writeFileSync(join(folder, '.bin', name), `#!/bin/bash\n${text}\n`, { mode: 0o755 });
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    const inBash = async (line: string): Promise<Outcome> => {
      const { status, stdout, stderr } = spawnSync(tool('bash'), ['-c', line], {
        cwd: folder,
        timeout: 240_000,
        maxBuffer: 1 << 28,
        env: { PATH: `${join(folder, '.bin')}:${process.env.PATH}`, HOME: folder },
      });
      return { status: status ?? -1, stdout: new Uint8Array(stdout), stderr: stderr.toString() };
    };

    const textOf = (page: string) => readFileSync(join(root, page), 'utf8');

    it.each(pages.filter((page) => textOf(page).includes('```console')))('%s shows the real output', async (page) => {
      expect(await replay(textOf(page), inBash)).toBe(textOf(page));
    });

    /** Lines without those that run this project's scripts, and those that go on until Ctrl-C. */
    const linesOf = (page: string) =>
      [...textOf(page).matchAll(/^```sh\n([\s\S]*?)^```/gm)]
        .flatMap(([, block]) => block!.trimEnd().split('\n'))
        .filter((line) => !/^(npm|node) |--follow [^-]/.test(line) && !needsMore(line));

    it.each(pages.filter((page) => linesOf(page).length > 0))('%s has only lines that work', async (page) => {
      for (const line of linesOf(page)) {
        const { status, stderr } = await inBash(line.replaceAll('FILE', 'samples/first.huff'));
        expect([0, 1], `${line}\n${stderr}`).toContain(status);
      }
    });

    it('the picture in the README shows the real output', async () => {
      const outputs: string[] = [];
      for (const { line } of panels)
        outputs.push(new TextDecoder().decode((await inBash([line, ...look].join(' '))).stdout));
      expect(terminalPicture(outputs)).toBe(textOf('.github/terminal.svg'));
    });
  },
);
