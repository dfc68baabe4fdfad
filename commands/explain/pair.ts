import { encode } from '../../src/decode/encode.ts';
import { explainDelta } from '../../src/explain/explanation.ts';
import type { Delta } from '../../src/snapshot/delta.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import type { Explained } from '../../src/view/explain/explanations.ts';
import { shellWord } from '../../src/view/text/escape.ts';
import { exit, inputError } from '../lib/errors.ts';
import { inputOfBase, load, readSnapshot } from '../lib/input/load.ts';
import type { Run } from '../lib/run/files.ts';
import { type ExplainOptions, type Outcome, outcomeOf } from './outcome.ts';

/** Explains why a delta and its base do not result in the announced checksum. */
export async function explainPair(base: string, delta: string, run: Run<ExplainOptions>): Promise<Outcome> {
  const { options, input } = run;
  const read = await readSnapshot(base, inputOfBase(input));
  const loaded = await load(delta, { ...input, kind: 'delta' }, read);
  const { body, kind, types } = loaded.payload;
  if (kind !== 'delta') throw inputError(`${delta}: expected a delta`);
  const explanations = explainDelta({
    protocol: types.protocol,
    tick: 0,
    base: 0,
    before: read.payload.body as Snapshot,
    payload: encode(body as Delta, 'packed'),
    announced: options.expect ?? 0,
  });
  const explained: Explained = {
    file: delta,
    again: undefined,
    see: `tw-snap decode ${shellWord(delta)} --base ${shellWord(base)} -p ${types.protocol.version}`,
    snapshots: 1,
    failures: explanations.length,
    unreadable: 0,
    explanations,
    findings: [],
  };
  return outcomeOf(explained, explanations.length > 0 ? exit.finding : exit.fine, run);
}
