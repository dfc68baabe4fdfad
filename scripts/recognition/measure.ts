import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatOf } from '../../src/recording/all-formats.ts';
import type { RecordingEntry, SnapshotEntry } from '../../src/recording/replay/record.ts';
import { ByteBuffer } from '../../src/wire/bytes/buffers.ts';
import { compress } from '../../src/wire/codec/huffman.ts';
import { writeInts } from '../../src/wire/codec/int32.ts';
import { packInts } from '../../src/wire/codec/varint.ts';
import { controlsOf } from '../../src/wire/packet/packet.ts';
import { readPacketContents } from '../../src/wire/packet/packet-contents.ts';
import { unwrap } from '../../src/wire/payload/encoding-layers.ts';
import { readPayload } from '../../src/wire/payload/payload.ts';
import { protocolOf, type Version } from '../../src/wire/protocol/registry.ts';
import { flippedBit, type Main, mulberry32, said } from './judged.ts';

/** A payload of a recording, and what it is. */
interface Sample {
  readonly bytes: Uint8Array;
  /** As the command line says it: `packed · delta · 0.6`, `message · 0.7`. */
  readonly reading: string;
  /** The row of the table. */
  readonly row: string;
  /** Which message, kind of packet, or recording it is of. */
  readonly of: string;
  readonly kind: 'snapshot' | 'delta' | 'packet' | 'message';
  readonly version: Version;
  /** The same with an illegal type of the last item, or an illegal size. */
  readonly illegal?: Uint8Array | undefined;
}

interface Options {
  readonly seed: string;
  readonly each: string;
  readonly payloads: string;
  readonly show: string;
  readonly only: string;
}

/** Keeps `most` of the samples that are added, each with the same chance, and no bytes twice. */
class Reservoir {
  readonly #most: number;
  readonly #random: () => number;
  readonly #seen = new Set<string>();
  readonly kept: Sample[] = [];

  constructor(most: number, random: () => number) {
    this.#most = most;
    this.#random = random;
  }

  add(bytes: Uint8Array, sample: () => Sample): void {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    if (this.#seen.has(text)) return;
    this.#seen.add(text);
    if (this.kept.length < this.#most) this.kept.push(sample());
    else {
      const at = Math.floor(this.#random() * this.#seen.size);
      if (at < this.#most) this.kept[at] = sample();
    }
  }
}

class Samples {
  readonly #reservoirs = new Map<string, Reservoir>();
  readonly #random: () => number;
  readonly #each: number;
  readonly #payloads: number;

  constructor({ seed, each, payloads }: Options) {
    this.#random = mulberry32(Number(seed));
    this.#each = Number(each);
    this.#payloads = Number(payloads);
  }

  get all(): Sample[] {
    return [...this.#reservoirs.values()].flatMap(({ kept }) => kept);
  }

  #of(key: string, most: number): Reservoir {
    let found = this.#reservoirs.get(key);
    if (!found) {
      found = new Reservoir(most, this.#random);
      this.#reservoirs.set(key, found);
    }
    return found;
  }

  addRecording(name: string, file: Uint8Array): void {
    const replay = formatOf(file.subarray(0, 64))?.open({ parts: true, messages: false, ticks: false });
    if (!replay) return;
    const add = (entries: Iterable<RecordingEntry>) => {
      for (const entry of entries) {
        if (entry.record === 'snapshot') this.#addSnapshot(name, entry);
        else if (entry.record === 'packet' && entry.code === undefined && entry.packet) {
          const version = entry.stream?.version ?? (entry.bytes[0] === 0x21 ? '0.7' : '0.6');
          if (version === '0.6' || version === '0.7') this.#addPacket(entry.bytes, version);
        }
      }
    };
    add(replay.feed(file));
    add(replay.finish());
  }

  #addSnapshot(name: string, { payloadKind, encoding, payload, stream, verdict }: SnapshotEntry): void {
    if (!payload || verdict === 'damaged') return;
    const { version } = stream.protocol;
    // A message without anything says that nothing changed; these bytes are never alone.
    if (payload.length < 4) return;
    this.#of(`${name} ${payloadKind}`, this.#payloads).add(payload, () => ({
      bytes: payload.slice(),
      reading: encoding,
      row: '',
      of: name,
      kind: payloadKind,
      version,
    }));
  }

  #addPacket(bytes: Uint8Array, version: '0.6' | '0.7'): void {
    const contents = readPacketContents(bytes, protocolOf(version));
    const { packet, messages, layers, values } = contents;
    if (!packet || contents.diagnostics.error) return;
    const chunks = `${packet.compressed ? 'compressed ' : ''}${packet.numChunks < 4 ? packet.numChunks : '4 or more'} chunks`;
    const of =
      packet.kind === 'control'
        ? (controlsOf(version)[packet.control ?? -1] ?? 'control')
        : packet.kind === 'connless'
          ? String(values.find(({ name }) => name === 'name')?.value ?? 'connless')
          : chunks;
    const most = packet.kind === 'chunks' ? 4 * this.#each : this.#each;
    this.#of(`packet ${version} ${of}`, most).add(bytes, () => {
      const illegal = bytes.slice();
      // A size beyond the packet's end, if its first chunk is not compressed.
      const hasChunk = packet.kind === 'chunks' && !packet.compressed && packet.numChunks > 0;
      if (hasChunk) illegal[packet.headSize]! |= 0x3f;
      return {
        bytes: bytes.slice(),
        reading: `packet · ${version}`,
        row: `${packet.kind} packets`,
        of: `${version} ${of}`,
        kind: 'packet',
        version,
        illegal: hasChunk ? illegal : undefined,
      };
    });
    for (const { message, isCut } of messages) {
      if (!message.type || isCut || message.diagnostics.codes.size > 0) continue;
      const part = layers.bytes.subarray(message.start, message.end);
      const family = message.type.uuid === undefined ? version : 'DDNet';
      this.#of(`message ${family} ${message.system} ${message.type.name}`, this.#each).add(part, () => {
        const illegal = part.slice();
        // The number of a system message becomes 63: the games have none such.
        illegal[0] = 0x3f;
        return {
          bytes: part.slice(),
          reading: `message · ${version}`,
          row: `messages of ${family}`,
          of: message.type!.name,
          kind: 'message',
          version,
          illegal: message.id === 0 ? undefined : illegal,
        };
      });
    }
  }
}

