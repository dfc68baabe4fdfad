import type { Args } from '../../wire/bytes/diagnostic.ts';
import { type Message, readMessageHead, valueNamed } from '../../wire/packet/message.ts';
import type { PacketVersion } from '../../wire/packet/packet.ts';
import { messagesOf } from '../../wire/protocol/message-registry.ts';
import type { MessageType } from '../../wire/protocol/message-type.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import { answers } from '../games/expectations.ts';
import { namedMessages } from './answers.ts';

/** Numbers of messages up to here are in the first byte, beside the bit of system messages. */
const oneByteIds = 32;

/** The names of messages by their first byte, for those that are looked for: nearly all others end here. */
type NamesByByte = (version: PacketVersion) => readonly (string | undefined)[];

export function namesByFirstByte(isLookedFor: (type: MessageType) => boolean): NamesByByte {
  const namesOf = (version: PacketVersion) => {
    const byByte: string[] = [];
    for (const type of messagesOf(version).all) {
      if (type.id === undefined || type.id >= oneByteIds || !isLookedFor(type)) continue;
      byByte[(type.id << 1) | (type.system ? 1 : 0)] = type.name;
    }
    return byByte;
  };
  // Made when they are first needed: a command that reads no messages needs no tables of them.
  const made: Partial<Record<PacketVersion, readonly (string | undefined)[]>> = {};
  return (version) => {
    made[version] ??= namesOf(version);
    return made[version];
  };
}

const named = namesByFirstByte(({ name }) => namedMessages.has(name));

/** The first byte of a system message with a UUID, and the bit of one whose number has another byte. */
const extendedSystem = 1;
const goesOn = 0x80;

/** The name of the message `bytes[start, end)`, if a row has it. */
export function expectedName(
  bytes: Uint8Array,
  version: PacketVersion,
  protocol: Protocol,
  start = 0,
  end: number = bytes.length,
): string | undefined {
  const byte = bytes[start]!;
  if (byte !== extendedSystem && byte < goesOn) return named(version)[byte];
  const name = readMessageHead(bytes, protocol, start, end).type?.name;
  return name !== undefined && namedMessages.has(name) ? name : undefined;
}

const keyFields = new Map(
  answers.flatMap(({ after, answers: all, key }) =>
    key === undefined ? [] : [after, ...all].map((name) => [name, key]),
  ),
);

/** A message that is read when it is asked for. */
type ReadMessage = { readonly message: Message };

/** The value that a question and its answer share; undefined for others, and where the version has no such field. */
export function keyOf(name: string, read: ReadMessage): number | undefined {
  const field = keyFields.get(name);
  const value = field === undefined ? undefined : valueNamed(read.message.values, field);
  return value === undefined ? undefined : Number(value);
}

/** Messages that say who a client is, or name one who is or was in the match. */
export const namesPlayers = namesByFirstByte(
  ({ system, name }) => !system && /^sv_(killmsg|emoticon|clientinfo|clientdrop)$/.test(name),
);

const clientFields: ReadonlySet<string> = new Set(['killer', 'victim', 'client_id']);

/** The clients in such a message, by field. */
export const clientsIn = ({ values }: Message): [field: string, client: number][] =>
  values.flatMap(({ name, value }): [string, number][] =>
    clientFields.has(name) && typeof value === 'number' ? [[name, value]] : [],
  );

/** How much of the map that a server announced was sent. */
export class MapProgress {
  /** 0 if no map was announced. */
  size = 0;
  bytes = 0;

  add(name: string, read: ReadMessage): void {
    if (name === 'map_change') {
      this.size = Number(valueNamed(read.message.values, 'size') ?? 0);
      this.bytes = 0;
    } else if (name === 'map_data') {
      const data = valueNamed(read.message.values, 'data');
      if (data instanceof Uint8Array) this.bytes += data.length;
    }
  }

  /** What is told of a piece of a map says how much of it came. */
  argsWith(args: Args): Args {
    const isAboutMap = args.expected === 'map_data' && this.bytes < this.size;
    return isAboutMap ? { ...args, bytes: this.bytes, size: this.size } : args;
  }
}
