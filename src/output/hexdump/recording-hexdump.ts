import type { DemoFrame } from '../../recording/container/demo/demo-reader.ts';
import { chunkHeadBytes, ghostCharacter, ghostItems, ghostProtocol } from '../../recording/container/ghost/ghost.ts';
import { annotateDemoHeader, annotateGhostChunk, annotateGhostHeader } from '../../recording/container/header-spans.ts';
import type {
  ChunkEntry,
  DiagnosticEntry,
  HeaderEntry,
  MessageEntry,
  PacketEntry,
  RecordFilter,
  RecordingEntry,
  SnapshotEntry,
} from '../../recording/replay/record.ts';
import { annotateContents, annotateMessage } from '../../wire/annotate/packet-spans.ts';
import { annotate } from '../../wire/annotate/payload-spans.ts';
import type { Span } from '../../wire/annotate/span.ts';
import type { Diagnostic } from '../../wire/bytes/diagnostic.ts';
import { readPacketContents } from '../../wire/packet/packet-contents.ts';
import { bytesWithoutSecrets, contentsWithoutSecrets, hasSecrets } from '../../wire/packet/secrets.ts';
import { unwrap } from '../../wire/payload/encoding-layers.ts';
import { type Payload, readPayload } from '../../wire/payload/payload.ts';
import { copyOf } from '../../wire/snapshot/builder.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { diagnosticLine } from '../phrases/diagnostic-messages.ts';
import { packetFinding, versionNote } from '../phrases/recording-phrases.ts';
import { count } from '../text/number.ts';
import { markOf } from '../text/theme.ts';
import { isSelected, type RowOptions, renderRows, type Source, type SpanTest } from './hexdump.ts';
import { packetHeader } from './packet-header.ts';

interface RecordingHexdumpOptions extends RowOptions {
  readonly filter: RecordFilter;
  readonly messages: boolean;
}

/** A chunk of a demo whose record has not been added yet. An unreadable chunk has no record. */
interface PendingChunk {
  readonly chunk: DemoFrame;
  readonly entry: ChunkEntry;
  readonly isShown: boolean;
  readonly diagnostics: Diagnostic[];
}

/** Said before bytes that are not those of the file. */
const hiddenNote = '  secrets are shown as bytes 2a, *: --show-secrets';

/** Prints the annotated bytes of a demo or of the packets of a capture, whose replay was opened with `parts`. */
export class RecordingHexdump {
  readonly #options: RecordingHexdumpOptions;
  #pending: PendingChunk | undefined;
  /** The packet whose records have not all been added yet. */
  #packet: PacketEntry | undefined;
  /** The last snapshot of the demo, used as the base of an unreadable delta. */
  #before: Snapshot | undefined;
  readonly #ghostTypes = new ItemTypes(ghostProtocol);
  #mapBytes = 0;
  #mapSize = 0;

  constructor(options: RecordingHexdumpOptions) {
    this.#options = options;
  }

