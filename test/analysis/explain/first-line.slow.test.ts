import { describe, expect, it } from 'vitest';
import { main } from '../../../commands/index.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { read } from '../../support/samples.ts';
import { seeded } from '../../support/seeded.ts';
import { faultCases, laterFaults, playFault, structuralFaults, unknownFaults } from '../../support/server/cases.ts';
import { type Scenario, scenarioOf } from '../../support/server/scenario.ts';

const scenarios: readonly Scenario[] = ['ddnet-race-player.demo', 'vanilla-dm1.demo'].map((name) =>
  scenarioOf(name, read(name)),
);

const perVersion = 2;

async function output(command: string, capture: Uint8Array): Promise<string[]> {
  const io = fakeIo({ files: { 'fault.pcap': capture } });
  await main([command, 'fault.pcap'], io);
  return io.stdout.text.split('\n');
}

/** The lines from the first that matches, with those after it that belong to it, as one. */
function joined(lines: readonly string[], first: RegExp, next: RegExp): string | undefined {
  const start = lines.findIndex((line) => first.test(line));
  if (start < 0) return undefined;
  const length = lines.slice(start + 1).findIndex((line) => !next.test(line));
  const all = lines.slice(start, start + 1 + length);
  return all.map((line) => line.trim()).join(' ');
}

/** What `info` says of a cause, with the mark that `explain` has before it. */
const lineOfInfo = (lines: readonly string[]) =>
  joined(lines, /^ {2}(cause|best fit) /, /^ {8}/)
    ?.replace(/^cause +/, '✗ ')
    .replace(/^best fit +/, '? ');

/** The first title of `explain`. The lines below it are indented further. */
const lineOfExplain = (lines: readonly string[]) => joined(lines, /^[✗?!] /, /^ {2}\S/);

/** How many captures `info` said something of. */
let told = 0;

describe.each(Object.entries({ ...faultCases, ...structuralFaults, ...laterFaults, ...unknownFaults }))(
  '%s',
  (name, entry) => {
    it('info says what explain says first of failures, if it says something', async () => {
      let compared = 0;
      for (const scenario of scenarios) {
        const random = seeded(name.length + 51);
        for (let [played, tries] = [0, 0]; played < perVersion && tries < 50 * perVersion; tries++) {
          const seed = random() % 100_000;
          const fault = playFault(entry, [scenario], seed);
          if (!fault) continue;
          played++;
          compared++;
          const { capture } = fault.played;
          const info = await output('info', capture);
          const said = lineOfInfo(info);
          if (said !== undefined) told++;
          const first = lineOfExplain(await output('explain', capture));
          // A finding of the story breaks no checksum: both have the same line.
          if (first !== undefined && /^✗ \w+, (?:frame|tick)s? /.test(first)) {
            expect(info, `seed ${seed}`).toContain(`  ${first}`);
            continue;
          }
          // What breaks no checksum, and that nothing fits, is left to explain.
          const isOfFailures = first !== undefined && !/^!|not explained/.test(first);
          expect(said, `seed ${seed}`).toBe(isOfFailures ? first : undefined);
        }
      }
      expect(compared).toBeGreaterThan(0);
    });
  },
);

it('info says something of many of them', () => {
  expect(told).toBeGreaterThan(100);
});
