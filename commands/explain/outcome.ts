import { layersOfInts } from '../../src/decode/encoding-layers.ts';
import { readPayload } from '../../src/decode/payload.ts';
import { type Reproduction, reproductionOf } from '../../src/explain/reproduction.ts';
import type { FileCheck } from '../../src/view/ci/reports.ts';
import { type Explained, explainedCheck, renderExplained, renderReadme } from '../../src/view/explain/explanations.ts';
import { explainedJson } from '../../src/view/json/explain-json.ts';
import { payloadJson, renderJson } from '../../src/view/json/json.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { OutputError } from '../lib/errors.ts';
import type { Io } from '../lib/io.ts';
import { printProblem } from '../lib/note.ts';
import {
  annotations,
  anyInput,
  color,
  common,
  expectedChecksum,
  flag,
  type Given,
  text,
  to,
  width,
} from '../lib/options.ts';
import { print } from '../lib/output/output.ts';
import type { Run } from '../lib/run/files.ts';

export const definition = {
  arguments: {
    '[file...]': "captures, demos, folders, client logs; or a base and a delta; '-' or nothing for standard input",
  },
  options: {
    expect: expectedChecksum('the checksum that was announced for the result of base and delta'),
    ...anyInput,
    include: common.include,
    to: to(['table', 'json', 'ndjson', 'junit']),
    output: text('-o, --output <dir>', 'a folder for a minimal reproduction: base, delta and README', {
      group: 'output',
    }),
    color,
    width,
    verbose: flag('-v, --verbose', 'show all failures and all tested hypotheses', { group: 'output' }),
    annotations,
    jobs: common.jobs,
  },
  help: `
Names the cause of each failure with the item, the evidence, and the code that
the author of the server should check. A cause is accepted only if it explains
all consecutive failures and is unlikely to fit by chance.

Exit status: 0 nothing to explain, 1 failures, explained or not, 3 unreadable input.

Examples:
  tw-snap explain server.pcap
  tw-snap explain faulty.pcap -o case
  tw-snap explain base.snap next.delta --expect 333080975
  tw-snap explain client.log`,
};

/** `output` is a folder. */
export type ExplainOptions = Given<(typeof definition)['options']>;

/** What is known of an input when it was explained. */
export interface Outcome {
  readonly status: number;
  readonly text: string;
  readonly json: object;
  readonly check: Omit<FileCheck, 'status'>;
}

/** Renders what was explained, and writes its reproduction if a folder is named. */
export async function outcomeOf(
  explained: Explained,
  status: number,
  { options, printing, io }: Run<ExplainOptions>,
): Promise<Outcome> {
  if (options.output !== undefined) await writeReproduction(explained, options.output, io);
  return {
    status,
    text: printing.fit(renderExplained(explained, printing)),
    json: explainedJson(explained),
    check: explainedCheck(explained),
  };
}

/** Writes a reproduction of the first explanation to a folder: base, delta and README. */
async function writeReproduction(explained: Explained, folder: string, io: Io): Promise<void> {
  const [explanation] = explained.explanations;
  const reproduction = explanation && reproductionOf(explanation);
  if (!reproduction) {
    await printProblem(`${escapeText(explained.file)}: no failure to reproduce, nothing written`, io);
    return;
  }
  try {
    await io.makeFolder(folder);
  } catch (error) {
    throw new OutputError(folder, error);
  }
  const files = { ...filesOf(reproduction), README: renderReadme(explanation, reproduction) };
  for (const [name, data] of Object.entries(files)) await print(data, { output: `${folder}/${name}`, io });
}

function filesOf({ protocol, base, delta, payload }: Reproduction): Record<string, string | Uint8Array> {
  const baseJson = payloadJson(readPayload(layersOfInts(base.toInts()), 'snapshot', protocol));
  const files = { 'base.json': renderJson(baseJson) };
  const read = delta && readPayload(layersOfInts(delta.ints.slice(0, delta.length)), 'delta', protocol, base);
  // JSON contains items, so a delta that ends inside an item is kept as bytes.
  if (!read || read.diagnostics.error) return { ...files, 'delta.packed': payload };
  return { ...files, 'delta.json': renderJson(payloadJson(read)) };
}
