import { emoticon, killWeapon, specMode, team, tuneParams07, weapon } from './enums.ts';
import { gameInfo, items07, skinParts } from './items-0.7.ts';
import { amount, bits, boolean, client, enumeration, flags, int, type Meaning, numbered, tick } from './meaning.ts';
import {
  gameMessage,
  type MessageShape,
  type MessageType,
  optional,
  repeat,
  rest,
  sha256,
  shapeOfItem,
  string,
  systemMessage,
} from './message.ts';
import {
  extraProjectiles,
  inputTiming,
  modeSpecial,
  rconCmdAdd,
  snap,
  snapEmpty,
  snapSingle,
  tuning,
  vote,
  voteStatus,
} from './messages-0.6.ts';

const chatMode = numbered('none all team whisper');

const voteEvent = numbered('unknown start_op start_kick start_spec end_abort end_pass end_fail');

const gameMsg = numbered(`
  team_swap spec_invalidid team_shuffle team_balance ctf_drop ctf_return team_all team_balance_victim ctf_grab
  ctf_capture game_paused
`);

/** The number of ints after a game message: a team, a team, a flag; a flag, a client and ticks; a client. */
const gameMsgParameters = { 6: 1, 7: 1, 8: 1, 9: 3, 10: 1 };

/** A killer who has left is sent as a team. */
const killer: Meaning = { kind: 'client', min: -2, names: { [-1]: 'red', [-2]: 'blue' } };

const serverFlags = bits('password timescore');

const skin: MessageShape = {
  skin_part_names: repeat(6, string, skinParts),
  use_custom_colors: repeat(6, boolean, skinParts),
  skin_part_colors: repeat(6, int(), skinParts),
};

const info: MessageShape = { name: string, clan: string, country: int(), ...skin };

/**
 * The messages of 0.7. DDNet appends its own tune params to the 32 of vanilla. Up to 19.8.3 it forgets to leave out
 * `laser_damage` for a client without a character: the params after it are then off by one, in the games as well.
 */
