import * as enums from './enums.ts';
import { type Meaning, maxClient, type Names, type ValueBounds, valueBoundsOf, words } from './meaning.ts';
import type { MessageType } from './message-type.ts';

const minInt = -(2 ** 31);
const maxInt = 2 ** 31 - 1;
/** The clients of Teeworlds 0.7 and of DDNet before 19.0, which has 128 since. */
export const fewClients = 64;
/** The first DDNet with 128: `MAX_CLIENTS` in its protocol.h. */
export const manyClientsSince = '19.0';

/** The clients that a version of DDNet knows, as its number says: 18060 for 18.6. */
export const clientsOf = (ddnetVersion: number): number => (ddnetVersion < 19_000 ? fewClients : maxClient + 1);

/** No game since 2010 has more than these; other enumerations have grown. */
const closed: ReadonlySet<Names> = new Set([
  enums.weapon,
  enums.heldWeapon,
  enums.killWeapon,
  enums.emoticon,
  enums.hookState,
  enums.team,
  enums.teamWithFlag,
  enums.specMode,
]);

/** The numbers of these have names, but DDNet takes any int: `NetIntAny`. */
const unchecked: ReadonlySet<Names> = new Set([enums.laserType, enums.mapLayer, enums.entityClass]);

/** Whether a newer game may have a name for a number above those of an enumeration. */
export const isOpen = (meaning: Meaning): boolean => meaning.kind === 'enum' && !closed.has(meaning.names);

/**
 * The values that the games take in an item; undefined where they take all. What DDNet does with another one in items
 * of 0.6 is to use the nearest bound; Teeworlds, and all clients of 0.7, drop the item. A number above an enumeration
 * that has grown is not outside: a newer game may have a name for it.
 *
 * Source: `NetIntRange`, `NetTick`, `NetEnum` in datasrc/datatypes.py of the games; `ClampInt`, `CheckInt` in
 * datasrc/compile.py.
 */
export function itemBoundsOf(meaning: Meaning, is07: boolean): ValueBounds | undefined {
  const bounds = valueBoundsOf(meaning);
  if (meaning.kind === 'enum' && unchecked.has(meaning.names)) return { min: minInt, max: maxInt };
  if (isOpen(meaning)) return { min: bounds!.min, max: maxInt };
  // A character of 0.7 always holds a weapon.
  if (meaning.kind === 'enum' && meaning.names === enums.heldWeapon && is07) return { ...bounds!, min: 0 };
  // In 0.6 any int is a tick, if it has no bounds of its own.
  if (meaning.kind === 'tick' && is07) return { min: 0, max: maxInt, ...bounds };
  return meaning.kind === 'client' && is07 ? { ...bounds!, max: fewClients - 1 } : bounds;
}

/** The values of these are read one by one, not by the tables: none makes the games drop the message. */
const readByHand: ReadonlySet<string> = new Set(
  words('sv_tuneparams sv_extraprojectile sv_teamsstate sv_teamsstatelegacy cl_isddnetlegacy'),
);

const anyInt: ValueBounds = { min: minInt, max: maxInt };

/** Where the games since 0.6 take more in a message than the tables have names for. */
const takenAs: Readonly<Record<string, ValueBounds>> = {
  'sv_chat.team': { min: -2, max: 3 },
  'sv_preinput.jump': anyInt,
  'sv_preinput.hook': anyInt,
  'sv_preinput.wanted_weapon': anyInt,
};

/**
 * The values that the games take in a field of a message; undefined where they take all. With another one they drop the
 * message. A number above an enumeration that has grown is not outside, as in items. System messages are not in it:
 * `ProcessServerPacket` and `ProcessClientPacket` look at some of their values themselves.
 *
 * Source: `SecureUnpackMsg` that datasrc/compile.py of the games writes, `emit_unpack_msg_check` in datatypes.py.
 */
export function messageBoundsOf(
  { name, system, uuid }: MessageType,
  field: string,
  meaning: Meaning,
  version: string,
): ValueBounds | undefined {
  if (system || readByHand.has(name)) return undefined;
  const taken = version === '0.5' ? undefined : takenAs[`${name}.${field}`];
  return taken ?? itemBoundsOf(meaning, version === '0.7' && uuid === undefined);
}

/**
 * Whether a number of players is more than Teeworlds 0.7 takes, and not more than DDNet does since 19.0: its tables of
 * 0.7 have the bound `MAX_CLIENTS`, too, which is 128 there.
 */
export const isOfManyClients = ({ max }: ValueBounds, value: number): boolean =>
  max === fewClients && value > max && value <= maxClient + 1;

export const isOutside = ({ min, max }: ValueBounds, value: number): boolean => value < min || value > max;

/** `outside -1 to 10`, `below 0` */
export const boundsText = (min: number, max: number): string =>
  max === maxInt ? `below ${min}` : `outside ${min} to ${max}`;
