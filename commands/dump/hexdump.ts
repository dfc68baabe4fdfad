import { DemoHexdump } from '../../src/view/hexdump/demo-hexdump.ts';
import { exit } from '../lib/errors.ts';
import type { Opened } from '../lib/input/open.ts';
import type { Io } from '../lib/io.ts';
import type { OutputOptions, Ticks } from '../lib/options.ts';
import { outputStyle } from '../lib/output/output.ts';
import type { Stream } from '../lib/output/stream.ts';

/** `dump -t hexdump`: the bytes of a demo, annotated. */
export async function dumpBytes(
  { pieces }: Opened,
  options: OutputOptions & { ticks?: Ticks },
  stream: Stream,
  io: Io,
): Promise<number> {
  const view = new DemoHexdump(await outputStyle(options, io), options.ticks ?? { from: 0, to: Infinity });
  for await (const piece of pieces) await stream.write(view.feed(piece));
  await stream.write(view.finish());
  return view.hasErrors ? exit.unreadable : exit.fine;
}
