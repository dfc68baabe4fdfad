import { expect, it } from 'vitest';
import { findingText, saidOf } from '../../../src/output/reports/explain/explanation-text.ts';
import { read } from '../../support/samples.ts';
import { explainPlayed, laterFaults, playFault, structuralFaults } from '../../support/server/cases.ts';
import { scenarioOf } from '../../support/server/scenario.ts';

const scenarios = ['ddnet-race-player.demo', 'vanilla-dm1.demo'].map((name) => scenarioOf(name, read(name)));

/** What is shown of faults in real recordings, one for each kind. */
it.each([
  ['a base of the map before', 2, /^deltas refer to bases that are of the map before, as \d+$/],
  [
    'an id used again',
    2,
    / is sent in full, though the base has it$| are sent in full, though the base has them$| is removed and updated at once: either it is sent in full, or the update is of another item$/,
  ],
  ['sizes of the other version', 2, /^items have the sizes of 0\.[67], though the connection is of 0\.[67]$/],
  ['two servers at one address', 2, /^the ticks of two servers come by turns, from one address$/],
  ['a lost part', 2, /^no snapshot of several parts is complete: one of them never comes$/],
  [
    'a base off by one',
    2,
    /^deltas refer to bases that were never sent|^the delta was made from|^deltas were made from/,
  ],
  ['a part twice', 2, /^(two parts|parts \d+ and \d+) of the snapshot have the same bytes$/],
  // What breaks is not called damage: these are undamaged.
  ['ints packed otherwise', 6, /^(\d+ deltas|the delta) can't be read to the end/],
  ['no third int', 6, /^(\d+ deltas|the delta) can't be read to the end/],
  ['the id before the type', 6, /^(\d+ deltas|the delta) can't be read to the end/],
])('%s', (name, times, title) => {
  const found: string[] = [];
  for (let [seed, played] = [1, 0]; played < times && seed < 400; seed++) {
    const fault = playFault({ ...structuralFaults, ...laterFaults }[name]!, scenarios, seed);
    if (!fault) continue;
    played++;
    const { explanations, findings } = explainPlayed(fault.played);
    const shown = explanations.flatMap((explanation) => saidOf(explanation).filter(({ isShown }) => isShown));
    found.push(...[...shown, ...findings.map(findingText)].map((causeText) => causeText.title));
  }
  expect(found.length).toBeGreaterThan(0);
  for (const text of found) expect(text).toMatch(title);
});
