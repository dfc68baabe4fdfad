import { readAsPayload } from '../input/source/read-payload.ts';
import { recognisePart } from '../input/source/recognise.ts';
import type { Stated } from '../input/stated.ts';
import { diagnosticMessage } from '../output/phrases/diagnostic-messages.ts';
import { DecodeError, type Diagnostic } from '../wire/bytes/diagnostic.ts';
import { checkOptions, expects } from '../wire/bytes/expects.ts';
import type { Packet } from '../wire/packet/packet.ts';
import type {
  Base,
  DecodedMessage,
  DecodedPacket,
  MessageContents,
  PacketContents,
} from '../wire/packet/packet-contents.ts';
import type { BinaryEncoding, Encoding } from '../wire/payload/encoding-layers.ts';
import { baseFound, type Payload } from '../wire/payload/payload.ts';
import { type Protocol, protocolOf, type Schema, type Version } from '../wire/protocol/registry.ts';
import { Delta } from '../wire/snapshot/delta.ts';
import type { ItemTypes } from '../wire/snapshot/item-types.ts';
import type { Snapshot } from '../wire/snapshot/snapshot.ts';
import { bytesOf } from './input.ts';

/** What is known of the bytes that {@link decode} reads. Everything that is left out is recognised by content. */
export interface DecodeOptions {
  /**
   * How a snapshot or delta is encoded: `huffman` in demos and packets, `packed` are varints, `ints` 32-bit
   * little-endian.
   */
  readonly encoding?: BinaryEncoding;
  readonly kind?: Decoded['kind'];
  /**
   * `0.6` is also DDNet. The protocol of a record's stream is accepted, too, with the items and messages of its mod.
   */
  readonly protocol?: Version | Protocol;
  /**
   * The snapshot that a delta is a difference to: the delta is then applied to it. A message says which snapshot that
   * is by its tick, so a function may find it.
   */
  readonly base?: Base;
  /** The items and messages of a mod, as `readSchema` of `tw-snap/codec` reads them. */
  readonly schema?: Schema;
  /** Returns what could be read of damaged bytes, with the error as the last diagnostic, instead of throwing. */
  readonly partial?: boolean;
}

/**
 * What {@link decode} read: a snapshot, a delta, a packet or a message, distinguished by `kind`. Nothing in it is
 * shared with a later call.
 */
export type Decoded =
  | (DecodedBody & { readonly kind: 'snapshot'; readonly snapshot: Snapshot })
  | (DecodedBody & {
      readonly kind: 'delta';
      readonly delta: Delta;
      /**
       * How the base was found: {@link DecodeOptions.base} states it, or it is `empty`, since all updates look like
       * whole items.
       */
      readonly base: 'stated' | 'empty' | 'unknown';
      /** The snapshot that results from the delta; undefined if its base is unknown. */
      readonly snapshot: Snapshot | undefined;
    })
  | (DecodedSent & {
      readonly kind: 'packet';
      /** The header and chunks; undefined if not even the header is whole. */
      readonly packet: Packet | undefined;
      /** What `annotateContents` of `tw-snap/unstable` accepts. */
      readonly contents: DecodedPacket;
    })
  | (DecodedSent & { readonly kind: 'message'; readonly contents: DecodedMessage });

/** What every result of {@link decode} has. */
export interface DecodedInput {
  readonly protocol: Protocol;
  /**
   * Warnings in the order of their places; with {@link DecodeOptions.partial} an error at the end. Offsets count bytes.
   */
  readonly diagnostics: readonly Diagnostic[];
}

/** What the result has for a snapshot or a delta. */
export interface DecodedBody extends DecodedInput {
  readonly encoding: Encoding;
  /** The items that type numbers stand for, registrations of UUID items included. */
  readonly types: ItemTypes;
  /** What `annotate` of `tw-snap/unstable` accepts: the place of every value. */
  readonly payload: Payload;
}

/** What the result has for a packet or a message. */
export interface DecodedSent extends DecodedInput {
  readonly messages: readonly MessageContents[];
}

/**
 * Decodes one snapshot, delta, packet or message. Encoding, kind and protocol are recognised by content, unless they
 * are stated.
 *
 * @param bytes the payload of a demo's chunk, of a UDP datagram, or of a message
 * @throws DecodeError if the bytes cannot be read to the end; its `offset` counts bytes of the input. With `partial` it
 *   is the last
 * diagnostic instead.
 * @example
 * ```ts
 * import { decode, items } from 'tw-snap';
 *
 * const decoded = decode(bytes);
 * if (decoded.kind === 'delta') {
 *   for (const { name, id, fields } of items(decoded.delta, decoded.types)) console.log(name, id, fields?.x);
 * }
 * ```
 */
export function decode<Kind extends Decoded['kind'] = Decoded['kind']>(
  bytes: Uint8Array | ArrayBuffer,
  options: DecodeOptions & { readonly kind?: Kind } = {},
): Extract<Decoded, { readonly kind: Kind }> {
  const decoded = read(bytesOf(bytes, 'decode'), options);
  const last = decoded.diagnostics.at(-1);
  if (last?.severity === 'error' && !options.partial) {
    throw new DecodeError(last.code, last.offset, last.args, `byte ${last.offset}: ${diagnosticMessage(last)}`);
  }
  return decoded as Extract<Decoded, { readonly kind: Kind }>;
}

function read(bytes: Uint8Array, options: DecodeOptions): Decoded {
  checkOptions('decode', options, ['kind', 'encoding', 'protocol', 'schema', 'base', 'partial']);
  const { kind, encoding, base } = options;
  const { version, schema } = protocolStated(options);
  for (const [value, known] of [
    [kind, ['snapshot', 'delta', 'packet', 'message']],
    [encoding, ['huffman', 'packed', 'ints']],
  ] as const) {
    if (value && !known.some((name) => name === value)) expects('decode', known.join(', '), value);
  }
  const stated = { kind, encoding, version, base, schema };
  const read = kind === 'delta' ? readAsPayload({ bytes }, stated) : recognisePart({ bytes }, stated);
  return read.kind === 'payload' ? decodedPayload(read.payload) : decodedContents(read.contents);
}

function protocolStated({ protocol, schema }: DecodeOptions): Pick<Stated, 'version' | 'schema'> {
  if (protocol === undefined) return { version: undefined, schema };
  // Made so that a wrong version is refused.
  const { version, schema: own } = typeof protocol === 'object' && protocol ? protocol : protocolOf(protocol);
  return { version: protocolOf(version).version, schema: schema ?? own };
}

function decodedPayload(payload: Payload): Decoded {
  const { body, types, layers, diagnostics, result } = payload;
  const common = {
    encoding: layers.encoding,
    protocol: types.protocol,
    types,
    payload,
    diagnostics: diagnostics.all,
  };
  if (body instanceof Delta) {
    const base = baseFound(payload) as 'stated' | 'empty' | 'unknown';
    return { kind: 'delta', ...common, delta: body, base, snapshot: result };
  }
  return { kind: 'snapshot', ...common, snapshot: body };
}

function decodedContents(contents: PacketContents): Decoded {
  const { protocol, messages } = contents;
  const common = { protocol, messages, diagnostics: contents.diagnostics.all };
  if (contents.kind === 'message') return { kind: 'message', ...common, contents };
  return { kind: 'packet', ...common, packet: contents.packet, contents };
}
