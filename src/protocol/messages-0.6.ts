import { emoticon, killWeapon, sound, spectatorId06, team, tuneParams, weapon } from './enums.ts';
import { items06 } from './items-0.6.ts';
import { amount, boolean, client, enumeration, fixed, flags, int, type Meaning, tick } from './meaning.ts';
import {
  data,
  gameMessage,
  type MessageShape,
  type MessageType,
  optional,
  record,
  repeat,
  shapeOfItem,
  string,
  systemMessage,
} from './message.ts';

// What the tables of both versions share is exported.

/** Whispers, 2 and 3, are DDNet's. */
const chatTeam = { 0: 'all', 1: 'team', 2: 'whisper_send', 3: 'whisper_recv' };

export const vote: Meaning = int(-1, 1, { [-1]: 'no', 1: 'yes' });
export const modeSpecial: Meaning = flags({ 1: 'victim_had_flag', 2: 'killer_had_flag' });

/** The games accept any number of them. */
export const tuning = (params: readonly string[]): MessageShape =>
  Object.fromEntries(params.map((name) => [name, optional(fixed(100, ''))]));

/** The pellets of a shotgun in old versions. Most documents describe a single projectile, without the count. */
export const extraProjectiles = (projectile: MessageShape): MessageShape => ({
  num_projectiles: int(0),
  projectile: repeat('counted', record(projectile)),
});

/** One team for each client slot, of which the receiver knows 16, 64 or 128. */
export const teams: MessageShape = { teams: repeat('to_end', int(0, 128)) };
export const teamsCounts: readonly number[] = [16, 64, 128];

export const ddraceTime: MessageShape = { time: fixed(100, 's'), check: fixed(100, 's'), finish: boolean };
export const records: MessageShape = { server_time_best: fixed(100, 's'), player_time_best: fixed(100, 's') };

const info: MessageShape = {
  name: string,
  clan: string,
  country: int(),
  skin: string,
  use_custom_color: boolean,
  color_body: int(),
  color_feet: int(),
};

export const voteStatus: MessageShape = { yes: int(0), no: int(0), pass: int(0), total: int(0) };

/** The base tick is `tick` - `delta`. */
export const snapEmpty: MessageShape = { tick, delta: int() };
export const snapSingle: MessageShape = { ...snapEmpty, crc: int(), size: int(0), bytes: data };
export const snap: MessageShape = {
  ...snapEmpty,
  num_parts: int(1, 64),
  part: int(0, 63),
  crc: int(),
  size: int(0),
  bytes: data,
};

export const inputTiming: MessageShape = { input_pred_tick: tick, time_left: amount('ms') };
export const rconCmdAdd: MessageShape = { name: string, help: string, params: string };

/** The messages of 0.6 and DDNet. Number 29 was DDNet's and is unused. */
export const messages06: readonly MessageType[] = [
  gameMessage(1, 'sv_motd', { message: string }),
  gameMessage(2, 'sv_broadcast', { message: string }),
  gameMessage(3, 'sv_chat', { team: enumeration(chatTeam), client_id: client, message: string }),
  gameMessage(4, 'sv_killmsg', {
    killer: client,
    victim: client,
    weapon: enumeration(killWeapon),
    mode_special: modeSpecial,
  }),
  gameMessage(5, 'sv_soundglobal', { sound_id: enumeration(sound) }),
  gameMessage(6, 'sv_tuneparams', tuning(tuneParams), [33, 44, 45, 47]),
  gameMessage(7, 'sv_extraprojectile', extraProjectiles(shapeOfItem(items06, 'obj_projectile'))),
  gameMessage(8, 'sv_readytoenter'),
  gameMessage(9, 'sv_weaponpickup', { weapon: enumeration(weapon) }),
  gameMessage(10, 'sv_emoticon', { client_id: client, emoticon: enumeration(emoticon) }),
  gameMessage(11, 'sv_voteclearoptions'),
  /** It always has 15 texts; the last ones are empty where there are fewer options. */
  gameMessage(12, 'sv_voteoptionlistadd', { num_options: int(1, 15), description: repeat(15, string) }),
  gameMessage(13, 'sv_voteoptionadd', { description: string }),
  gameMessage(14, 'sv_voteoptionremove', { description: string }),
  gameMessage(15, 'sv_voteset', { timeout: amount('s', 0), description: string, reason: string }),
  gameMessage(16, 'sv_votestatus', voteStatus),
  gameMessage(17, 'cl_say', { team: boolean, message: string }),
  gameMessage(18, 'cl_setteam', { team: enumeration(team) }),
  gameMessage(19, 'cl_setspectatormode', { spectator_id: { kind: 'client', min: -1, names: spectatorId06 } }),
  gameMessage(20, 'cl_startinfo', info),
  gameMessage(21, 'cl_changeinfo', info),
  gameMessage(22, 'cl_kill'),
  gameMessage(23, 'cl_emoticon', { emoticon: enumeration(emoticon) }),
  gameMessage(24, 'cl_vote', { vote }),
  gameMessage(25, 'cl_callvote', { type: string, value: string, reason: string }),
  gameMessage(26, 'cl_isddnetlegacy', { ddnet_version: optional(int(0)) }),
  gameMessage(27, 'sv_ddracetimelegacy', ddraceTime),
  gameMessage(28, 'sv_recordlegacy', records),
  gameMessage(30, 'sv_teamsstatelegacy', teams, teamsCounts),
  gameMessage(31, 'cl_showotherslegacy', { show: boolean }),

  systemMessage(1, 'info', { version: string, password: optional(string) }),
  systemMessage(2, 'map_change', { name: string, crc: int(), size: int(0) }),
  systemMessage(3, 'map_data', { last: boolean, crc: int(), chunk: int(0), size: int(0), data }),
  systemMessage(4, 'con_ready'),
  systemMessage(5, 'snap', snap),
  systemMessage(6, 'snap_empty', snapEmpty),
  systemMessage(7, 'snap_single', snapSingle),
  systemMessage(8, 'snap_small'),
  systemMessage(9, 'input_timing', inputTiming),
  systemMessage(10, 'rcon_auth_status', { auth_level: optional(int()), receive_commands: optional(boolean) }),
  systemMessage(11, 'rcon_line', { line: string }),
  systemMessage(14, 'ready'),
  systemMessage(15, 'enter_game'),
  systemMessage(16, 'input', {
    ack_snapshot: tick,
    intended_tick: tick,
    input_size: int(0),
    ...shapeOfItem(items06, 'obj_player_input'),
  }),
  systemMessage(17, 'rcon_cmd', { cmd: string }),
  systemMessage(18, 'rcon_auth', { name: string, password: string, request_commands: optional(boolean) }),
  systemMessage(19, 'request_map_data', { chunk: int(0) }),
  /** Some documents give these the numbers 20 and 21, which were for signing in and are unused. */
  systemMessage(22, 'ping'),
  systemMessage(23, 'ping_reply'),
  systemMessage(25, 'rcon_cmd_add', rconCmdAdd),
  systemMessage(26, 'rcon_cmd_remove', { name: string }),
];
