import * as enums from '../protocol/enums.ts';
import { skinParts } from '../protocol/items.ts';
import type { Names } from '../protocol/meaning.ts';
import { chatMode, gameMsg, voteEvent } from '../protocol/messages.ts';
import type { Version } from '../protocol/registry.ts';

/**
 * The enumerations and flags of the tables by the names that the sources of the games give them, to compare both.
 *
 * Source: `Enums` and `Flags` in `datasrc/network.py` and `datasrc/seven/network.py` of DDNet.
 */
export const sourceLists: Readonly<Partial<Record<Version, Readonly<Record<string, Names>>>>> = {
  '0.6': {
    EMOTE: enums.emote,
    POWERUP: enums.powerup,
    EMOTICON: enums.emoticon,
    AUTHED: enums.authLevel,
    ENTITYCLASS: enums.entityClass,
    LASERTYPE: enums.laserType,
    LASERDRAGGERTYPE: enums.laserSubtypes[4],
    LASERGUNTYPE: enums.laserSubtypes[5],
    PLAYERFLAG: enums.playerFlags06,
    GAMEFLAG: enums.gameFlags06,
    GAMESTATEFLAG: enums.gameStateFlags06,
    CHARACTERFLAG: enums.characterFlags,
    GAMEINFOFLAG: enums.gameInfoFlags,
    GAMEINFOFLAG2: enums.gameInfoFlags2,
    EXPLAYERFLAG: enums.exPlayerFlags,
    PROJECTILEFLAG: enums.projectileFlags,
    LEGACYPROJECTILEFLAG: enums.legacyProjectileFlags,
    LASERFLAG: enums.laserFlags,
    PICKUPFLAG: enums.pickupFlags,
  },
  '0.7': {
    PICKUP: enums.pickup,
    EMOTE: enums.emote,
    EMOTICON: enums.emoticon,
    VOTE: voteEvent,
    CHAT: chatMode,
    GAMEMSG: gameMsg,
    PLAYERFLAG: enums.playerFlags07,
    GAMEFLAG: enums.gameFlags07,
    GAMESTATEFLAG: enums.gameStateFlags07,
    COREEVENTFLAG: enums.coreEventFlags,
    RACEFLAG: enums.raceFlags,
  },
};

const inAll = { WEAPON: enums.weapon, TEAM: enums.team, FLAG: enums.flagCarrier, HOOK: enums.hookState };

/**
 * Further ones, which are not in these lists but in C++, and those of 0.5, where the tables have DDNet's powerups, too.
 *
 * Source: `RawHeader` in `datasrc/network.py` and what `datasrc/compile.py` writes of `content.py`; for `HOOK`
 * `src/game/gamecore.h`; of 0.5 `datasrc/network.py` of Teeworlds, tag `0.5-endofline`.
 */
export const headerLists: Readonly<Record<Version, Readonly<Record<string, Names>>>> = {
  '0.5': {
    ...inAll,
    SOUND: enums.sound05,
    PLAYERSTATE: enums.playerState05,
    EMOTE: enums.emote,
    POWERUP: enums.powerup,
    GAMEFLAG: enums.gameFlags06,
  },
  '0.6': { ...inAll, SOUND: enums.sound, SPEC: enums.spectatorId06 },
  '0.7': { ...inAll, SOUND: enums.sound, SPEC: enums.specMode, SKINPART: { ...skinParts } },
};

/**
 * What the tables have and the newest sources do not: an item of the release candidates of DDNet 16.2, a message of the
 * games before DDNet, and one that a mod writes by hand.
 */
export const undeclared: ReadonlySet<string> = new Set([
  'ddnet_character_display_info',
  'sv_extraprojectile',
  'sv_ddnetplusplus',
]);
