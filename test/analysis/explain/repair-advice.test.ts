import { expect, it } from 'vitest';
import { DemoCheck } from '../../../src/analysis/explain/recording-explainer.ts';
import { repaired } from '../../../src/api/edit.ts';
import { readDemo, writeDemo } from '../../../src/api/index.ts';
import { CheckedDemoReplay } from '../../../src/recording/demo/checked-demo.ts';
import { damagedDemo } from '../../support/damaged-demos.ts';
import { playedBy } from '../../support/plays.ts';
import { read } from '../../support/samples.ts';

function faultsOf(file: Uint8Array) {
  const check = new DemoCheck();
  const replay = new CheckedDemoReplay({ parts: true });
  for (const entry of replay.feed(file)) check.add(entry);
  for (const entry of replay.finish()) check.add(entry);
  return check.finish();
}

/** Whether the last version of each game plays what `repair` makes of a demo, or `refused`. */
function isMended(file: Uint8Array): boolean | 'refused' {
  try {
    return !playedBy(writeDemo(repaired(readDemo(file)))).codes.includes('not_played');
  } catch {
    return 'refused';
  }
}

it.each(['ddnet-race-player.demo', 'vanilla-dm1.demo'])(
  'repair is advised where the games play what it writes, and only there: %s, damaged in 15 ways',
  (name) => {
    // Enough of a sample for each kind of damage.
    const sample = read(name).slice(0, 24_000);
    const tally = { advised: 0, final: 0, healthy: 0 };
    // Among these: keys of a negative type, whose checksum is right, and demos of which nothing is left.
    for (let seed = 5080; seed < 5095; seed++) {
      const file = damagedDemo(sample, seed);
      const faults = faultsOf(file);
      const found = { seed, isMended: isMended(file) };
      if (!faults) {
        tally.healthy++;
        expect(found.isMended, `seed ${seed}`).not.toBe(false);
      } else if (faults.isRepairable) {
        tally.advised++;
        expect(found).toEqual({ seed, isMended: true });
      } else {
        tally.final++;
        expect(found.isMended, `seed ${seed}`).not.toBe(true);
      }
    }
    expect(tally.advised).toBeGreaterThan(7);
  },
);
