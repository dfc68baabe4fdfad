import { describeValue } from '../../wire/annotate/describe.ts';
import { valuesUpTo } from '../../wire/annotate/field-values.ts';
import { SpanList } from '../../wire/annotate/payload-spans.ts';
import type { Role, Span } from '../../wire/annotate/span.ts';
import { unwrap } from '../../wire/payload/encoding-layers.ts';
import type { DemoFrame } from './demo/demo-reader.ts';
import type { DemoHeader } from './demo/header.ts';
import { type GhostHeader, ghostHeaderBytes, ghostItemSize, ghostItems } from './ghost/ghost.ts';

/** The meaning of every byte of a demo's header, at the positions of {@link readDemoHeader}. */
export function annotateDemoHeader(header: DemoHeader, bytes: Uint8Array): Span[] {
  const spans: Span[] = [];
  const add = adderTo(spans);
  const crc = `0x${header.mapCrc.toString(16).padStart(8, '0')}`;
  add(7, 'structure', 'magic', 'TWDEMO');
  add(1, 'structure', 'version', header.version);
  add(64, 'text', 'net_version', header.netVersion);
  add(64, 'text', 'map_name', header.mapName);
  add(4, 'number', 'map_size', header.mapSize);
  add(4, 'number', 'map_crc', crc);
  add(8, 'text', 'type', header.type);
  add(4, 'time', 'length', header.length, `${header.length} s`);
  add(20, 'text', 'timestamp', header.timestamp);
  if (header.version >= 4) {
    add(4, 'number', 'num_markers', new DataView(bytes.buffer, bytes.byteOffset).getInt32(176));
    for (const [i, tick] of header.markers.entries()) add(4, 'time', `marker[${i}]`, tick);
    const unused = 180 + 256 - spans.at(-1)!.end;
    if (unused > 0) add(unused, 'gap', 'unused', undefined);
  }
  if (header.sha256 !== undefined) {
    add(16, 'identity', 'uuid', 'sha256 of the map');
    add(32, 'number', 'sha256', header.sha256);
  }
  return spans;
}

function adderTo(spans: Span[]) {
  return (size: number, role: Role, label: string, value: Span['value'], symbol?: string) => {
    const start = spans.at(-1)?.end ?? 0;
    spans.push({ start, end: start + size, role, label, value, symbol });
  };
}

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
  const type = bytes[start - 4]!;
  const count = bytes[start - 3]!;
  const size = ghostItemSize(type) ?? 0;
  const spans = new SpanList(layers);
  const { ints, length } = layers.ints;
  for (let i = 0; i < count && size > 0 && (i + 1) * size <= length; i++) {
    spans.item = i;
    const own = ints.subarray(i * size, (i + 1) * size);
    for (const value of valuesUpTo(ghostItems[type], size)) {
      spans.ints(value.ints, value.label, describeValue(value, own, i > 0));
    }
  }
  spans.item = undefined;
  return { bytes: layers.bytes, bits: layers.bits, spans: spans.finish() };
}
