import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { report, reportDataOf } from '../../support/report.ts';

const folder = fileURLToPath(new URL('../../../../shared/cases/verdicts/', import.meta.url));

// The same ranges as those of the commands (test/commands/verdicts): each begins at a snapshot that the page can show.
const cases = [
  {
    name: 'tick-off-by-one.demo',
    health: 'suspect',
    ticks: '2126 to 2176 confirmed, 2179 to 2331 in doubt',
    found: [['ticks 2179 to 2331 are in doubt, 77 snapshots', 2179]],
  },
  {
    name: 'hole.demo',
    health: 'suspect',
    ticks: '2126 to 2176 confirmed, 2178 to 2318 in doubt',
    found: [['ticks 2178 to 2318 are in doubt, 71 snapshots', 2178]],
  },
  { name: 'message-zeroed.demo', health: 'damaged', ticks: undefined, found: [] },
];

describe.skipIf(!existsSync(folder))('the page says which ticks are in doubt (needs ../shared)', () => {
  it.each(cases)('$name', async ({ name, health, ticks, found }) => {
    const { page } = await report(new Uint8Array(readFileSync(folder + name)));
    const data = reportDataOf(page);
    expect([data.health.includes(health), data.tone]).toEqual([true, 'bad']);
    expect(data.facts.find(({ label }) => label === 'ticks')?.text).toBe(ticks);
    const doubts = data.findings.filter(({ text }) => text.startsWith('ticks '));
    const places = doubts.map(({ text, tick }) => [text.split(':')[0], tick]);
    expect(places).toEqual(found);
  });
});
