import { otherSizeOf } from '../../../src/input/source/other-sizes.ts';
import { recognise } from '../../../src/input/source/recognise-payload.ts';
import { reading } from '../../../src/output/hexdump/hexdump.ts';
import { pathText } from '../../../src/output/text/escape.ts';
import type { Payload } from '../../../src/wire/payload/payload.ts';
import { protocolOf, type Schema } from '../../../src/wire/protocol/registry.ts';
import { printProblem } from '../platform/note.ts';
import type { Input, Loaded } from './inputs.ts';

/** Prints how a payload with a flaw may have been meant. */
export async function printHints(loaded: Loaded, { schema, io }: Input): Promise<void> {
  const print = (text: string) => printProblem(`${pathText(loaded.name)}: ${text}`, io);
  const better = betterReading(loaded, schema);
  if (better) await print(`looks more like ${reading(better)}`);

  const other = otherSizeOf(loaded.payload);
  if (!other) return;
  const { item, ints, own } = other;
  await print(`read with ${ints} ints in ${item} it is whole: some documents have this size, the game ${own}`);
}

/** A reading as another snapshot or delta without a flaw; undefined if there is none. */
function betterReading({ payload, input }: Loaded, schema: Schema): Payload | undefined {
  if (!input || input.text !== undefined) return undefined;
  const other = recognise(input.bytes, {}, (version) => protocolOf(version, schema));
  return other.isFlawless && reading(other.payload) !== reading(payload) ? other.payload : undefined;
}
