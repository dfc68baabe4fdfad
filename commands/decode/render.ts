import { annotate } from '../../src/annotate/annotate.ts';
import { renderHexdump } from '../../src/view/hexdump/hexdump.ts';
import { payloadJson, renderJson } from '../../src/view/json/json.ts';
import type { Loaded } from '../lib/input/load.ts';
import type { LoadedPacket } from '../lib/input/load-packet.ts';
import type { Io } from '../lib/io.ts';
import type { OutputOptions } from '../lib/options.ts';
import { outputStyle } from '../lib/output/output.ts';

/** A snapshot, delta, packet or message in the format of `--to`. */
export async function render(loaded: Loaded | LoadedPacket, options: OutputOptions, io: Io): Promise<string> {
  if ('contents' in loaded) return (await import('./packet.ts')).renderPacket(loaded, options, io);
  const { payload, name } = loaded;
  if (options.to === 'json') return renderJson(payloadJson(payload));
  const how = { name, ...(await outputStyle(options, io)) };
  const spans = annotate(payload);
  if (options.to === 'hexdump') return how.fit(renderHexdump(payload, spans, how));
  const { renderTable } = await import('../../src/view/table/table.ts');
  return how.fit(renderTable(payload, how));
}