export const messages07: readonly MessageType[] = [
  gameMessage(1, 'sv_motd', { message: string }),
  gameMessage(2, 'sv_broadcast', { message: string }),
  gameMessage(3, 'sv_chat', { mode: enumeration(chatMode), client_id: client, target_id: client, message: string }),
  gameMessage(4, 'sv_team', { client_id: client, team: enumeration(team), silent: boolean, cooldown_tick: tick }),
  gameMessage(5, 'sv_killmsg', { killer, victim: client, weapon: enumeration(killWeapon), mode_special: modeSpecial }),
  gameMessage(6, 'sv_tuneparams', tuning(tuneParams07), [32, 43, 44, 46]),
  gameMessage(7, 'sv_extraprojectile', extraProjectiles(shapeOfItem(items07, 'obj_projectile'))),
  gameMessage(8, 'sv_readytoenter'),
  gameMessage(9, 'sv_weaponpickup', { weapon: enumeration(weapon) }),
  gameMessage(10, 'sv_emoticon', { client_id: client, emoticon: enumeration(emoticon) }),
  gameMessage(11, 'sv_voteclearoptions'),
  /** DDNet sends 15 texts here as well, of which the last ones may be empty. */
  gameMessage(12, 'sv_voteoptionlistadd', { num_options: int(0), description: repeat('counted_or_more', string) }),
  gameMessage(13, 'sv_voteoptionadd', { description: string }),
  gameMessage(14, 'sv_voteoptionremove', { description: string }),
  gameMessage(15, 'sv_voteset', {
    client_id: client,
    type: enumeration(voteEvent),
    timeout: amount('s', 0, 60),
    description: string,
    reason: string,
  }),
  gameMessage(16, 'sv_votestatus', voteStatus),
  gameMessage(17, 'sv_serversettings', {
    kick_vote: boolean,
    kick_min: int(0),
    spec_vote: boolean,
    team_lock: boolean,
    team_balance: boolean,
    player_slots: int(0),
  }),
  gameMessage(18, 'sv_clientinfo', {
    client_id: client,
    local: boolean,
    team: enumeration(team),
    ...info,
    silent: boolean,
  }),
  gameMessage(19, 'sv_gameinfo', gameInfo),
  gameMessage(20, 'sv_clientdrop', { client_id: client, reason: string, silent: boolean }),
  gameMessage(21, 'sv_gamemsg', { game_msg_id: enumeration(gameMsg), parameters: repeat(gameMsgParameters, int()) }),
  gameMessage(22, 'de_cliententer', { name: string, client_id: client, team: enumeration(team) }),
  gameMessage(23, 'de_clientleave', { name: string, client_id: client, reason: string }),
  gameMessage(24, 'cl_say', { mode: enumeration(chatMode), target: client, message: string }),
  gameMessage(25, 'cl_setteam', { team: enumeration(team) }),
  gameMessage(26, 'cl_setspectatormode', { spec_mode: enumeration(specMode), spectator_id: client }),
  gameMessage(27, 'cl_startinfo', info),
  gameMessage(28, 'cl_kill'),
  gameMessage(29, 'cl_readychange'),
  gameMessage(30, 'cl_emoticon', { emoticon: enumeration(emoticon) }),
  gameMessage(31, 'cl_vote', { vote }),
  gameMessage(32, 'cl_callvote', { type: string, value: string, reason: string, force: boolean }),
  gameMessage(33, 'sv_skinchange', { client_id: client, ...skin }),
  gameMessage(34, 'cl_skinchange', skin),
  gameMessage(35, 'sv_racefinish', {
    client_id: client,
    time: amount('ms', -1),
    diff: amount('ms'),
    record_personal: boolean,
    record_server: optional(boolean),
  }),
  gameMessage(36, 'sv_checkpoint', { diff: amount('ms') }),
  gameMessage(37, 'sv_commandinfo', { name: string, args_format: string, help_text: string }),
  gameMessage(38, 'sv_commandinforemove', { name: string }),
  gameMessage(39, 'cl_command', { name: string, arguments: string }),

  systemMessage(1, 'info', { version: string, password: optional(string), client_version: optional(int()) }),
  systemMessage(2, 'map_change', {
    name: string,
    crc: int(),
    size: int(0),
    num_response_chunks_per_request: int(0),
    chunk_size: int(0),
    sha256,
  }),
  systemMessage(3, 'map_data', { data: rest }),
  systemMessage(4, 'server_info', {
    version: string,
    name: string,
    hostname: string,
    map: string,
    game_type: string,
    flags: flags(serverFlags),
    skill_level: int(0, 2),
    num_players: int(0),
    max_players: int(0),
    num_clients: int(0),
    max_clients: int(0),
  }),
  systemMessage(5, 'con_ready'),
  systemMessage(6, 'snap', snap),
  systemMessage(7, 'snap_empty', snapEmpty),
  systemMessage(8, 'snap_single', snapSingle),
  systemMessage(9, 'snap_small'),
  systemMessage(10, 'input_timing', inputTiming),
  systemMessage(11, 'rcon_auth_on'),
  systemMessage(12, 'rcon_auth_off'),
  systemMessage(13, 'rcon_line', { line: string }),
  systemMessage(14, 'rcon_cmd_add', rconCmdAdd),
  systemMessage(15, 'rcon_cmd_rem', { name: string }),
  systemMessage(18, 'ready'),
  systemMessage(19, 'enter_game'),
  systemMessage(20, 'input', {
    ack_snapshot: tick,
    intended_tick: tick,
    input_size: int(0),
    ...shapeOfItem(items07, 'obj_player_input'),
    ping_correction: optional(amount('ms')),
  }),
  systemMessage(21, 'rcon_cmd', { cmd: string }),
  systemMessage(22, 'rcon_auth', { password: string }),
  systemMessage(23, 'request_map_data'),
  systemMessage(26, 'ping'),
  systemMessage(27, 'ping_reply'),
  systemMessage(29, 'maplist_entry_add', { name: string }),
  systemMessage(30, 'maplist_entry_rem', { name: string }),
];