  add(entry: RecordingEntry, isShown: boolean): string {
    return textOf(this.#lines(entry, isShown));
  }

  /** Returns the remaining lines when the records of all packets so far have been added. */
  flush(): string {
    return textOf(this.#endPacket());
  }

  finish(): string {
    return textOf([...this.#endPacket(), ...this.#endChunk()]);
  }

  #lines(entry: RecordingEntry, isShown: boolean): string[] {
    switch (entry.record) {
      case 'chunk':
        return [...this.#endChunk(), ...this.#chunk(entry, isShown)];
      case 'header':
        return this.#header(entry);
      case 'ghost': {
        const { bytes, start, end } = this.#releasePending()!.chunk;
        const header = bytes.subarray(start, end);
        return this.#options.filter.all ? this.#rows({ bytes: header, spans: annotateGhostHeader(entry.ghost) }) : [];
      }
      case 'snapshot':
        if (entry.stream.client === '') return this.#snapshot(entry);
        // The packet that contains a whole snapshot is printed with its delta relative to the base.
        return entry.frame === this.#packet?.frame && entry.parts === 1 ? this.#endPacket(entry.before) : [];
      case 'message':
        return this.#message(entry);
      case 'packet': {
        const lines = this.#endPacket();
        if (isShown) this.#packet = { ...entry, bytes: entry.bytes.slice() };
        return lines;
      }
      case 'diagnostic':
        return this.#diagnostic(entry);
      // Their bytes are those of a chunk or packet.
      case 'map':
      case 'tick':
      case 'block':
      case 'connection':
      case 'copy':
      case 'close':
      case 'drop':
      case 'server_info':
      case 'info_exchange':
      case 'handshake':
        return [];
      default:
        return entry satisfies never;
    }
  }

  #chunk(entry: ChunkEntry, isShown: boolean): string[] {
    const { chunk } = entry;
    switch (chunk.kind) {
      case 'header':
      case 'snapshot':
      case 'delta':
      case 'message':
        this.#pending = { chunk: { ...chunk }, entry, isShown, diagnostics: [] };
        return [];
      case 'map':
        this.#mapBytes += chunk.end - chunk.start;
        if (!this.#options.filter.all) return [];
        if (this.#options.verbose) return this.#valueRows(chunk, { role: 'unknown', label: 'map', value: undefined });
        return this.#mapBytes < this.#mapSize
          ? []
          : [this.#options.theme.dim(`       … the map, ${count(this.#mapBytes, 'byte')}`)];
      case 'ghost':
        return isShown ? this.#ghostChunk(chunk) : [];
      case 'tick':
        if (!isShown || !this.#options.filter.all) return [];
        return ['', ...this.#valueRows(chunk, tickSpan(chunk))];
      default:
        return isShown && this.#options.filter.all ? this.#chunkHead(chunk, 'unknown') : [];
    }
  }

  #ghostChunk(chunk: DemoFrame): string[] {
    if (!this.#options.filter.all && !this.#options.filter.item(this.#ghostTypes, ghostCharacter.type!, 0)) return [];
    const { bytes, bits, spans } = annotateGhostChunk(chunk);
    const source = { bytes, spans, bits: Array.from(bits!, (bit) => bit + 8 * chunk.dataOffset) };
    const { start } = chunk;
    const name = ghostItems[chunk.bytes[start - chunkHeadBytes]!]?.name ?? 'unknown type';
    const head = `${name} × ${chunk.bytes[start - chunkHeadBytes + 1]}`;
    return [...this.#chunkHead(chunk, head), ...renderRows(source, this.#options)];
  }

  #valueRows({ bytes, start, end, offset }: DemoFrame, span: Omit<Span, 'start' | 'end'>): string[] {
    const spans = [{ start: 0, end: end - start, ...span }];
    return this.#rows({ bytes: bytes.subarray(start, end), spans, address: offset });
  }

  #header({ header }: HeaderEntry): string[] {
    const pending = this.#releasePending();
    this.#mapSize = header.chunksStart - header.mapStart;
    if (!pending || !this.#options.filter.all) return [];
    const { bytes: all, start, end } = pending.chunk;
    const bytes = all.subarray(start, end);
    return this.#rows({ bytes, spans: annotateDemoHeader(header, bytes) });
  }

  #snapshot(entry: SnapshotEntry): string[] {
    const pending = this.#releasePending();
    if (!pending) return [];
    const { payload, payloadKind, encoding, before, stream, snapshot } = entry;
    this.#before = snapshot && copyOf(snapshot);
    if (!pending.isShown) return [];
    const base = payloadKind === 'delta' ? before : undefined;
    const read = readPayload(unwrap(payload!.slice(), encoding), payloadKind, stream.protocol, base);
    return this.#payloadLines(read, pending);
  }

  /** Prints the previous chunk if no record followed it, which means that it cannot be read completely. */
  #endChunk(): string[] {
    const pending = this.#releasePending();
    if (!pending?.isShown) return [];
    const { chunk, entry } = pending;
    if (chunk.kind === 'message') {
      if (!this.#options.filter.all) return [];
      return [...this.#chunkHead(chunk, 'message'), ...this.#marks(pending.diagnostics, '  ')];
    }
    if (chunk.kind !== 'snapshot' && chunk.kind !== 'delta') return this.#marks(pending.diagnostics, '');
    const layers = unwrap(chunk.bytes.slice(chunk.start, chunk.end), 'huffman');
    const base = chunk.kind === 'delta' ? this.#before : undefined;
    return this.#payloadLines(readPayload(layers, chunk.kind, entry.stream.protocol, base), pending);
  }

  #payloadLines(payload: Payload, { chunk, diagnostics }: PendingChunk): string[] {
    const { bytes, bits } = payload.layers;
    const source = { bytes, spans: annotate(payload), bits: Array.from(bits!, (bit) => bit + 8 * chunk.dataOffset) };
    const rows = this.#rows(source, isSelected(payload, this.#options.filter));
    const marks = this.#marks(diagnostics, '  ');
    return rows.length + marks.length > 0 ? [...this.#chunkHead(chunk, chunk.kind), ...rows, ...marks] : [];
  }

  #message(entry: MessageEntry): string[] {
    const pending = this.#releasePending();
    const { filter, messages } = this.#options;
    if (!pending?.isShown || !messages || !filter.message(entry.head.type?.name, entry.head.uuid)) return [];
    return this.#messageLines(entry, pending);
  }

  /**
   * Demos store the bytes of a message as ints, which are packed and compressed; so the bit of each byte is found by
   * its int.
   */
  #messageLines({ stream, message, bytes, certainty }: MessageEntry, { chunk, diagnostics }: PendingChunk): string[] {
    const { ints, bits } = unwrap(chunk.bytes.slice(chunk.start, chunk.end), 'huffman');
    const spans = annotateMessage({ message, delta: undefined, isCut: false, isContinued: false });
    const bitOf = (_: unknown, at: number) => bits![ints.offsets![at >> 2]!]! + 8 * chunk.dataOffset;
    const shown = stream.hidesSecrets ? bytesWithoutSecrets([message], bytes) : bytes.slice();
    const source = { bytes: shown, spans, bits: Array.from({ length: bytes.length + 1 }, bitOf) };
    const note = versionNote(message, certainty);
    const isHidden = stream.hidesSecrets && hasSecrets(message);
    return [
      ...this.#chunkHead(chunk, note ? `message (${note})` : 'message'),
      ...(isHidden ? [this.#options.theme.dim(hiddenNote)] : []),
      ...this.#rows(source),
      ...this.#marks(diagnostics, '  '),
    ];
  }

  #endPacket(base?: Snapshot): string[] {
    const entry = this.#packet;
    this.#packet = undefined;
    if (!entry?.stream || !entry.packet || !entry.direction) return [];
    const { filter, theme, width } = this.#options;
    const { bytes, stream, direction, frame } = entry;
    const read = readPacketContents(bytes, stream.protocol, { base });
    const contents = stream.hidesSecrets ? contentsWithoutSecrets(read) : read;
    const arrow = direction === 'to_client' ? '<-' : '->';
    const head = packetHeader(contents, `#${frame} ${stream.client} ${arrow} ${stream.server}`, { theme, width });
    const { layers } = contents;
    const source = { bytes: layers.bytes, bits: layers.bits, spans: annotateContents(contents) };
    const rows = this.#rows(source, isSelected(contents, filter, this.#options.messages));
    const note = contents === read ? [] : [theme.dim(hiddenNote)];
    return rows.length > 0 || filter.all ? ['', head, ...note, ...rows] : [];
  }

  #diagnostic(entry: DiagnosticEntry): string[] {
    const { diagnostic, direction } = entry;
    if (direction !== undefined)
      return [...this.#endPacket(), `${markOf(diagnostic.severity, this.#options.theme)} ${packetFinding(entry)}`];
    if (!this.#pending) return this.#marks([diagnostic], '');
    this.#pending.diagnostics.push(diagnostic);
    return [];
  }

  #marks(diagnostics: readonly Diagnostic[], indent: string): string[] {
    const { theme } = this.#options;
    return diagnostics.map(
      (diagnostic) => `${indent}${markOf(diagnostic.severity, theme)} ${diagnosticLine(diagnostic)}`,
    );
  }

  #releasePending(): PendingChunk | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    return pending;
  }

  #chunkHead({ bytes, start, end, offset, dataOffset }: DemoFrame, kind: string): string[] {
    const size = dataOffset - offset;
    const symbol = count(end - start, 'byte');
    const span: Span = { start: 0, end: size, role: 'structure', label: 'chunk', value: kind, symbol };
    return this.#rows({ bytes: bytes.subarray(start - size, start), spans: [span], address: offset });
  }

  #rows(source: Source, isShown?: SpanTest): string[] {
    return renderRows(source, this.#options, this.#options.filter.all ? undefined : isShown);
  }
}

const tickSpan = ({ tick, keyframe }: DemoFrame) =>
  ({ role: 'time', label: 'tick', value: tick, ...(keyframe ? { symbol: 'keyframe' } : {}) }) as const;

const textOf = (lines: readonly string[]) => (lines.length > 0 ? `${lines.join('\n')}\n` : '');