/** The same snapshot or delta in all encodings, also with an illegal type of its last item. */
function inEncodings(sample: Sample): Sample[] {
  const { bytes, kind, version } = sample;
  const { body, layers, diagnostics } = readPayload(
    unwrap(bytes, sample.reading as 'huffman' | 'packed'),
    kind as 'delta' | 'snapshot',
    protocolOf(version),
  );
  // Some recordings have wrong sizes on purpose: such a delta is damaged, whoever reads it.
  if (diagnostics.error || diagnostics.codes.has('excess_ints')) return [];
  const ints = layers.ints.ints.slice(0, layers.ints.length);
  const changed = ints.slice();
  // Of a delta this is the type, of a snapshot the key: no item has type 0x3a00 to 0x3aff.
  if (body.count > 0) changed[body.start(body.count - 1)]! |= kind === 'delta' ? 0x3a00 : 0x3a00 << 16;
  return (['huffman', 'packed', 'ints'] as const).map((encoding) => ({
    ...sample,
    bytes: sample.reading === 'huffman' && encoding === 'huffman' ? bytes : encoded(ints, encoding),
    reading: `${encoding} · ${kind} · ${version}`,
    row: `${kind}s, ${encoding}`,
    illegal: body.count > 0 ? encoded(changed, encoding) : undefined,
  }));
}

function encoded(ints: Int32Array, encoding: 'huffman' | 'packed' | 'ints'): Uint8Array {
  const out = new ByteBuffer();
  if (encoding === 'ints') writeInts(ints, 0, ints.length, out);
  else packInts(ints, 0, ints.length, out);
  if (encoding !== 'huffman') return out.bytes.slice(0, out.length);
  const compressed = new ByteBuffer();
  compress(out.bytes, 0, out.length, compressed, 'extra');
  return compressed.bytes.slice(0, compressed.length);
}

interface Said {
  readonly status: number;
  /** The readings that are named, the one that is shown first. */
  readonly readings: readonly string[];
}

