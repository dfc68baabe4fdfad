import { annotate } from '../../annotate/annotate.ts';
import { annotateDemoHeader } from '../../annotate/demo-header.ts';
import { annotateMessage } from '../../annotate/message.ts';
import type { Span } from '../../annotate/span.ts';
import { ByteBuffer } from '../../bytes/buffers.ts';
import { writeInts } from '../../codec/int32.ts';
import type { DemoHeader } from '../../container/demo/header.ts';
import { type DemoFrame, DemoReader } from '../../container/demo/reader.ts';
import { type EncodingLayers, unwrap } from '../../decode/encoding-layers.ts';
import { type Payload, readPayload } from '../../decode/payload.ts';
import { readMessage } from '../../packet/message.ts';
import { type Protocol, protocolOf } from '../../protocol/registry.ts';
import { Snapshot } from '../../snapshot/snapshot.ts';
import { diagnosticLine } from '../text/diagnostic-messages.ts';
import { count } from '../text/number.ts';
import { type RowOptions, renderRows, type Source } from './rows.ts';

/** What is shown of a demo. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The bytes of a demo itself: header, tick markers, and each chunk with its head and what it holds after decompression. */
export class DemoHexdump {
  readonly #reader = new DemoReader();
  readonly #options: RowOptions;
  readonly #range: Range;
  #protocol: Protocol = protocolOf('0.6');
  #before: Snapshot | undefined;
  #mapBytes = 0;
  /** Whether the demo is damaged. */
  hasErrors = false;

  constructor(options: RowOptions, range: Range) {
    this.#options = options;
    this.#range = range;
  }

  feed(piece: Uint8Array): string {
    return this.#lines(this.#reader.feed(piece));
  }

  finish(): string {
    return this.#lines(this.#reader.finish());
  }

  #lines(frames: Iterable<DemoFrame>): string {
    const lines: string[] = [];
    for (const frame of frames) for (const line of this.#frame(frame)) lines.push(line);
    return lines.length > 0 ? `${lines.join('\n')}\n` : '';
  }

  #frame(frame: DemoFrame): string[] {
    const { theme } = this.#options;
    const isShown = frame.tick < 0 || (frame.tick >= this.#range.from && frame.tick <= this.#range.to);
    switch (frame.kind) {
      case 'header':
        return this.#header(this.#reader.header!, frame);
      case 'map':
        this.#mapBytes += frame.end - frame.start;
        if (this.#mapBytes < this.#reader.header!.mapSize) return [];
        return [theme.dim(`       … the map, ${count(this.#mapBytes, 'byte')}`)];
      case 'tick':
        return isShown ? ['', ...this.#tick(frame)] : [];
      case 'trouble': {
        const mark = frame.severity === 'error' ? theme.error('✗') : theme.warning('!');
        const { severity, code, offset, args } = frame;
        if (severity === 'error') this.hasErrors = true;
        return [`${mark} ${diagnosticLine({ severity, code, offset, args })}`];
      }
      case 'unknown':
        return isShown ? this.#head(frame, 'unknown') : [];
      default:
        return this.#chunk(frame, frame.kind, isShown);
    }
  }

  #header(header: DemoHeader, { bytes, start, end }: DemoFrame): string[] {
    this.#protocol = protocolOf(header.netVersion.startsWith('0.7') ? '0.7' : '0.6');
    const own = bytes.subarray(start, end);
    return this.#rows({ bytes: own, spans: annotateDemoHeader(header, own) });
  }

  #tick({ bytes, start, end, offset, tick, keyframe }: DemoFrame): string[] {
    const words = keyframe ? { symbol: 'keyframe' } : {};
    const span: Span = { start: 0, end: end - start, role: 'time', label: 'tick', value: tick, ...words };
    return this.#rows({ bytes: bytes.subarray(start, end), spans: [span], address: offset });
  }

  #chunk(frame: DemoFrame, kind: 'snapshot' | 'delta' | 'message', isShown: boolean): string[] {
    const layers = unwrap(frame.bytes.slice(frame.start, frame.end), 'huffman');
    const payload = kind === 'message' ? undefined : this.#payload(layers, kind, frame.dataOffset);
    if (!isShown) return [];
    const content = payload ? this.#payloadSource(payload, frame) : this.#messageSource(layers, frame);
    const findings = (payload ?? layers).findings.all.map((finding) => {
      const mark = finding.severity === 'error' ? this.#options.theme.error('✗') : this.#options.theme.warning('!');
      return `  ${mark} ${diagnosticLine({ ...finding, offset: finding.offset + frame.dataOffset })}`;
    });
    return [...this.#head(frame, kind), ...this.#rows(content), ...findings];
  }

  #payload(layers: EncodingLayers, kind: 'snapshot' | 'delta', dataOffset: number): Payload {
    const payload = readPayload(layers, kind, this.#protocol, kind === 'delta' ? this.#before : undefined);
    const { findings, result } = payload;
    const { error } = findings;
    if (error) this.hasErrors = true;
    if (error) this.#reader.doubt({ ...error, offset: error.offset + dataOffset });
    else if (payload.body instanceof Snapshot) this.#before = payload.body;
    else this.#before = result;
    return payload;
  }

  #head({ bytes, start, end, offset, dataOffset }: DemoFrame, kind: string): string[] {
    const size = dataOffset - offset;
    const head = bytes.subarray(start - size, start);
    const span: Span = {
      start: 0,
      end: size,
      role: 'structure',
      label: 'chunk',
      value: kind,
      symbol: count(end - start, 'byte'),
    };
    return this.#rows({ bytes: head, spans: [span], address: offset });
  }

  #payloadSource(payload: Payload, { dataOffset }: DemoFrame): Source {
    const { bytes, bits } = payload.layers;
    return { bytes, spans: annotate(payload), bits: Array.from(bits!, (bit) => bit + 8 * dataOffset) };
  }

  /** A message is packed twice: its bytes are ints, that were packed and compressed. */
  #messageSource({ ints, bits }: EncodingLayers, { dataOffset }: DemoFrame): Source {
    const out = new ByteBuffer();
    writeInts(ints.ints, 0, ints.length, out);
    const bytes = out.bytes.subarray(0, out.length);
    const message = readMessage(bytes, 0, bytes.length, this.#protocol.version, { padded: true });
    const spans = annotateMessage({ message, delta: undefined, isCut: false, isContinued: false });
    const bitOf = (_: unknown, at: number) => bits![ints.offsets![at >> 2]!]! + 8 * dataOffset;
    return { bytes, spans, bits: Array.from({ length: bytes.length + 1 }, bitOf) };
  }

  #rows(source: Source): string[] {
    return source.bytes.length > 0 ? renderRows(source, this.#options) : [];
  }
}
