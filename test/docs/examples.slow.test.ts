import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { chromium, type Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { readDemo } from '../../src/api/index.ts';
import { browserPath, hasBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { hasTool, spawn, spawnSync, tool } from '../support/host.ts';
import { modules, root } from '../support/library-examples.ts';
import { run as tw } from '../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'tw-snap-programs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An example program, bundled with the sources of the library. */
async function bundled(name: string, platform: 'node' | 'browser'): Promise<string> {
  const outfile = join(folder, name);
  await build({
    entryPoints: [join(root, 'docs/examples', name)],
    outfile,
    bundle: true,
    minify: platform === 'browser',
    platform,
    format: 'esm',
    alias: Object.fromEntries([...modules].map(([module, source]) => [module, join(root, source)])),
  });
  return outfile;
}

async function run(name: string, ...args: string[]) {
  const program = await bundled(name, 'node');
  return spawnSync(process.execPath, [program, ...args], { cwd: root, encoding: 'utf8' });
}

describe('player-positions.mjs', () => {
  it('prints a row for each snapshot with the player', async () => {
    const { stdout, status } = await run('player-positions.mjs', 'samples/vanilla-dm1.demo', '1');
    const [head, ...rows] = stdout.trimEnd().split('\n');
    expect([status, head]).toEqual([0, 'tick,seconds,x,y']);
    // The README's diff has these two: x 484 and y 1068, then x 192 and y 1071, in 1/32 of a tile.
    expect(rows).toContain(`9938,20.8,${484 / 32},${1068 / 32}`);
    expect(rows).toContain(`10000,22.04,${192 / 32},${1071 / 32}`);
  });
});

describe('check-capture.mjs', () => {
  it('confirms a sound capture', async () => {
    const { stdout, status } = await run('check-capture.mjs', 'samples/ddnet-ipv6.pcap');
    expect([stdout, status]).toEqual(['ok: 446\n', 0]);
  });
});

describe('check-upload.mjs', () => {
  it.each([
    ['vanilla-dm1.demo', 0, /^demo of dm1: healthy\n1369 snapshots in 58 s\nplayers: .*stress2/],
    ['duplicate-key.pcap', 1, /^pcap: mismatched\n45 snapshots in 2 s/],
    ['first.huff', 3, /^this is not a recording\n$/],
  ])('says what %s is', async (name, expected, text) => {
    const { stdout, status } = await run('check-upload.mjs', `samples/${name}`);
    expect(stdout).toMatch(text);
    expect(status).toBe(expected);
  });
});

const servers = [
  ['0.7', 'teeworlds-server', 'sv_map dm1'],
  ['0.6', 'DDNet-Server', 'sv_map Tutorial'],
] as const;

describe('live-client.mjs', () => {
  for (const [version, name, ...options] of servers) {
    const title = `receives snapshots of a real server of ${version} with the announced checksums (needs ${name})`;
    it.skipIf(!hasTool(name))(title, async () => {
      const program = await bundled('live-client.mjs', 'node');
      const port = String(await freePort());
      const home = { ...process.env, HOME: folder };
      const server = spawn(tool(name), [`sv_port ${port}`, 'sv_register 0', ...options], {
        cwd: folder,
        env: home,
        stdio: 'ignore',
      });
      try {
        const { stdout } = spawnSync(process.execPath, [program, version, port, '60'], {
          encoding: 'utf8',
          timeout: 240_000,
        });
        const { received, verdicts, players } = JSON.parse(stdout);
        expect([received, players]).toEqual([60, 1]);
        // What did not change has no checksum.
        expect(Object.keys(verdicts).filter((verdict) => !['ok', 'unchecked'].includes(verdict))).toEqual([]);
        expect(verdicts.ok).toBeGreaterThan(30);
      } finally {
        server.kill();
      }
    });
  }
});

describe('kill-map.mjs', () => {
  it.each(['vanilla-dm1.demo', 'ddnet-ipv6.pcap'])('prints the kills and the map of %s', async (name) => {
    const { stdout, status } = await run('kill-map.mjs', `samples/${name}`);
    expect(status).toBe(0);
    const lines = stdout.slice(0, -1).split('\n');
    expect(lines.filter((line) => / killed /.test(line)).length).toBe(name === 'vanilla-dm1.demo' ? 3 : 0);
    const map = lines.filter((line) => !/ killed /.test(line));
    expect(map.join('')).toMatch(/^[ .:=+*#%@-]*@[ .:=+*#%@-]*$/);
    expect(new Set(map.map(({ length }) => length)).size).toBe(1);
  });
});

describe('store-snapshots.mjs', () => {
  it.each([
    ['vanilla-dm1.demo', 0, 1],
    ['ddnet-race-player.demo', 30, 0.5],
  ])('stores what arrives of %s with %i percent lost', async (name, lost, least) => {
    const { stdout } = await run('store-snapshots.mjs', `samples/${name}`, String(lost));
    const [sent, arrived, right] = stdout.match(/\d+/g)!.map(Number);
    expect(sent).toBeGreaterThan(100);
    expect(right).toBeGreaterThanOrEqual(least * sent!);
    // Those without their base, or a part, arrived and have no snapshot; none is wrong.
    expect(arrived).toBeGreaterThanOrEqual(right!);
  });
});

describe('check-folder.mjs', () => {
  it('says what the files of a folder are', async () => {
    const own = mkdtempSync(join(folder, 'check-'));
    writeFileSync(join(own, 'a.demo'), readFileSync(join(root, 'samples/vanilla-dm1.demo')));
    writeFileSync(join(own, 'b.demo'), readFileSync(join(root, 'samples/vanilla-dm1.demo')).subarray(0, 20_000));
    writeFileSync(join(own, 'c.txt'), 'no recording');
    const { stdout, status } = await run('check-folder.mjs', own);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^a\.demo: demo dm1, 1369 snapshots, healthy\nb\.demo: demo dm1, \d+ snapshots, damaged\n/);
    expect(stdout).toContain('c.txt: this is not a recording\n');
  });
});

describe('proxy-demo.mjs', () => {
  it('records what a client of a server is sent as a demo', async () => {
    const [server, proxy, client] = await Promise.all(
      ['live-server.mjs', 'proxy-demo.mjs', 'live-client.mjs'].map((name) => bundled(name, 'node')),
    );
    const [port, proxyPort] = [await freePort(), await freePort()].map(String);
    const demo = join(folder, 'proxy.demo');
    const running = [
      spawn(process.execPath, [server!, port!, join(root, 'samples/ddnet-race-player.demo')], { cwd: folder }),
      spawn(process.execPath, [proxy!, proxyPort!, port!, demo], { cwd: folder }),
    ];
    try {
      await Promise.all(running.map(({ stdout }) => once(stdout!, 'data')));
      const { stdout } = spawnSync(process.execPath, [client!, '0.6', proxyPort!, '60'], {
        encoding: 'utf8',
        timeout: 240_000,
      });
      expect(JSON.parse(stdout).verdicts.ok).toBeGreaterThan(40);
      running[1]!.kill('SIGINT');
      await once(running[1]!, 'exit');
      const records = [...readDemo(new Uint8Array(readFileSync(demo)))];
      const sums = new Map<number, number>();
      for (const entry of readDemo(new Uint8Array(readFileSync(join(root, 'samples/ddnet-race-player.demo'))))) {
        if (entry.record === 'snapshot' && entry.snapshot) sums.set(entry.tick, entry.snapshot.checksum());
      }
      const snapshots = records.flatMap((entry) => (entry.record === 'snapshot' ? [entry] : []));
      expect(snapshots.length).toBeGreaterThan(40);
      for (const { tick, snapshot } of snapshots) expect([tick, snapshot?.checksum()]).toEqual([tick, sums.get(tick)]);
    } finally {
      for (const child of running) child.kill('SIGKILL');
    }
  });
});

it('the six programs that a library is for have at most 25 lines', () => {
  for (const name of ['live-client', 'kill-map', 'store-snapshots', 'drop-demo', 'check-folder', 'proxy-demo']) {
    const lines = readFileSync(join(root, `docs/examples/${name}.mjs`), 'utf8')
      .trimEnd()
      .split('\n');
    expect([name, lines.length <= 25]).toEqual([name, true]);
  }
});

it('example programs have fewer than 80 lines', () => {
  const programs = readdirSync(join(root, 'docs/examples')).filter((name) => name.endsWith('.mjs'));
  expect(programs.length).toBeGreaterThan(5);
  for (const name of programs) {
    expect(readFileSync(join(root, 'docs/examples', name), 'utf8').split('\n').length, name).toBeLessThan(80);
  }
});

describe.skipIf(!hasBrowser)('drop-demo.html (needs Chromium)', () => {
  it.each(['vanilla-dm1.demo', 'vanilla-dm1.demo.gz'])('shows the map, players and chat of %s', async (name) => {
    const demo = readFileSync(join(root, 'samples/vanilla-dm1.demo'));
    const bytes = name.endsWith('.gz') ? gzipSync(demo) : demo;
    await withPage('drop-demo', async (page, drop) => {
      await drop(name, bytes);
      await expect.poll(() => page.locator('#title').textContent()).toBe('dm1');
      await expect.poll(() => page.locator('#players tr').allTextContents()).toContain('corpus: -1');
      expect((await page.locator('#events li').allTextContents()).length).toBeGreaterThan(0);
      await drop('noise', Uint8Array.of(1, 2, 3));
      await expect.poll(() => page.locator('#title').textContent()).toBe('this is not a recording');
    });
  });
});

describe('constants.mjs', () => {
  describe.each([
    ['c', 'h', 'gcc', ['-fsyntax-only', '-include']],
    ['go', 'go', 'gofmt', ['-l']],
    ['python', 'py', 'python3', []],
    ['rust', 'rs', 'rustc', ['--crate-type', 'lib', '--emit', 'metadata', '--out-dir', folder]],
  ])('constants of %s', (language, extension, compiler, args) => {
    const script = join(root, 'docs/examples/constants.mjs');
    const written = async () => {
      const { stdout: schema } = await tw('schema -t json -p 0.7');
      return spawnSync(process.execPath, [script, language], { input: schema, encoding: 'utf8' }).stdout;
    };

    it('are those of the schema', async () => {
      const stdout = await written();
      // obj_character of 0.7 has the number 10 and 22 ints; its 19th is the weapon.
      for (const constant of [
        /character_?type\W.*\b10\b/i,
        /character_?ints\W.*\b22\b/i,
        /character_?weapon_?at\W.*\b18\b/i,
      ])
        expect(stdout).toMatch(constant);
    });

    it.skipIf(!hasTool(compiler))(`are accepted by the compiler (needs ${compiler})`, async () => {
      const file = join(folder, `teeworlds.${extension}`);
      writeFileSync(file, await written());
      const main = join(folder, 'main.c');
      writeFileSync(main, '');
      const inputs = language === 'c' ? [file, main] : [file];
      const { status, stderr } = spawnSync(tool(compiler), [...args, ...inputs], { encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
    });
  });
});

describe('drop-file.html', () => {
  it('is bundled into a single page', async () => {
    expect(readFileSync(await bundled('drop-file.mjs', 'browser')).length).toBeLessThan(200_000);
  });

  it.skipIf(!hasBrowser)('shows the annotated bytes of a dropped file (needs Chromium)', async () => {
    await withPage('drop-file', async (page, drop) => {
      const shown = () => page.locator('#bytes').textContent();
      await drop('first.huff', readFileSync(join(root, 'samples/first.huff')));
      await expect.poll(shown).toMatch(/0008 {2}0a 00 9b 13 {2}\.{4} {2}type=10 obj_character id=0 tick=\+?1243/);
      await drop('noise', Uint8Array.of(1, 2, 3));
      await expect.poll(shown).toMatch(/^noise can't be decoded: \w+ at byte \d+$/);
    });
  });
});

/** Opens the page of an example, to which files can be dropped. */
async function withPage(
  name: string,
  use: (page: Page, drop: (name: string, bytes: Uint8Array) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const script = readFileSync(await bundled(`${name}.mjs`, 'browser'), 'utf8');
  const html = readFileSync(join(root, `docs/examples/${name}.html`), 'utf8').replace(
    /<script type="module" src=.*<\/script>/,
    () => `<script type="module">${script.replaceAll('</script', '<\\/script')}</script>`,
  );
  const browser = await chromium.launch({ executablePath: browserPath!, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.setContent(html);
    // As text: these sources are checked without the types of browsers.
    await use(page, (file, bytes) =>
      page.evaluate(`{
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([Uint8Array.from([${[...bytes]}])], '${file}'));
        document.getElementById('drop').dispatchEvent(new DragEvent('drop', { dataTransfer }));
      }`),
    );
    expect(errors).toEqual([]);
  } finally {
    await browser.close();
  }
}
