import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runWriting } from '../support/run.ts';

const folder = fileURLToPath(new URL('../../../shared/cases/verdicts/', import.meta.url));

// The cases of ../shared/cases/verdicts: cuts of a demo that a server recorded for a player, each damaged in one way.
const cases = [
  {
    // A tick marker is off by one: its README counts 77 of 103 snapshots at a wrong tick.
    name: 'tick-off-by-one.demo',
    state: 'suspect',
    ticks: [
      ['confirmed', 2126, 2176, 26],
      ['doubtful', 2179, 2331, 77],
    ],
    status: 1,
  },
  {
    // Some 60 chunks are gone: 71 snapshots stand on a wrong base.
    name: 'hole.demo',
    state: 'suspect',
    ticks: [
      ['confirmed', 2126, 2176, 26],
      ['doubtful', 2178, 2318, 71],
    ],
    status: 1,
  },
  {
    // The payload of a message is zeros: no snapshot is wrong.
    name: 'message-zeroed.demo',
    state: 'damaged',
    ticks: [['plain', 202, 488, 144]],
    status: 3,
  },
] as const;

describe.skipIf(!existsSync(folder))('a damaged demo has one verdict in all commands (needs ../shared)', () => {
  it.each(cases)('$name', async ({ name, state, ticks, status }) => {
    const files = { 'a.demo': new Uint8Array(readFileSync(folder + name)) };
    const run = (words: string) => runWriting(words, files, { hasNoProgram: true });

    for (const command of ['info', 'checksum']) {
      const { stdout } = await run(`${command} a.demo -t json`);
      const [{ health, ticks: found }] = JSON.parse(stdout);
      const ranges = found.map((range: Record<string, unknown>) => [
        range.state,
        range.from,
        range.to,
        range.snapshots,
      ]);
      expect([command, health, ranges]).toEqual([command, state, ticks]);
    }

    const all = [
      'info a.demo',
      'checksum a.demo',
      'explain a.demo',
      'export a.demo -t csv -o tables',
      'report a.demo -o a.html',
      'dump a.demo -t ndjson',
      'stats a.demo',
      'edit a.demo --strip chat -o b.demo',
      'slice a.demo --ticks 0..9999 -o b.demo',
    ];
    for (const words of all) expect([words, (await run(words)).status]).toEqual([words, status]);

    // repair says what is lost, and what it writes is right.
    const repaired = await run('repair a.demo -o b.demo');
    expect(repaired.status).toBe(1);
    const { stdout } = await runWriting('checksum b.demo -t json', { 'b.demo': repaired.files.get('b.demo')! });
    const [{ health, matched, announced, snapshots }] = JSON.parse(stdout);
    const confirmed = ticks[0][0] === 'confirmed' ? ticks[0][3] : undefined;
    expect([health, announced, matched, snapshots]).toEqual(['healthy', confirmed, confirmed, ticks[0][3]]);
  });

  it('a part of it that is right is cut out without a word', async () => {
    const file = new Uint8Array(readFileSync(`${folder}hole.demo`));
    const { status, stderr } = await runWriting('slice a.demo --ticks 2126..2170 -o b.demo', { 'a.demo': file });
    expect([status, stderr]).toEqual([0, '']);
  });
});
