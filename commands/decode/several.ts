import { escapeText } from '../../src/view/text/escape.ts';
import { exit } from '../lib/errors.ts';
import { concludeDiagnostics, withUncertainty } from '../lib/input/describe-input.ts';
import type { Loaded, LoadedText } from '../lib/input/load.ts';
import type { Io } from '../lib/io.ts';
import { printNote } from '../lib/note.ts';
import type { InputOptions, OutputOptions } from '../lib/options.ts';
import { Stream } from '../lib/output/stream.ts';
import { render } from './render.ts';

/** Decodes all packets of a text, one after another; as JSON they are one array. */
export async function decodeSeveral(
  name: string,
  { form, items }: LoadedText,
  options: InputOptions & OutputOptions,
  io: Io,
  base: Pick<Loaded, 'uncertainty'> | undefined,
): Promise<number> {
  await printNote(`${escapeText(name)}: ${items.length} packets from text (${form}); --nth N shows one alone`, io);
  const isJson = options.to === 'json';
  const stream = new Stream(options, io);
  let status = withUncertainty(exit.fine, base);
  for (const [i, read] of items.entries()) {
    const loaded = await read();
    await stream.write(isJson ? (i === 0 ? '[' : ',\n') : i === 0 ? '' : '\n');
    const text = await render(loaded, options, io);
    await stream.write(isJson ? text.trimEnd() : text);
    const { diagnostics } = 'contents' in loaded ? loaded.contents : loaded.payload;
    status = Math.max(status, await concludeDiagnostics(loaded.name, diagnostics, options, io));
  }
  if (isJson) await stream.write(']\n');
  await stream.end(status);
  return status;
}
