import type { Tally } from '../../../src/analysis/stats/tally.ts';
import { check } from '../checks.ts';

/** Checks that every bit of the bytes is counted exactly once. */
export function addsUp({ bits, items, messages, parts }: Tally, bytes: number): void {
  check(bits === 8 * bytes, `stats: ${bits} bits of ${8 * bytes}`);
  const all = [...items.all, ...messages.values(), ...parts.values()];
  check(
    all.every((entry) => entry.bits >= 0),
    `stats: less than nothing: ${all.find((entry) => entry.bits < 0)?.name}`,
  );
  const sum = all.reduce((total, entry) => total + entry.bits, 0);
  check(sum === bits, `stats: they add up to ${sum}, not ${bits}`);
}
