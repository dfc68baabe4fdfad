import type { Args } from '../../wire/bytes/diagnostic.ts';
import { type Message, readMessageHead, valueNamed } from '../../wire/packet/message.ts';
import type { PacketVersion } from '../../wire/packet/packet.ts';
import { words } from '../../wire/protocol/meaning.ts';
import { messagesOf } from '../../wire/protocol/message-registry.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import { answers } from '../games/expectations.ts';
import { namedMessages } from './answers.ts';

/** What the first byte of a message tells of it, which for nearly all is that nothing is expected. */
export interface FirstByte {
  /** Its name, if it is needed to rebuild snapshots. */
  readonly snapshot: string | undefined;
  readonly isInput: boolean;
  /** Whether any of the three that follow is the case, as for few messages. */
  readonly isFollowed: boolean;
  /** Whether it says who a client is, or names one who is or was in the match. */
  readonly namesPlayers: boolean;
  /** Its name, if a row has it. */
  readonly expected: string | undefined;
  /** Whether only all of its head tells that: it has a UUID, or its number another byte. */
  readonly isLong: boolean;
}

const forSnapshots: ReadonlySet<string> = new Set(words('snap snap_single snap_empty map_change'));
const ofPlayers: ReadonlySet<string> = new Set(words('sv_killmsg sv_emoticon sv_clientinfo sv_clientdrop'));

/** The first byte of a system message with a UUID, and the bit of one whose number has another byte. */
const extendedSystem = 1;
const goesOn = 0x80;

const firstBytesOf = (version: PacketVersion) => Array.from({ length: 0x100 }, (_, byte) => firstByteOf(byte, version));

function firstByteOf(byte: number, version: PacketVersion): FirstByte {
  const { name = '', system } = messagesOf(version).byFirstByte(byte)?.type ?? {};
  const namesPlayers = system === false && ofPlayers.has(name);
  const expected = namedMessages.has(name) ? name : undefined;
  const isLong = byte === extendedSystem || byte >= goesOn;
  return {
    snapshot: system && forSnapshots.has(name) ? name : undefined,
    isInput: system === true && name === 'input',
    isFollowed: namesPlayers || expected !== undefined || isLong,
    namesPlayers,
    expected,
    isLong,
  };
}

const made: Partial<Record<PacketVersion, readonly FirstByte[]>> = {};

/** What a first byte tells, of which an empty message has 0. */
export function firstByte(byte: number | undefined, version: PacketVersion): FirstByte {
  // Made when it is first needed: a command that reads no messages needs no table of them.
  made[version] ??= firstBytesOf(version);
  return made[version][byte ?? 0]!;
}

/** The name of the message `bytes[start, end)`, if a row has it. */
export function expectedName(bytes: Uint8Array, protocol: Protocol, start: number, end: number): string | undefined {
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
