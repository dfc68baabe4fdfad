import { readFileSync } from 'node:fs';
import { cpuUsage } from 'node:process';
import { parseArgs } from 'node:util';
import type { Explanation } from '../../src/analysis/explain/explanation.ts';
import { idOf, typeOf } from '../../src/wire/snapshot/key.ts';
import {
  explainPlayed,
  faultCases,
  judge,
  laterFaults,
  mixedFaults,
  outcomes,
  type PlayedFault,
  playFault,
  proxyFaults,
  structuralFaults,
  unknownFaults,
} from '../../test/support/server/cases.ts';
import type { Fault } from '../../test/support/server/faults.ts';
import { keyOf } from '../../test/support/server/game-delta.ts';
import { playedRecordings } from '../../test/support/server/recordings.ts';
import { type Scenario, scenarioOf } from '../../test/support/server/scenario.ts';
import { failuresOf, keysLeft } from '../../test/support/server/single-changes.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    fault: { type: 'string' },
    version: { type: 'string' },
    show: { type: 'string' },
    decidable: { type: 'boolean' },
    beside: { type: 'string' },
  },
});
const [folder = '../shared/corpus'] = positionals;
const [count, firstSeed] = [Number(values.count), Number(values.seed)];
const only = values.fault?.split(',');

/** An explanation in one line. */
function inWords({ shown, fits, runs }: Explanation): string {
  const notes = runs.flatMap((run) => run.notes);
  const first = notes
    .slice(0, 3)
    .map(({ tick, base, difference, error }) => `${tick}/${base} ${difference ?? error?.code}`);
  const verdicts = [...shown, ...fits].map(({ cause, about, keys, fits, of, isShown, numbers }) => {
    const items = `${keys
      .slice(0, 3)
      .map((key) => `${typeOf(key)}/${idOf(key)}`)
      .join(' ')}${keys.length > 3 ? ` +${keys.length - 3}` : ''}`;
    return `${isShown ? 'SHOWN ' : ''}${cause}${cause === 'mixed_parts' ? ` ${about}` : ''} ${items} ${JSON.stringify(numbers)} ${fits}/${of}`;
  });
  return `    ${notes.length} failures, ${first.join(', ')}: ${verdicts.join('; ') || 'nothing'}`;
}

/**
 * Whether the sent data can distinguish a fault from others, regardless of what explain reports: a delta is unreadable,
 * or three snapshots failed and not all by a few units, which many items have as their sum. Of the mixed kinds, one failed
 * on a base that the client has as the server has it. A fault that breaks no
 * checksum shows in the snapshots themselves.
 */
function isDecidable({ played, fault, scenario }: PlayedFault, name: string): boolean {
  const failed = played.sent.filter(({ outcome }) => outcome === 'crc_error' || outcome === 'unpack_failed');
  if (name in proxyFaults && failed.every(({ outcome }) => outcome === 'crc_error')) {
    const failures = failuresOf({ played, scenario });
    const left = keysLeft(failures, scenario.protocol.sizeOf);
    return failures.length >= 2 && left.size > 0 && [...left].every((key) => fault.keys.has(key));
  }
  if (failed.length === 0 || failed.some(({ outcome }) => outcome === 'unpack_failed')) return true;
  // Of a base that is wrong with the right sum, no single change of a later delta is left.
  if (name in mixedFaults && !failed.some(({ isOwnBase }) => isOwnBase)) return false;
  if (name === 'removed though unchanged' && failed.every(({ base }) => hasTwins(scenario, base, fault))) return false;
  return failed.length >= 3 && failed.some(({ difference }) => Math.abs(difference) >= 16);
}

/**
 * Whether the base has another item of the same type with the same values for each removed one. If the removed item had
 * been sent under the other one's id, which is a duplicate key, the server would have sent the same bytes and checksum.
 */
function hasTwins({ steps }: Scenario, base: number, { keys }: Fault): boolean {
  const items = steps.find(({ tick }) => tick === base)?.items ?? [];
  return items
    .filter((item) => keys.has(keyOf(item)))
    .every(({ type, id, data }) =>
      items.some((item) => item.type === type && item.id !== id && item.data.every((int, i) => int === data[i])),
    );
}

const other: Parameters<typeof explainPlayed>[1] = values.beside ? await import(values.beside) : undefined;
const ofOther = other ? ['there: wrong', 'shown', 'first three'] : [];

console.log(
  `| fault | version | faults | wrong | decidable | ${[...outcomes.slice(2), 'slowest, CPU time', ...ofOther].join(' | ')} |`,
);
console.log(`|---|---|${'--:|'.repeat(9 + ofOther.length)}`);
for (const [version, files] of Object.entries(playedRecordings)) {
  if (values.version && values.version !== version) continue;
  const scenarios: Scenario[] = files.map((file) =>
    scenarioOf(file, new Uint8Array(readFileSync(`${folder}/${file}`))),
  );
  for (const [name, fault] of Object.entries({
    ...faultCases,
    ...structuralFaults,
    ...laterFaults,
    ...unknownFaults,
    ...mixedFaults,
    ...proxyFaults,
  })) {
    if (only && !only.includes(name)) continue;
    const tally = new Map<string, number>();
    const add = (key: string) => tally.set(key, (tally.get(key) ?? 0) + 1);
    let [done, slowest] = [0, 0];
    for (let seed = firstSeed; done < count && seed < firstSeed + 100 * count; seed++) {
      const played = playFault(fault, scenarios, seed);
      if (!played) continue;
      done++;
      const start = cpuUsage();
      const explained = explainPlayed(played.played);
      const { user, system } = cpuUsage(start);
      const time = (user + system) / 1000;
      slowest = Math.max(slowest, time);
      const outcome = judge(explained, fault, played.fault);
      const decidable = isDecidable(played, name);
      const isWrong = outcome === 'another' || outcome === 'another item';
      if (isWrong) add('wrong');
      if (decidable) add('decidable');
      if (decidable) add(outcome);
      if (other) {
        const there = judge(explainPlayed(played.played, other), fault, played.fault);
        if (there === 'another' || there === 'another item') add('there: wrong');
        else if (decidable && there === 'shown') add('there: shown');
        else if (decidable && (there === 'first' || there === 'first three')) add('there: first three');
      }
      if (!values.show?.split(',').includes(outcome) || (values.decidable && !decidable && !isWrong)) continue;
      const keys = [...played.fault.keys]
        .slice(0, 6)
        .map((key) => `${typeOf(key)}/${idOf(key)}`)
        .join(' ');
      console.log(
        `  seed ${seed} ${played.scenario.name}: ${keys} ${JSON.stringify(played.fault.facts ?? {})}, ${time.toFixed(0)} ms`,
      );
      console.log(explained.explanations.map(inWords).join('\n'));
      for (const { cause, subject, count } of explained.findings)
        console.log(`    finding ${cause} ${subject}, ${count} times`);
    }
    const cells = ['wrong', 'decidable', ...outcomes.slice(2)].map((key) => tally.get(key) ?? 0);
    const there = other ? ['wrong', 'shown', 'first three'].map((key) => tally.get(`there: ${key}`) ?? 0) : [];
    console.log(`| ${[name, version, done, ...cells, `${slowest.toFixed(0)} ms`, ...there].join(' | ')} |`);
  }
}
