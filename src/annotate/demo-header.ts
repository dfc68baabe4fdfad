import type { DemoHeader } from '../container/demo/header.ts';
import type { Role, Span } from './span.ts';

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

/** Returns a function that adds the span after the last one. */
export function adderTo(spans: Span[]) {
  return (size: number, role: Role, label: string, value: Span['value'], symbol?: string) => {
    const start = spans.at(-1)?.end ?? 0;
    spans.push({ start, end: start + size, role, label, value, ...(symbol === undefined ? {} : { symbol }) });
  };
}
