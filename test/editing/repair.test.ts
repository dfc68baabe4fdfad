import { describe, expect, it } from 'vitest';
import { hasCorpus } from '../support/corpus.ts';
import { damaged, kinds, readableTicks } from '../support/demo-damage.ts';
import { recordedDemo } from '../support/demos.ts';
import { contentsOf, differingTicks, repaired, rewritten } from '../support/edit.ts';

const noLosses = { ranges: [], count: 0, snapshots: 0, messages: 0 };
const sample = () => recordedDemo('vanilla-dm1.demo')!;

it('a healthy demo stays as it is, byte for byte', () => {
  const { bytes, repairer } = repaired(sample());
  expect(Buffer.compare(bytes, sample())).toBe(0);
  expect([repairer.losses.losses, repairer.wrongSizes]).toEqual([noLosses, 0]);
});

it('the net version of a demo that Teeworlds refuses for it is that of Teeworlds then', () => {
  const file = sample();
  file.set(new TextEncoder().encode('0.7 0123456789abcdef'), 8);
  expect(Buffer.compare(repaired(file).bytes, sample())).toBe(0);
});

it.skipIf(!hasCorpus)(
  'a cut that DDNet saved with the wrong sizes is restored: each tick as the client recorded it (needs ../shared)',
  () => {
    const { bytes, repairer } = repaired(recordedDemo('07-ddnet20-replay-wrong-sizes.demo')!);
    const [now, truth] = [contentsOf(bytes), contentsOf(recordedDemo('07-ddnet20-replay-whole.demo')!)];
    expect([repairer.losses.losses, repairer.wrongSizes]).toEqual([noLosses, 54]);
    expect(now.diagnostics).toEqual([]);
    // As its README says: ticks 662 to 1060 of the match.
    expect([now.ticks[0], now.ticks.at(-1)]).toEqual([662, 1060]);
    expect(now.ticks).toEqual(truth.ticks.filter((tick) => tick >= 662 && tick <= 1060));
    // The order of items depends on where a recording has its full snapshots.
    expect(differingTicks(now, truth, 'any order')).toEqual([]);
  },
);

it.skipIf(!hasCorpus)(
  "a server's demo of a 0.7 client, whose header says 0.6, says 0.7 then, with the same items (needs ../shared)",
  () => {
    const file = recordedDemo('07-in-06-ddnet20-playerdemo-vanny.demo')!;
    const { bytes, repairer } = repaired(file);
    const [now, was] = [contentsOf(bytes), contentsOf(file)];
    expect([repairer.losses.losses, now.diagnostics, was.diagnostics]).toEqual([noLosses, [], ['content_of_07 at 0']]);
    expect(now.header.netVersion).toBe('0.7 802f1be60a05665f');
    expect([...now.snapshots.keys()]).toEqual([...was.snapshots.keys()]);
    expect(differingTicks(now, was)).toEqual([]);
  },
);

describe('damage that readers do not detect', () => {
  const whole = contentsOf(sample());
  const check = (file: Uint8Array) => {
    const { bytes, repairer } = repaired(file);
    const now = contentsOf(bytes);
    expect(now.diagnostics).toEqual([]);
    return { now, wrong: differingTicks(now, whole), losses: repairer.losses.losses.ranges };
  };

  it('two deltas for one tick: the following ticks are left out up to the next full snapshot', () => {
    const { now, wrong, losses } = check(
      rewritten(sample(), (writer, chunk, payload) => {
        if (chunk === 'delta 300') writer.chunk('delta', payload);
        return false;
      }),
    );
    expect(wrong).toEqual([]);
    // Delta 300 is of tick 9530; the next full snapshot is of tick 9654.
    expect(losses.map(({ from, to, next }) => [from, to, next])).toEqual([[9530, 9653, 9654]]);
    expect(now.snapshots.get(losses[0]!.next!)!.kind).toBe('snapshot');
    expect(now.snapshots.size).toBe(whole.snapshots.size - losses[0]!.snapshots + 1);
  });

  it('a lost mark of a tick: what is lost begins one tick after the last', () => {
    const file = sample();
    // The mark of tick 9498 is at 19612, after tick 9496; no mark and no chunk begins with 1f.
    file[19612] = 0x1f;
    expect(check(file).losses.map(({ from, to, next }) => [from, to, next])).toEqual([[9497, 9653, 9654]]);
  });

  it('a missing full snapshot is detected', () => {
    const { wrong, losses } = check(rewritten(sample(), (_, chunk) => chunk === 'snapshot 3'));
    expect(wrong).toEqual([]);
    // The full snapshot of tick 9402 is missed by the delta of tick 9404.
    expect(losses.map(({ from, to, next }) => [from, to, next])).toEqual([[9404, 9653, 9654]]);
  });
});

it.each(kinds.map((kind, i) => [kind, i] as const))(
  'seeded damage (%s): what is left is right, and all that is readable',
  (_, first) => {
    const file = sample();
    const whole = contentsOf(file);
    for (let seed = first + kinds.length; seed < 2 * kinds.length; seed += kinds.length) {
      const damage = damaged(file, whole.header.chunksStart, seed);
      const now = contentsOf(repaired(damage.bytes).bytes);
      expect(differingTicks(now, whole), `seed ${seed}`).toEqual([]);
      const readable = [...readableTicks(file, damage)];
      const restored = readable.filter((tick) => now.snapshots.has(tick));
      expect(restored.length / readable.length, `seed ${seed}`).toBeGreaterThan(0.9);
    }
  },
);
