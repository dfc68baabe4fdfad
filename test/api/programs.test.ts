import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { items, readDemo } from '../../src/api/index.ts';
import { eventsOf } from '../../src/api/match.ts';
import { bundlePrograms, root } from '../support/library-examples.ts';
import { PlayerServer } from '../support/player-server.ts';

/* The programs at the beginning of docs/LIBRARY.md, run as they are there. */

const guide = readFileSync(join(root, 'docs/LIBRARY.md'), 'utf8');
const [section = ''] = /^## Ten programs$[\s\S]*?(?=^## )/m.exec(guide) ?? [];
const programs = [...section.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code]) => code!);

const folder = mkdtempSync(join(tmpdir(), 'tw-snap-programs-'));
let server: PlayerServer;
const printed: string[] = [];

beforeAll(async () => {
  server = await PlayerServer.start('0.6', { isLossy: true });
  for (const [i, code] of programs.entries())
    writeFileSync(join(folder, `${i}.ts`), code.replace('127.0.0.1:8303', server.address));
  await bundlePrograms(
    programs.map((_, i) => join(folder, `${i}.ts`)),
    folder,
  );
  vi.stubEnv('TMPDIR', folder);
  vi.spyOn(console, 'log').mockImplementation((...values) => printed.push(values.join(' ')));
});
afterEach(() => printed.splice(0));
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  server.stop();
  rmSync(folder, { recursive: true });
});

/** Runs the program that says something, and returns what it printed. */
async function run(word: string): Promise<readonly string[]> {
  const i = programs.findIndex((code) => code.includes(word));
  await import(pathToFileURL(join(folder, `${i}.mjs`)).href);
  return printed;
}

const written = (name: string) => [...readDemo(readFileSync(join(folder, name)))];
const sample = () => [...readDemo(readFileSync(join(root, 'samples/vanilla-dm1.demo')))];
const ticks = (records: ReturnType<typeof sample>) =>
  records.flatMap((entry) => (entry.record === 'snapshot' ? [entry.tick] : []));

it('are ten, of at most eight lines', () => {
  expect(programs.length).toBe(10);
  for (const code of programs) expect(code.split('\n').filter(Boolean).length).toBeLessThanOrEqual(8);
});

describe('of a recording', () => {
  it('the summary', async () => {
    expect(await run('summaryOf')).toEqual(['demo healthy', 'dm1 57 s']);
  });

  it('chat and kills', async () => {
    const messages = sample().filter(
      (entry) => entry.record === 'message' && /^sv_(?:chat|killmsg)$/.test(entry.message.type?.name ?? ''),
    );
    expect((await run('of eventsOf')).length).toBe(messages.length);
    expect(printed[0]).toMatch(/^\d+ \w+: \w+$/);
    expect(printed.some((line) => /^\d+ stress\d, killed by /.test(line))).toBe(true);
  });

  it('a part', async () => {
    await run('part.demo');
    expect(ticks(written('part.demo'))).toEqual(ticks(sample()).filter((tick) => tick >= 9000 && tick <= 9500));
  });

  it('another name', async () => {
    await run('renamed.demo');
    const names = new Set<string>();
    for (const { events } of eventsOf(written('renamed.demo')))
      for (const event of events) if ('player' in event && event.player?.name) names.add(event.player.name);
    expect(names).toContain('rival');
    expect(names).not.toContain('stress2');
    expect(ticks(written('renamed.demo'))).toEqual(ticks(sample()));
  });

  it('no chat', async () => {
    await run('quiet.demo');
    const names = (records: ReturnType<typeof sample>) =>
      records.flatMap((entry) => (entry.record === 'message' ? [entry.message.type?.name] : []));
    expect(names(sample())).toContain('sv_chat');
    expect(names(written('quiet.demo'))).toEqual(names(sample()).filter((name) => name !== 'sv_chat'));
  });

  it('positions', async () => {
    // stress2 is the client 1.
    const positions = sample().flatMap((entry) =>
      entry.record === 'snapshot'
        ? [...items(entry.snapshot!, '0.7', 'obj_character')]
            .filter(({ id }) => id === 1)
            .map(({ fields: { x, y } }) => `${entry.tick},${x},${y}`)
        : [],
    );
    expect(positions.length).toBeGreaterThan(1000);
    expect(await run('columns')).toEqual(positions);
  });

  it('causes of wrong checksums', async () => {
    expect(await run('explain(')).toEqual(['20 of 20 failures explained', 'duplicate_key obj_client_info 0']);
  });

  it('the items of a delta', async () => {
    expect((await run('decode(')).length).toBeGreaterThan(0);
  });
});

describe('of a server of 0.6 that loses 20 %', () => {
  it('who is there', async () => {
    expect(await run('server.players')).toEqual(['player plays']);
  });

  it('chat and kills, as they happen', async () => {
    server.heard.splice(0);
    // It runs until the server is gone.
    void run('server.events');
    // An acknowledgement: it has a snapshot with the player.
    const hasSnapshot = () => server.heard.some(({ fields }) => Number(fields.ack_snapshot) > 0);
    await vi.waitFor(() => expect(hasSnapshot()).toBe(true), 20_000);
    for (let i = 0; i < 10; i++) server.say('sv_chat', { team: 0, client_id: 0, message: `number ${i}` });
    for (let weapon = 0; weapon < 5; weapon++)
      server.say('sv_killmsg', { killer: 0, victim: 0, weapon, mode_special: 0 });
    await vi.waitFor(() => expect(printed.length).toBe(15), 20_000);
    const chat = Array.from({ length: 10 }, (_, i) => `player: number ${i}`);
    expect(printed).toEqual([...chat, ...Array(5).fill('player, killed by nobody else')]);
  });
});
