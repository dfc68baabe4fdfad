import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recognise } from '../../src/input/source/recognise-payload.ts';
import { CaptureReader } from '../../src/recording/container/capture/capture-reader.ts';
import { DemoReplay } from '../../src/recording/demo/demo-replay.ts';
import { ignore } from '../../src/wire/bytes/diagnostic.ts';
import { type PacketVersion, readPartOfPacket } from '../../src/wire/packet/packet.ts';
import { fitPacket } from '../../src/wire/packet/version.ts';
import { unwrap } from '../../src/wire/payload/encoding-layers.ts';
import { type Kind, readPayload } from '../../src/wire/payload/payload.ts';
import { type Protocol, protocolOf } from '../../src/wire/protocol/registry.ts';
import { copyOf } from '../../src/wire/snapshot/builder.ts';
import { Delta } from '../../src/wire/snapshot/delta.ts';
import type { Snapshot } from '../../src/wire/snapshot/snapshot.ts';
import type { Conversation, Datagram } from './make/capture.ts';
import { type Demo, partsOf, stretches } from './make/demo.ts';
import type { Material as Packets, RecordedPacket } from './make/packet.ts';
import type { Content } from './make/payload.ts';

/** The parts of recordings from which inputs are made. */
export interface Material extends Packets {
  readonly demos: readonly Demo[];
  readonly conversations: readonly Conversation[];
  readonly jsons: readonly string[];
  readonly schemas: readonly string[];
  /** Whether the recordings beside the repository are included; without them the inputs differ. */
  readonly hasCorpus: boolean;
}

/** Larger payloads slow the fuzzer down without further benefit. */
const maxInts = 700;
const maxFileBytes = 500_000;

/** Collects the samples, and the recordings beside the repository if they exist. */
export function collect(root: string): Material {
  const corpus = join(root, '../shared/corpus');
  const hasCorpus = existsSync(corpus);
  const paths = [join(root, 'samples'), ...(hasCorpus ? [corpus] : [])].flatMap((folder) =>
    readdirSync(folder)
      .sort()
      .map((name) => join(folder, name)),
  );
  const read = (end: RegExp) => paths.filter((path) => end.test(path)).map(beginOf);
  const text = (end: RegExp) => read(end).map((bytes) => new TextDecoder().decode(bytes));
  const demos = read(/\.demo$/);
  const captures = read(/\.pcap$/).map(packetsOf);
  const packets = captures.flatMap((all) => [...all.slice(0, 60), ...all.filter((_, i) => i % 53 === 0)]);
  const contents = [...read(/\.(huff|packed|ints)$/).flatMap(contentOf), ...demos.flatMap(contentsOf)];
  return {
    contents: bySize(contents, ({ items, base }) => sizeOf(items) + (base?.count ?? 0) / 4).filter(
      ({ items }) => sizeOf(items) < maxInts,
    ),
    packets,
    messages: packets.flatMap(messagesOf),
    demos: bySize(
      demos.map(partsOf).flatMap((demo) => stretches(demo, 16, 3)),
      ({ chunks }) => chunks.reduce((sum, { data }) => sum + data.length, 0),
    ),
    conversations: captures
      .flatMap((all) => [all.slice(0, 60), all.slice(100, 140), all.slice(300, 340)])
      .filter(({ length }) => length > 0),
    jsons: text(/(?:huff|packed|ints|hex)\.json$/).filter(({ length }) => length < 7000),
    schemas: text(/mod-schema\.json$/),
    hasCorpus,
  };
}

const sizeOf = (items: Content['items']) => items.reduce((sum, { data }) => sum + 2 + data.length, 0);

/** The smallest come first, since they are chosen more often. */
const bySize = <T>(list: readonly T[], size: (entry: T) => number) => list.toSorted((a, b) => size(a) - size(b));

const beginOf = (path: string) => new Uint8Array(readFileSync(path)).slice(0, maxFileBytes);

function contentOf(bytes: Uint8Array): Content[] {
  const { payload } = recognise(bytes, {}, protocolOf);
  return [toContent(payload.body, payload.kind, payload.types.protocol)];
}

/** Some recorded snapshots and deltas of a demo. */
function contentsOf(demo: Uint8Array): Content[] {
  const replay = new DemoReplay();
  const contents: Content[] = [];
  let at = 0;
  for (const record of replay.feed(demo)) {
    if (record.record !== 'snapshot' || (record.kind === 'delta' && at++ % 37 > 0)) continue;
    const base = record.kind === 'delta' && record.before ? copyOf(record.before) : undefined;
    const { body } = readPayload(unwrap(record.payload!.slice(), 'huffman'), record.payloadKind, replay.protocol, base);
    contents.push(toContent(body, record.payloadKind, replay.protocol, base));
    if (contents.length > 40) break;
  }
  return contents;
}

function toContent(body: Snapshot | Delta, kind: Kind, { version }: Protocol, base?: Snapshot): Content {
  const items = Array.from({ length: body.count }, (_, i) => ({
    type: body.type(i),
    id: body.id(i),
    data: [...body.item(i)],
  }));
  const removed = body instanceof Delta ? Array.from({ length: body.removedCount }, (_, i) => body.removedKey(i)) : [];
  return { kind, version, removed, items, base };
}

function packetsOf(capture: Uint8Array): Datagram[] {
  const found: Datagram[] = [];
  for (const { kind, bytes, start, end, sourcePort, destinationPort, seconds, nanoseconds } of new CaptureReader().feed(
    capture,
  )) {
    if (kind !== 'datagram') continue;
    const time = 1e6 * seconds + Math.floor(nanoseconds / 1000);
    found.push({ bytes: bytes.slice(start, end), version: '0.6', toServer: sourcePort > destinationPort, time });
  }
  const version = versionOf(found);
  return found.map((datagram) => ({ ...datagram, version }));
}

/** The version in which more packets are valid. */
function versionOf(packets: readonly RecordedPacket[]): PacketVersion {
  const fits = packets.slice(0, 200).map(({ bytes }) => fitPacket(bytes)[0].version);
  return fits.filter((version) => version === '0.7').length > fits.length / 2 ? '0.7' : '0.6';
}

function messagesOf({ bytes, version }: RecordedPacket): RecordedPacket[] {
  const { packet } = readPartOfPacket(bytes, version, ignore);
  return (packet?.chunks ?? []).map(({ start, end }) => ({ version, bytes: packet!.payload.slice(start, end) }));
}
