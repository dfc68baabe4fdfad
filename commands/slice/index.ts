import { rangeIn } from '../lib/input/chosen.ts';
import { open } from '../lib/input/opened.ts';
import { usageError } from '../lib/options/errors.ts';
import { compiledOf } from '../lib/options/selection.ts';
import type { Io } from '../lib/platform/io.ts';
import { DemoWork } from '../lib/run/demo-output.ts';
import type { Options } from './definition.ts';

export { definition } from './definition.ts';

export async function run([path]: readonly string[], given: Options, io: Io): Promise<number> {
  const work = await DemoWork.of(given, io);
  const { around, where, frames } = given;
  const named = await open(path, work);
  const range = given.ticks ?? rangeIn(named);
  const chosen = [range, around, where, frames].filter((option) => option !== undefined);
  const query = where && compiledOf(where, work.schema);
  if (named.format?.hasBlocks) {
    if (chosen.length > 1 || (chosen.length === 0 && given.client === undefined))
      throw usageError(`choose what to cut out: ${forms}, --frames A..B or --client WHO`);
    const { sliceCapture } = await import('./capture.ts');
    return sliceCapture(named, { range, query }, given, work);
  }
  const ofCaptures = { '--frames': frames, '--client': given.client, '--self-contained': given.selfContained };
  const [forCaptures] = Object.entries(ofCaptures).find(([, value]) => value !== undefined) ?? [];
  if (forCaptures && named.format) throw usageError(`${named.name}: ${forCaptures} is for captures`);
  if (chosen.length !== 1) throw usageError(`choose what to cut out: ${forms}`);
  const { sliceDemo } = await import('./demo.ts');
  return sliceDemo(named, { range, query }, given, work);
}

const forms = 'FILE@A..B, --ticks A..B, --around WHAT, --where QUERY';
