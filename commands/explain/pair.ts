import { encode } from '../../src/decode/encode.ts';
import { explainDelta } from '../../src/explain/explanation.ts';
import type { Delta } from '../../src/snapshot/delta.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { explainedCheck } from '../../src/view/explain/explained-check.ts';
import { type Explained, renderExplained } from '../../src/view/explain/explanations.ts';
import { explainedJson } from '../../src/view/json/explain-json.ts';
import { shellWord } from '../../src/view/text/shell-word.ts';
import { exit, inputError } from '../lib/errors.ts';
import { inputOfBase, load, readSnapshot } from '../lib/input/load.ts';
import { inputOf } from '../lib/input/settings.ts';
import type { Io } from '../lib/io.ts';
import { outputStyle } from '../lib/output/output.ts';
import type { ExplainOptions, Outcome } from './context.ts';
import { writeReproduction } from './reproduction.ts';

/** Explains why a delta and its base do not result in the announced checksum. */
export async function explainPair(base: string, delta: string, options: ExplainOptions, io: Io): Promise<Outcome> {
  const input = await inputOf(options, io);
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
  if (options.output !== undefined) await writeReproduction(explained, options.output, io);
  const style = await outputStyle({ ...options, output: '-' }, io);
  return {
    status: explanations.length > 0 ? exit.finding : exit.fine,
    text: style.fit(renderExplained(explained, style)),
    json: explainedJson(explained),
    check: explainedCheck(explained),
  };
}
