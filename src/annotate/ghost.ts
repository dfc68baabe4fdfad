import type { DemoFrame } from '../container/demo/reader.ts';
import { type GhostHeader, ghostHeaderBytes, ghostItemSize, ghostItems } from '../container/ghost/ghost.ts';
import { unwrap } from '../decode/encoding-layers.ts';
import { SpanList } from './annotate.ts';
import { adderTo } from './demo-header.ts';
import { describeValue } from './describe.ts';
import type { Span } from './span.ts';
import { valuesUpTo } from './values.ts';

/** The meaning of every byte of a ghost's header. */
export function annotateGhostHeader(header: GhostHeader): Span[] {
  const { version, owner, mapName, mapCrc, mapSha256, characters, time } = header;
  const spans: Span[] = [];
  const add = adderTo(spans);
  add(8, 'structure', 'magic', 'TWGHOST');
  add(1, 'structure', 'version', version);
  add(16, 'text', 'owner', owner);
  add(64, 'text', 'map_name', mapName);
  if (mapCrc === undefined) add(4, 'gap', 'unused', undefined);
  else add(4, 'number', 'map_crc', `0x${mapCrc.toString(16).padStart(8, '0')}`);
  add(4, 'number', 'characters', characters);
  add(4, 'time', 'time', time, `${time / 1000} s`);
  if (ghostHeaderBytes(version) > spans.at(-1)!.end) add(32, 'number', 'map_sha256', mapSha256);
  return spans;
}

/** The meaning of every byte of a chunk of a ghost, whose items after the first are differences. */
export function annotateGhostChunk({ bytes, start, end }: DemoFrame) {
  const layers = unwrap(bytes.slice(start, end), 'huffman');
  const [type, count] = [bytes[start - 4]!, bytes[start - 3]!];
  const size = ghostItemSize(type) ?? 0;
  const spans = new SpanList(layers);
  const { ints, length } = layers.ints;
  for (let i = 0; i < count && size > 0 && (i + 1) * size <= length; i++) {
    spans.item = i;
    const own = ints.subarray(i * size, (i + 1) * size);
    for (const value of valuesUpTo(ghostItems[type], size)) {
      spans.ints(value.ints, { label: value.label, ...describeValue(value, own, i > 0) });
    }
  }
  spans.item = undefined;
  return { bytes: layers.bytes, bits: layers.bits, spans: spans.finish() };
}
