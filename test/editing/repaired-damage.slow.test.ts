import { expect, it } from 'vitest';
import { hasCorpus } from '../support/corpus.ts';
import { damaged, readableTicks } from '../support/demo-damage.ts';
import { readDemoFile, recordedDemo, recordedDemos } from '../support/demos.ts';
import { contentsOf, differingTicks, repaired } from '../support/edit.ts';

const demos = [
  'vanilla-dm1.demo',
  'ddnet-race-player.demo',
  ...(hasCorpus ? ['06-ddnet20-coverage-finishes-client.demo'] : []),
];
const seeds = 200;

it.each(demos)(
  '%s, damaged in 200 ways: what is readable is restored, and hardly a snapshot is wrong',
  { timeout: 600_000 },
  (name) => {
    const file = recordedDemo(name)!;
    const whole = contentsOf(file);
    const sum = { readable: 0, restored: 0, all: 0, left: 0, wrong: 0 };
    for (let seed = 1; seed <= seeds; seed++) {
      const damage = damaged(file, whole.header.chunksStart, seed);
      const now = contentsOf(repaired(damage.bytes).bytes);
      sum.wrong += differingTicks(now, whole).length;
      const readable = readableTicks(file, damage, name === 'ddnet-race-player.demo');
      sum.readable += readable.size;
      sum.restored += [...readable].filter((tick) => now.snapshots.has(tick)).length;
      sum.all += whole.snapshots.size;
      sum.left += now.snapshots.size;
    }
    const percent = (part: number, of: number) => `${((100 * part) / of).toFixed(2)}%`;
    console.log(
      `${name}: ${percent(sum.restored, sum.readable)} of what is readable, ${percent(sum.left, sum.all)} of all`,
    );
    expect(sum.restored).toBe(sum.readable);
    // Damage can leave a demo that is valid in every respect.
    expect(sum.wrong / sum.left).toBeLessThan(0.0001);
  },
);

/** One is cut, one has the wrong sizes, one has contents of 0.7 under a header of 0.6. */
const healthy = recordedDemos.filter(({ name }) => !/unfinished|wrong-sizes|07-in-06/.test(name));

it.each(healthy)('$name is healthy, and is not changed', ({ path }) => {
  const file = readDemoFile(path);
  const { bytes, repairer } = repaired(file);
  expect(repairer.losses.losses.count + repairer.losses.losses.messages).toBe(0);
  expect(Buffer.compare(bytes, file)).toBe(0);
});
