import { DemoHexdump } from '../src/view/demo-hexdump.ts';
import { exit } from './errors.ts';
import type { Io } from './io.ts';
import type { Opened } from './open.ts';
import type { OutputOptions, Ticks } from './options.ts';
import { look } from './output.ts';
import type { Stream } from './stream.ts';

/** `dump -t hexdump`: the bytes of a demo, annotated. */
export async function dumpBytes(
  { pieces }: Opened,
  options: OutputOptions & { ticks?: Ticks },
  stream: Stream,
  io: Io,
): Promise<number> {
  const view = new DemoHexdump(await look(options, io), options.ticks ?? { from: 0, to: Infinity });
  for await (const piece of pieces) await stream.write(view.feed(piece));
  await stream.write(view.finish());
  return view.hasErrors ? exit.unreadable : exit.fine;
}
