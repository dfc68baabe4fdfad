import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { read } from '../../support/samples.ts';
import { type Played, play } from '../../support/server/faulty-server.ts';
import type { ServerSnapshot } from '../../support/server/game-delta.ts';
import { excerpt, scenarioOf } from '../../support/server/scenario.ts';

const clientInfo = 11;

/** A mod that gives player 0 a second name in every snapshot from the sixteenth on, for twenty snapshots. */
function playSecondName(): Played {
  const whole = scenarioOf('ddnet-race-player.demo', read('ddnet-race-player.demo'));
  const other = whole.steps.at(-1)!.items.find(({ type, id }) => type === clientInfo && id === 1)!;
  const items = (snapshot: ServerSnapshot): ServerSnapshot => [...snapshot, { ...other, id: 0 }];
  return play(excerpt(whole, 0, 45), { items }, { from: 15, to: 35 });
}

/** `UPDATE_SAMPLES=1 npx vitest run test/analysis/explain/sample.test.ts` writes them anew. */
it('the samples of a faulty server are equal to what the simulated server sends and its client logs', () => {
  const { capture, log } = playSecondName();
  const samples = { 'duplicate-key.pcap': capture, 'duplicate-key.log': new TextEncoder().encode(log) };
  for (const [name, bytes] of Object.entries(samples)) {
    const path = join(resolve(import.meta.dirname, '../../../samples'), name);
    if (process.env.UPDATE_SAMPLES) writeFileSync(path, bytes);
    expect(bytes.length).toBeGreaterThan(0);
    expect(read(name), name).toEqual(bytes);
  }
});
