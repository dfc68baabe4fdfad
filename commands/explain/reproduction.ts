import { layersOfInts } from '../../src/decode/encoding-layers.ts';
import { readPayload } from '../../src/decode/payload.ts';
import { type Reproduction, reproductionOf } from '../../src/explain/reproduction.ts';
import type { Explained } from '../../src/view/explain/explanations.ts';
import { renderReadme } from '../../src/view/explain/readme.ts';
import { payloadJson, renderJson } from '../../src/view/json/json.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { OutputError } from '../lib/errors.ts';
import type { Io } from '../lib/io.ts';
import { printProblem } from '../lib/note.ts';
import { print } from '../lib/output/output.ts';

/** Writes a reproduction of the first explanation to a folder: base, delta and README. */
export async function writeReproduction(explained: Explained, folder: string, io: Io): Promise<void> {
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
