import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { run } from '../support/run.ts';

/**
 * Recordings whose bytes are whole and whose story is not, remade from public reports. What is right was written down in
 * the READMEs beside the inputs before any program read them.
 */
const folder = fileURLToPath(new URL('../../../shared/cases/', import.meta.url));

const told: readonly (readonly [path: string, status: number, ...says: readonly RegExp[]])[] = [
  ['reports/c01-flicker.demo', 1, /recorders_alternate, ticks 1002 to 1200: .*main, dummy in turn, 100 changes/],
  ['reports/c03-paused-others-vanish.demo', 0, /others_absent, ticks 1050 to 1118: .*bob, cat in 35 snapshots/],
  ['reports/c04-extreme-velocity.demo', 1, /impossible_speed, ticks 1100 to 1200: bob/, /outside_map, ticks 1100 to/],
  ['reports/c07-unknown-events.demo', 0, /newer_items.*be0c637f-1cf1-33d4/, /newer_items.*8a6232e1-1b48-3f57/],
  ['reports/c20-at-the-limit.pcap', 1, /items_dropped, frames 20 to 37: .*the character of bob, all event_sound_world/],
  [
    'reports/c21-map-download-stuck.pcap',
    1,
    /unanswered, frames 8 to 32: piece 1 .* 13 times/,
    /800 of 60,000 bytes came/,
  ],
  ['bugs/b23-kill.demo', 0, /unknown_client, tick 302: sv_killmsg has the client 40 as killer/],
  ['bugs/b53-range.pcap', 1, /two_recorders, frame 4/],
];
const cases = told.map(([path, status, ...says]) => ({ path, status, says }));
const isThere = cases.every(({ path }) => existsSync(folder + path));

/** Lines may be wrapped. */
const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

describe.skipIf(!isThere)('what should have happened and did not (needs ../shared)', () => {
  it.each(cases)('$path: exit $status', async ({ path, status, says }) => {
    const name = path.split('/').at(-1)!;
    const files = { [name]: new Uint8Array(readFileSync(folder + path)) };
    const info = await run(`info ${name}`, files);
    const explained = await run(`explain ${name}`, files);
    for (const got of [info, explained]) {
      const said = inOneLine(`${got.stdout}\n${got.stderr}`);
      for (const text of says) expect(said).toMatch(text);
      expect(said).not.toMatch(/nothing to explain/);
      expect(got.status).toBe(status);
    }
    expect(info.stdout).toMatch(status === 0 ? /healthy/ : /suspect/);
    const dumped = await run(`dump ${name} -t ndjson`, files);
    const codes = says
      .map(({ source }) => source.match(/^\w+/)![0])
      .filter((code) => code.includes('_') || code === 'unanswered');
    for (const code of codes) expect(dumped.stdout).toContain(`"code":"${code}"`);
  });
});
