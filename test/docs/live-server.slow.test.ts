import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { virtualDisplay } from '../../scripts/games/display.mjs';
import { readDemo } from '../../src/api/index.ts';
import { corpusFile, corpusFolder, hasCorpus } from '../support/corpus.ts';
import { freePort } from '../support/free-port.ts';
import { hasGame } from '../support/games.ts';
import { spawn, type Tool, tool } from '../support/host.ts';
import { modules, root } from '../support/library-examples.ts';

const demo = '06-ddnet-dm1-34players-client-BENCH.demo';

const checksums = (file: Uint8Array) =>
  [...readDemo(file)].flatMap((entry) =>
    entry.record === 'snapshot' && entry.snapshot ? [[entry.tick, entry.snapshot.checksum()]] : [],
  );

it.skipIf(!hasGame('DDNet') || !hasCorpus)(
  'the snapshots of live-server.mjs are those that a DDNet client shows and records (needs ddnet, xvfb and ../shared)',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'tw-snap-server-'));
    const outfile = join(home, 'live-server.mjs');
    const alias = Object.fromEntries([...modules].map(([module, source]) => [module, join(root, source)]));
    const entryPoints = [join(root, 'docs/examples/live-server.mjs')];
    await build({ entryPoints, outfile, alias, bundle: true, platform: 'node', format: 'esm' });
    const port = String(await freePort());
    const display = await virtualDisplay(tool('Xvfb').path);
    const env = { ...process.env, HOME: home, DISPLAY: display.name, SDL_VIDEODRIVER: 'x11', SDL_AUDIODRIVER: 'dummy' };
    const started: ChildProcess[] = [];
    const start = (program: Tool | string, ...args: string[]) => {
      const child = spawn(program, args, { stdio: 'ignore', env: { ...env, LIBGL_ALWAYS_SOFTWARE: '1' } });
      started.unshift(child);
    };
    const folder = join(home, '.local/share/ddnet/demos/auto');
    /** What the client has written of its demo until now. */
    const shown = () => {
      const name = existsSync(folder) ? readdirSync(folder).find((name) => name.endsWith('.demo')) : undefined;
      return name === undefined ? [] : checksums(new Uint8Array(readFileSync(join(folder, name))));
    };
    try {
      start(process.execPath, outfile, port, join(corpusFolder, demo));
      const size = ['gfx_screen_width 320', 'gfx_screen_height 240', 'gfx_fullscreen 0', 'snd_enable 0'];
      start(tool('DDNet'), ...size, `connect 127.0.0.1:${port}`);
      await expect.poll(() => shown().length, { interval: 500 }).toBeGreaterThan(100);
      const sent = new Map(checksums(corpusFile(demo)).map(([tick, sum]) => [tick, sum]));
      expect(shown().filter(([tick, sum]) => sent.get(tick) !== sum)).toEqual([]);
    } finally {
      for (const child of started) child.kill('SIGKILL');
      display.close();
      await pause(500);
      rmSync(home, { recursive: true, force: true });
    }
  },
);
