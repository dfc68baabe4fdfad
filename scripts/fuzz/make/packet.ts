import { ignore } from '../../../src/wire/bytes/diagnostic.ts';
import { type PacketVersion, readPartOfPacket } from '../../../src/wire/packet/packet.ts';
import { messagesOf } from '../../../src/wire/protocol/message-registry.ts';
import { type Bytes, text } from '../../../test/support/bytes.ts';
import {
  chunk06,
  chunk07,
  control06,
  control07,
  ints,
  messageHead,
  packet06,
  packet07,
  snapPart,
  snapSingle,
} from '../../../test/support/packet-builder.ts';
import type { Random } from '../random.ts';
import { damaged, shuffled } from './bytes.ts';
import { type Content, changed, intsOf, packed } from './payload.ts';
import { untrustedText } from './text.ts';

/** A recorded packet. */
export interface RecordedPacket {
  readonly bytes: Uint8Array;
  readonly version: PacketVersion;
}

export interface Material {
  readonly packets: readonly RecordedPacket[];
  readonly messages: readonly RecordedPacket[];
  readonly contents: readonly Content[];
}

interface Chunk {
  readonly vital: boolean;
  readonly resend: boolean;
  readonly sequence: number;
  readonly message: Uint8Array;
}

/** A recorded packet with other chunks, messages, flags or bytes. */
export function makePacket(random: Random, material: Material, seed = random.pick(material.packets)): Uint8Array {
  const { bytes, version } = seed;
  const kind = random.below(8);
  if (kind === 0) return damaged(random, bytes, [random.pick(material.packets).bytes]);
  if (kind === 1) return unconnected(random, version);
  const { packet } = readPartOfPacket(bytes, version, ignore);
  if (packet?.kind !== 'chunks') return damaged(random, bytes);
  let chunks: Chunk[] = packet.chunks.map(({ start, end, vital, resend, sequence }) => ({
    vital,
    resend,
    sequence,
    message: packet.payload.slice(start, end),
  }));
  for (let left = random.few(); left > 0; left--) chunks = changedChunks(random, chunks, version, material);
  const rebuilt = withChunks(random, chunks, version, packet.ack, packet.compressed);
  return random.oneIn(6) ? damaged(random, rebuilt) : rebuilt;
}

function changedChunks(random: Random, chunks: readonly Chunk[], version: PacketVersion, material: Material): Chunk[] {
  const at = random.below(chunks.length);
  const chunk = chunks[at];
  if (!chunk || random.oneIn(4)) {
    const message = makeMessage(random, material, version);
    return shuffled(random, chunks, [{ vital: random.oneIn(2), resend: false, sequence: random.below(1024), message }]);
  }
  const changedChunk = random.oneIn(4)
    ? { ...chunk, vital: random.oneIn(2), resend: random.oneIn(2), sequence: random.below(1024) }
    : { ...chunk, message: makeMessage(random, material, version, chunk.message) };
  return chunks.with(at, changedChunk);
}

function withChunks(
  random: Random,
  chunks: readonly Chunk[],
  version: PacketVersion,
  ack: number,
  compressed: boolean,
): Uint8Array {
  const chunkOf = version === '0.7' ? chunk07 : chunk06;
  const written = chunks.map(({ message, ...options }) => {
    const size = random.oneIn(20) ? random.below(1100) : message.length;
    return chunkOf([...message], { ...options, size });
  });
  const count = random.oneIn(10) ? random.below(256) : undefined;
  const excess = random.oneIn(8) ? { excess: [...random.bytes(random.below(6))] } : {};
  const token = version === '0.6' && random.oneIn(2) ? { token: [...random.bytes(4)] } : {};
  return (version === '0.7' ? packet07 : packet06)(written, {
    compressed: random.oneIn(8) ? !compressed : compressed,
    resend: random.oneIn(8),
    ack,
    ...(count === undefined ? {} : { count }),
    ...excess,
    ...token,
  });
}

/** Packets of the handshake and connectionless packets. */
function unconnected(random: Random, version: PacketVersion): Uint8Array {
  const words = text(random.oneIn(2) ? untrustedText(random).slice(0, 300) : 'Server shutdown');
  const ends = random.oneIn(3) ? [] : [0];
  const control = version === '0.7' ? control07 : control06;
  const made = random.oneIn(2)
    ? control(random.oneIn(4) ? random.byte() : random.below(7), ...words, ...ends, ...random.bytes(random.below(9)))
    : Uint8Array.from([
        ...random.pick([
          [255, 255, 255, 255, 255, 255],
          [0x78, 0x65, 1, 2, 0, 0],
          [0x21, 1, 2, 3, 4, 5, 6, 7, 8],
        ]),
        ...text(random.pick(['\xff\xff\xff\xffinf3', '\xff\xff\xff\xffgie3', 'inf3', 'iext', 'siz2', ''])),
        ...words,
        ...ends,
      ]);
  return random.oneIn(3) ? damaged(random, made) : made;
}

/** A message of the games with other values, or one generated from the tables. */
export function makeMessage(
  random: Random,
  material: Material,
  version: PacketVersion,
  message = random.pick(material.messages).bytes,
): Uint8Array {
  switch (random.below(6)) {
    case 0:
      return snapshotMessage(random, material, version);
    case 1:
      return fromTables(random, version);
    case 2: {
      // One varint gets another value.
      const at = random.below(message.length);
      return Uint8Array.from([...message.subarray(0, at), ...ints(random.int()), ...message.subarray(at + 1)]);
    }
    case 3: {
      const at = random.below(message.length + 1);
      const words = [...text(untrustedText(random).slice(0, 400)), 0];
      return Uint8Array.from([...message.subarray(0, at), ...words, ...message.subarray(at)]);
    }
    default:
      return damaged(random, message, [random.pick(material.messages).bytes]);
  }
}

/** A snapshot in a message, or a part of one. */
function snapshotMessage(random: Random, { contents }: Material, version: PacketVersion): Uint8Array {
  const deltas = contents.filter(({ kind }) => kind === 'delta');
  if (deltas.length === 0) return random.bytes(8);
  let content = random.pick(deltas);
  if (random.oneIn(2)) content = changed(random, content, deltas);
  const data = [...packed(random, intsOf(content))].slice(0, 1200);
  const tick = random.oneIn(8) ? random.int() : 1000 + random.below(100);
  const delta = random.oneIn(3) ? tick + 1 : random.below(5);
  const id = version === '0.7' ? 8 : 7;
  const made = random.oneIn(3)
    ? snapPart(id - 2, tick, random.oneIn(4) ? random.int() : random.between(1, 3), random.below(3), data)
    : snapSingle(id, tick, delta, random.int(), data);
  return Uint8Array.from(made);
}

/** A message with a value for each field of its type. */
function fromTables(random: Random, version: PacketVersion): Uint8Array {
  const { all } = messagesOf(version);
  const type = random.pick(all);
  const bytes = [...messageHead(type)];
  for (let left = random.oneIn(8) ? random.below(40) : type.fields.length; left > 0; left--)
    bytes.push(...value(random));
  return Uint8Array.from(bytes);
}

function value(random: Random): Bytes {
  const kind = random.below(4);
  if (kind === 0) return [...text(untrustedText(random).slice(0, 200)), 0];
  return ints(kind === 1 ? random.int() : random.below(64));
}