/** What the command line says of bytes. */
async function ask(
  main: Main,
  bytes: Uint8Array,
  options: readonly string[],
): Promise<Said & { readonly text: string }> {
  const { status, output, text } = await said(main, bytes, ['decode', '-', '-t', 'json', ...options]);
  const [, best, others] = /read as (\w+(?: · [\w.]+)+)[^;\n]*(?:; also possible: ([^\n]*))?/.exec(text) ?? [];
  const rest = [...(others ?? '').matchAll(/\w+(?: · [\w.]+)+/g)].map(([text]) => text);
  if (best !== undefined) return { status, readings: text.includes('unrecognised') ? [] : [best, ...rest], text };
  // What is stated needs no note.
  const of = (name: string) => new RegExp(`"${name}": "([\\w.]+)"`).exec(output)?.[1];
  const stated = [of('encoding') === of('kind') ? undefined : of('encoding'), of('kind'), of('protocol')];
  return { status, readings: output === '' ? [] : [stated.filter(Boolean).join(' · ')], text };
}

const outcomes = ['right', 'in doubt', 'doubt without it', 'not read', 'wrong', 'wrong, exit 0'] as const;
type Outcome = (typeof outcomes)[number];

function judged({ status, readings: [best, ...rest] }: Said, expected: string): Outcome {
  if (best === undefined) return 'not read';
  if (rest.length > 0) return best === expected || rest.includes(expected) ? 'in doubt' : 'doubt without it';
  if (best === expected) return 'right';
  return status === 0 ? 'wrong, exit 0' : 'wrong';
}

/** What of a sample is read. */
function variants({ bytes, illegal }: Sample, random: () => number): [string, Uint8Array][] {
  const third = (n: number) => bytes.subarray(0, Math.max(1, Math.floor((n * bytes.length) / 3)));
  return [
    [bytes.length < 8 ? 'whole, below 8 bytes' : 'whole', bytes],
    ...(bytes.length < 3 ? [] : ([1, 2].map((n) => ['cut', third(n)]) as [string, Uint8Array][])),
    ['a bit flipped', flippedBit(bytes, random)],
    ...(illegal ? ([['illegal type or size', illegal]] as [string, Uint8Array][]) : []),
  ];
}

export async function measure(folder: string, main: Main, options: Options): Promise<string> {
  const samples = new Samples(options);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (/\.(?:demo|pcap|pcapng|netlog)$/.test(name))
      samples.addRecording(name, new Uint8Array(readFileSync(join(folder, name))));
  }
  const random = mulberry32(Number(options.seed));
  const all = samples.all.flatMap((sample) => (sample.row === '' ? inEncodings(sample) : sample));
  const isKindKnown = (await ask(main, Uint8Array.of(0, 0), ['-k', 'message'])).status !== 2;
  const statements = (sample: Sample): [string, readonly string[]][] => {
    const isSent = sample.kind === 'packet' || sample.kind === 'message';
    const kind = [isSent && !isKindKnown ? '-f' : '-k', sample.kind];
    return [
      ['nothing stated', []],
      ['-p', ['-p', sample.version]],
      ['-p -k', ['-p', sample.version, ...kind]],
    ];
  };
  const counts = new Map<string, Map<Outcome, number>>();
  const count = (key: string, outcome: Outcome) => {
    const found = counts.get(key) ?? new Map<Outcome, number>();
    counts.set(key, found.set(outcome, (found.get(outcome) ?? 0) + 1));
  };
  let shown = Number(options.show);
  for (const sample of all) {
    for (const [variant, bytes] of variants(sample, random)) {
      for (const [stated, words] of statements(sample)) {
        const said = await ask(main, bytes, words);
        const outcome = judged(said, sample.reading);
        const key = `${stated} | ${variant} | `;
        count(`${key}all`, outcome);
        count(`${key}${sample.row}`, outcome);
        const isOther = outcome !== 'right' && `${outcome} | ${key}${sample.row} | ${sample.of}`.match(options.only);
        if (isOther && shown-- > 0) {
          const hex = Buffer.from(bytes.subarray(0, 400)).toString('hex');
          console.error(
            `${outcome} | ${key}${sample.row} | ${sample.of}\n  ${sample.reading}: ${hex}\n  ${said.status} ${said.text.trim()}`,
          );
        }
      }
    }
  }
  const rows = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, found]) => {
      const total = [...found.values()].reduce((sum, n) => sum + n, 0);
      return `| ${key} | ${total} | ${outcomes.map((outcome) => found.get(outcome) ?? '').join(' | ')} |`;
    });
  return [
    `| stated | input | of | inputs | ${outcomes.join(' | ')} |`,
    `|---|---|---|--:${'|--:'.repeat(outcomes.length)}|`,
    ...rows,
  ].join('\n');
}
