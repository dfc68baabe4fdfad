import * as enums from './enums.ts';
import { gameInfo, input, items05, items06, items07, skinParts } from './items.ts';
import {
  amount,
  bits,
  boolean,
  client,
  clientOrNone,
  enumeration,
  fixed,
  flags,
  int,
  type Meaning,
  numbered,
  tick,
} from './meaning.ts';
import {
  data,
  extendedGame,
  extendedSystem,
  gameMessage,
  lineString,
  type MessageShape,
  type MessageType,
  optional,
  rawUuid,
  record,
  repeat,
  rest,
  secret,
  sha256,
  shapeOfItem,
  strictString,
  string,
  systemMessage,
} from './message-type.ts';

/** Whispers, 2 and 3, are DDNet's. */
const chatTeam = { 0: 'all', 1: 'team', 2: 'whisper_send', 3: 'whisper_recv' };

/** The games refuse other ticks. */
const strictTick = { kind: 'tick', min: 0, max: 0x6fffffff } satisfies Meaning;

const vote = int(-1, 1, { [-1]: 'no', 1: 'yes' });
const killMessage = {
  killer: client,
  victim: client,
  weapon: enumeration(enums.killWeapon),
  mode_special: flags({ 1: 'victim_had_flag', 2: 'killer_had_flag' }),
} satisfies MessageShape;

/** The games accept any number of them. */
const tuning = <Name extends string>(params: readonly Name[]) => {
  const param = optional(fixed(100, ''));
  return Object.fromEntries(params.map((name) => [name, param])) as Readonly<Record<Name, typeof param>>;
};

/** The pellets of a shotgun in old versions. Most documents describe a single projectile, without the count. */
const extraProjectiles = <const Shape extends MessageShape>(projectile: Shape) => ({
  num_projectiles: int(0),
  projectile: repeat('counted', record(projectile)),
});

/** One team for each client slot, of which the receiver knows 16, 64 or 128. */
const teams = { teams: repeat('to_end', int(0, 128)) };
const teamsCounts: readonly number[] = [16, 64, 128];

const ddraceTime = { time: fixed(100, 's'), check: fixed(100, 's'), finish: boolean } satisfies MessageShape;
const records = { server_time_best: fixed(100, 's'), player_time_best: fixed(100, 's') } satisfies MessageShape;

const info06 = {
  name: strictString,
  clan: strictString,
  country: int(),
  skin: strictString,
  use_custom_color: boolean,
  color_body: int(),
  color_feet: int(),
} satisfies MessageShape;

/** A number of players: 64 at most in 0.7. */
const players = int(0, 128);
const players07 = int(0, 64);
const voteStatus = { yes: players, no: players, pass: players, total: players };
const voteStatus07 = { yes: players07, no: players07, pass: players07, total: players07 };

/** The base tick is `tick` - `delta`. */
const snapEmpty = { tick, delta: int() } satisfies MessageShape;
const snapSingle = { ...snapEmpty, crc: int(), size: int(0), bytes: data } satisfies MessageShape;
const snap = {
  ...snapEmpty,
  num_parts: int(1, 64),
  part: int(0, 63),
  crc: int(),
  size: int(0),
  bytes: data,
} satisfies MessageShape;

const inputHead = { ack_snapshot: tick, intended_tick: tick, input_size: int(0) };
const inputTiming = { input_pred_tick: tick, time_left: amount('ms') };

const info05 = {
  name: strictString,
  skin: strictString,
  use_custom_color: boolean,
  color_body: int(),
  color_feet: int(),
};
/** A number of players: 16 at most in 0.5. */
const players05 = int(0, 16);

/** The number of the emoticon's picture, which has no name in 0.5. */
const emoticon05 = int(0, 14);

/**
 * The messages of 0.5. Numbers 11, 12, 19 and 20 of the system were for signing in, and 23 for errors: no game sends
 * them.
 *
 * Source: `datasrc/network.py` and `src/engine/shared/protocol.h` of Teeworlds, tag `0.5-endofline`; the fields of
 * system messages are those that `server.cpp` and `client.cpp` of its engine write.
 */
export const messages05 = () =>
  [
    gameMessage(1, 'sv_motd', { message: string }),
    gameMessage(2, 'sv_broadcast', { message: string }),
    /** The game takes -1 as well, which no server sends. */
    gameMessage(3, 'sv_chat', { team: int(-1, 1, { 0: 'all', 1: 'team' }), client_id: clientOrNone, message: string }),
    gameMessage(4, 'sv_killmsg', killMessage),
    gameMessage(5, 'sv_soundglobal', { sound_id: enumeration(enums.sound05) }),
    gameMessage(6, 'sv_tuneparams', tuning(enums.tuneParams05), [33]),
    gameMessage(7, 'sv_extraprojectile', extraProjectiles(shapeOfItem(items05, 'obj_projectile'))),
    gameMessage(8, 'sv_readytoenter'),
    gameMessage(9, 'sv_weaponpickup', { weapon: enumeration(enums.weapon) }),
    gameMessage(10, 'sv_emoticon', { client_id: client, emoticon: emoticon05 }),
    gameMessage(11, 'sv_voteclearoptions'),
    gameMessage(12, 'sv_voteoption', { command: strictString }),
    gameMessage(13, 'sv_voteset', { timeout: amount('s', 0, 60), description: strictString, command: strictString }),
    gameMessage(14, 'sv_votestatus', { yes: players05, no: players05, pass: players05, total: players05 }),
    gameMessage(15, 'cl_say', { team: boolean, message: string }),
    gameMessage(16, 'cl_setteam', { team: enumeration(enums.team) }),
    gameMessage(17, 'cl_startinfo', info05),
    gameMessage(18, 'cl_changeinfo', info05),
    gameMessage(19, 'cl_kill'),
    gameMessage(20, 'cl_emoticon', { emoticon: emoticon05 }),
    gameMessage(21, 'cl_vote', { vote }),
    gameMessage(22, 'cl_callvote', { type: strictString, value: strictString }),

    systemMessage(1, 'info', { version: string, name: strictString, clan: strictString, password: secret }),
    systemMessage(2, 'map_change', { name: string, crc: int() }),
    systemMessage(3, 'map_data', { last: boolean, total_size: int(0), size: int(0), data }),
    systemMessage(4, 'snap', snap),
    systemMessage(5, 'snap_empty', snapEmpty),
    systemMessage(6, 'snap_single', snapSingle),
    systemMessage(7, 'snap_small'),
    systemMessage(8, 'input_timing', inputTiming),
    systemMessage(9, 'rcon_auth_status', { authed: int() }),
    systemMessage(10, 'rcon_line', { line: secret }),
    systemMessage(13, 'ready'),
    systemMessage(14, 'enter_game'),
    systemMessage(15, 'input', { ...inputHead, ...shapeOfItem(items05, 'obj_player_input') }),
    systemMessage(16, 'rcon_cmd', { cmd: secret }),
    /** Servers ignore the name. */
    systemMessage(17, 'rcon_auth', { name: string, password: secret }),
    systemMessage(18, 'request_map_data', { chunk: int(0) }),
    systemMessage(21, 'ping'),
    systemMessage(22, 'ping_reply'),
  ] as const satisfies readonly MessageType[];

const rconCmdAdd = { name: string, help: string, params: string } satisfies MessageShape;

/** The messages of 0.6 and DDNet. Number 29 was DDNet's and is unused. */
export const messages06 = () =>
  [
    gameMessage(1, 'sv_motd', { message: string }),
    gameMessage(2, 'sv_broadcast', { message: string }),
    gameMessage(3, 'sv_chat', { team: enumeration(chatTeam), client_id: clientOrNone, message: lineString }),
    gameMessage(4, 'sv_killmsg', killMessage),
    gameMessage(5, 'sv_soundglobal', { sound_id: enumeration(enums.sound) }),
    gameMessage(6, 'sv_tuneparams', tuning(enums.tuneParams), [33, 44, 45, 47]),
    gameMessage(7, 'sv_extraprojectile', extraProjectiles(shapeOfItem(items06, 'obj_projectile'))),
    gameMessage(8, 'sv_readytoenter'),
    gameMessage(9, 'sv_weaponpickup', { weapon: enumeration(enums.weapon) }),
    gameMessage(10, 'sv_emoticon', { client_id: client, emoticon: enumeration(enums.emoticon) }),
    gameMessage(11, 'sv_voteclearoptions'),
    /** It always has 15 texts; the last ones are empty where there are fewer options. */
    gameMessage(12, 'sv_voteoptionlistadd', { num_options: int(1, 15), description: repeat(15, strictString) }),
    gameMessage(13, 'sv_voteoptionadd', { description: strictString }),
    gameMessage(14, 'sv_voteoptionremove', { description: strictString }),
    gameMessage(15, 'sv_voteset', { timeout: amount('s', 0), description: strictString, reason: strictString }),
    gameMessage(16, 'sv_votestatus', voteStatus),
    gameMessage(17, 'cl_say', { team: boolean, message: lineString }),
    gameMessage(18, 'cl_setteam', { team: enumeration(enums.team) }),
    gameMessage(19, 'cl_setspectatormode', { spectator_id: { kind: 'client', min: -1, names: enums.spectatorId06 } }),
    gameMessage(20, 'cl_startinfo', info06),
    gameMessage(21, 'cl_changeinfo', info06),
    gameMessage(22, 'cl_kill'),
    gameMessage(23, 'cl_emoticon', { emoticon: enumeration(enums.emoticon) }),
    gameMessage(24, 'cl_vote', { vote }),
    gameMessage(25, 'cl_callvote', { type: strictString, value: strictString, reason: strictString }),
    gameMessage(26, 'cl_isddnetlegacy', { ddnet_version: optional(int(0)) }),
    gameMessage(27, 'sv_ddracetimelegacy', ddraceTime),
    gameMessage(28, 'sv_recordlegacy', records),
    gameMessage(30, 'sv_teamsstatelegacy', teams, teamsCounts),
    gameMessage(31, 'cl_showotherslegacy', { show: boolean }),

    systemMessage(1, 'info', { version: string, password: optional(secret) }),
    systemMessage(2, 'map_change', { name: string, crc: int(), size: int(0) }),
    systemMessage(3, 'map_data', { last: boolean, crc: int(), chunk: int(0), size: int(0), data }),
    systemMessage(4, 'con_ready'),
    systemMessage(5, 'snap', snap),
    systemMessage(6, 'snap_empty', snapEmpty),
    systemMessage(7, 'snap_single', snapSingle),
    systemMessage(8, 'snap_small'),
    systemMessage(9, 'input_timing', inputTiming),
    systemMessage(10, 'rcon_auth_status', { auth_level: optional(int()), receive_commands: optional(boolean) }),
    systemMessage(11, 'rcon_line', { line: secret }),
    systemMessage(14, 'ready'),
    systemMessage(15, 'enter_game'),
    systemMessage(16, 'input', { ...inputHead, ...shapeOfItem(items06, 'obj_player_input') }),
    systemMessage(17, 'rcon_cmd', { cmd: secret }),
    systemMessage(18, 'rcon_auth', { name: string, password: secret, request_commands: optional(boolean) }),
    systemMessage(19, 'request_map_data', { chunk: int(0) }),
    /** Some documents give these the numbers 20 and 21, which were for signing in and are unused. */
    systemMessage(22, 'ping'),
    systemMessage(23, 'ping_reply'),
    systemMessage(25, 'rcon_cmd_add', rconCmdAdd),
    systemMessage(26, 'rcon_cmd_remove', { name: string }),
  ] as const satisfies readonly MessageType[];

export const chatMode = numbered('none all team whisper');

export const voteEvent = numbered('unknown start_op start_kick start_spec end_abort end_pass end_fail');

export const gameMsg = numbered(`
  team_swap spec_invalidid team_shuffle team_balance ctf_drop ctf_return team_all team_balance_victim ctf_grab
  ctf_capture game_paused
`);

/** The number of ints after a game message: a team, a team, a flag; a flag, a client and ticks; a client. */
const gameMsgParameters = { 6: 1, 7: 1, 8: 1, 9: 3, 10: 1 };

/** A killer who has left is sent as a team. */
const killer = { kind: 'client', min: -2, names: { [-1]: 'red', [-2]: 'blue' } } satisfies Meaning;

const skin = {
  skin_part_names: repeat(6, strictString, skinParts),
  use_custom_colors: repeat(6, boolean, skinParts),
  skin_part_colors: repeat(6, int(), skinParts),
} satisfies MessageShape;

const commandInfo = { name: strictString, args_format: strictString, help_text: strictString };

const info07 = { name: strictString, clan: strictString, country: int(), ...skin } satisfies MessageShape;

/**
 * DDNet appends own tune params. Up to 19.8.3 those after `laser_damage` are off by one for a client without a
 * character, in the games too.
 */
export const messages07 = () =>
  [
    gameMessage(1, 'sv_motd', { message: string }),
    gameMessage(2, 'sv_broadcast', { message: string }),
    gameMessage(3, 'sv_chat', {
      mode: enumeration(chatMode),
      client_id: clientOrNone,
      target_id: clientOrNone,
      message: strictString,
    }),
    gameMessage(4, 'sv_team', {
      client_id: clientOrNone,
      team: enumeration(enums.team),
      silent: boolean,
      cooldown_tick: tick,
    }),
    gameMessage(5, 'sv_killmsg', { ...killMessage, killer }),
    gameMessage(6, 'sv_tuneparams', tuning(enums.tuneParams07), [32, 43, 44, 46]),
    gameMessage(7, 'sv_extraprojectile', extraProjectiles(shapeOfItem(items07, 'obj_projectile'))),
    gameMessage(8, 'sv_readytoenter'),
    gameMessage(9, 'sv_weaponpickup', { weapon: enumeration(enums.weapon) }),
    gameMessage(10, 'sv_emoticon', { client_id: client, emoticon: enumeration(enums.emoticon) }),
    gameMessage(11, 'sv_voteclearoptions'),
    /** DDNet sends 15 texts here as well, of which the last ones may be empty. */
    gameMessage(12, 'sv_voteoptionlistadd', {
      num_options: int(0),
      description: repeat('counted_or_more', strictString),
    }),
    gameMessage(13, 'sv_voteoptionadd', { description: strictString }),
    gameMessage(14, 'sv_voteoptionremove', { description: strictString }),
    gameMessage(15, 'sv_voteset', {
      client_id: clientOrNone,
      type: enumeration(voteEvent),
      timeout: amount('s', 0, 60),
      description: strictString,
      reason: strictString,
    }),
    gameMessage(16, 'sv_votestatus', voteStatus07),
    gameMessage(17, 'sv_serversettings', {
      kick_vote: boolean,
      kick_min: players07,
      spec_vote: boolean,
      team_lock: boolean,
      team_balance: boolean,
      player_slots: players07,
    }),
    gameMessage(18, 'sv_clientinfo', {
      client_id: client,
      local: boolean,
      team: enumeration(enums.team),
      ...info07,
      silent: boolean,
    }),
    gameMessage(19, 'sv_gameinfo', gameInfo),
    gameMessage(20, 'sv_clientdrop', { client_id: client, reason: strictString, silent: boolean }),
    gameMessage(21, 'sv_gamemsg', { game_msg_id: enumeration(gameMsg), parameters: repeat(gameMsgParameters, int()) }),
    gameMessage(22, 'de_cliententer', { name: strictString, client_id: clientOrNone, team: enumeration(enums.team) }),
    gameMessage(23, 'de_clientleave', { name: strictString, client_id: clientOrNone, reason: strictString }),
    gameMessage(24, 'cl_say', { mode: enumeration(chatMode), target: clientOrNone, message: strictString }),
    gameMessage(25, 'cl_setteam', { team: enumeration(enums.team) }),
    gameMessage(26, 'cl_setspectatormode', { spec_mode: enumeration(enums.specMode), spectator_id: clientOrNone }),
    gameMessage(27, 'cl_startinfo', info07),
    gameMessage(28, 'cl_kill'),
    gameMessage(29, 'cl_readychange'),
    gameMessage(30, 'cl_emoticon', { emoticon: enumeration(enums.emoticon) }),
    gameMessage(31, 'cl_vote', { vote }),
    gameMessage(32, 'cl_callvote', { type: strictString, value: strictString, reason: strictString, force: boolean }),
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
    gameMessage(37, 'sv_commandinfo', commandInfo),
    gameMessage(38, 'sv_commandinforemove', { name: strictString }),
    gameMessage(39, 'cl_command', { name: strictString, arguments: strictString }),

    systemMessage(1, 'info', { version: string, password: optional(secret), client_version: optional(int()) }),
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
      flags: flags(bits('password timescore')),
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
    systemMessage(13, 'rcon_line', { line: secret }),
    systemMessage(14, 'rcon_cmd_add', rconCmdAdd),
    systemMessage(15, 'rcon_cmd_rem', { name: string }),
    systemMessage(18, 'ready'),
    systemMessage(19, 'enter_game'),
    systemMessage(20, 'input', {
      ...inputHead,
      ...shapeOfItem(items07, 'obj_player_input'),
      ping_correction: optional(amount('ms')),
    }),
    systemMessage(21, 'rcon_cmd', { cmd: secret }),
    systemMessage(22, 'rcon_auth', { password: secret }),
    systemMessage(23, 'request_map_data'),
    systemMessage(26, 'ping'),
    systemMessage(27, 'ping_reply'),
    systemMessage(29, 'maplist_entry_add', { name: string }),
    systemMessage(30, 'maplist_entry_rem', { name: string }),
  ] as const satisfies readonly MessageType[];

const capabilities = bits('ddnet chattimeoutcode anyplayerflag pingex allowdummy syncweaponinput');

/** DDNet's messages with a UUID, which it also sends to clients of 0.7. */
export const extendedMessages = () =>
  [
    extendedGame('sv_myownmessage', 'my-own-message@heinrich5991.de', '1231e484-f607-3722-a89a-bd85db46f5d2', {
      test: int(),
    }),
    extendedGame('cl_showdistance', 'show-distance@netmsg.ddnet.tw', '53bb28af-4252-3ac9-8fd3-6ccbc2a603e3', {
      x: int(),
      y: int(),
    }),
    extendedGame('cl_showothers', 'showothers@netmsg.ddnet.tw', '7f264cdd-71a2-3962-bbce-0f94bbd81913', {
      show: enumeration(numbered('off on only_team')),
    }),
    extendedGame('cl_camerainfo', 'camera-info@netmsg.ddnet.org', '8c470228-ee11-3808-93b9-c5c87d08b51c', {
      zoom: fixed(1000, ''),
      deadzone: int(),
      follow_factor: amount('%'),
    }),
    extendedGame(
      'sv_teamsstate',
      'teamsstate@netmsg.ddnet.tw',
      'a091961a-95e8-3744-bb60-5eac9bd563c6',
      teams,
      teamsCounts,
    ),
    extendedGame('sv_ddracetime', 'ddrace-time@netmsg.ddnet.tw', '5dde8b3c-6f6f-37ac-a72a-bb341fe76de5', ddraceTime),
    extendedGame('sv_record', 'record@netmsg.ddnet.tw', '804f149f-9b53-3b0a-897f-59663a1c4eb9', records),
    extendedGame('sv_killmsgteam', 'killmsgteam@netmsg.ddnet.tw', 'ee610b6f-909f-311e-93f7-11a95f55a086', {
      team: int(0, 127),
      first: clientOrNone,
    }),
    extendedGame('sv_yourvote', 'yourvote@netmsg.ddnet.org', 'bfd7f0fc-16d5-3e10-8015-a78380f13870', { voted: vote }),
    extendedGame('sv_racefinish', 'racefinish@netmsg.ddnet.org', 'c915ba68-0a49-3324-915a-7a6220cecf33', {
      client_id: client,
      time: amount('ms'),
      diff: amount('ms'),
      record_personal: boolean,
      record_server: optional(boolean),
    }),
    extendedGame('sv_commandinfo', 'commandinfo@netmsg.ddnet.org', '90778f65-1b8f-322a-9713-cf741aa44a05', commandInfo),
    extendedGame(
      'sv_commandinforemove',
      'commandinfo-remove@netmsg.ddnet.org',
      'eb2e77ce-e9a2-35aa-94be-235f523ac1aa',
      {
        name: strictString,
      },
    ),
    extendedGame(
      'sv_voteoptiongroupstart',
      'sv-vote-option-group-start@netmsg.ddnet.org',
      '969d127c-b768-390d-8879-6104993769fa',
    ),
    extendedGame(
      'sv_voteoptiongroupend',
      'sv-vote-option-group-end@netmsg.ddnet.org',
      '4f096765-39b1-3766-82dc-61b20ccf589a',
    ),
    extendedGame(
      'sv_commandinfogroupstart',
      'sv-commandinfo-group-start@netmsg.ddnet.org',
      '9e220138-d393-3cb0-90f1-e587c00ab1d0',
    ),
    extendedGame(
      'sv_commandinfogroupend',
      'sv-commandinfo-group-end@netmsg.ddnet.org',
      '054125d8-0062-3891-840b-47462285a01f',
    ),
    extendedGame(
      'sv_changeinfocooldown',
      'change-info-cooldown@netmsg.ddnet.org',
      '746cb54c-6b2b-39a7-8cd8-7c7a1c6c3009',
      { wait_until: strictTick },
    ),
    extendedGame('sv_mapsoundglobal', 'map-sound-global@netmsg.ddnet.org', '669c9741-695a-369b-856c-a254f6b7f0cb', {
      sound_id: int(),
    }),
    extendedGame('sv_preinput', 'preinput@netmsg.ddnet.org', 'b5d3a686-ad59-382c-b3de-d9fedc3320ae', {
      ...input({}),
      owner: client,
      intended_tick: strictTick,
    }),
    extendedGame('sv_savecode', 'save-code@netmsg.ddnet.org', 'dc9edffb-266a-3bd6-b101-a949fa44e16b', {
      state: enumeration(numbered('pending done fallbackfile warning error')),
      error: strictString,
      save_requester: strictString,
      server_name: strictString,
      generated_code: strictString,
      code: strictString,
      team_members: strictString,
    }),
    extendedGame('sv_serveralert', 'server-alert@netmsg.ddnet.org', '035206dc-9f8b-315c-9abf-5ab9153a857c', {
      message: string,
    }),
    extendedGame('sv_moderatoralert', 'moderator-alert@netmsg.ddnet.org', 'd7c55683-7983-32f0-8d9a-877434ea19d5', {
      message: string,
    }),
    extendedGame(
      'cl_enablespectatorcount',
      'enable-spectator-count@netmsg.ddnet.org',
      'e19b66e8-0646-351b-aa03-d4aba7b9545f',
      { enable: boolean },
    ),
    extendedGame('sv_mapinfo', 'map-info@netmsg.ddnet.org', 'da46b81d-a060-30c3-9abb-dd2945e8edb4', {
      description: string,
    }),

    extendedSystem('what_is', 'what-is@ddnet.tw', '245e5097-9fe0-39d6-bf7d-9a29e1691e4c', { uuid: rawUuid }),
    extendedSystem('it_is', 'it-is@ddnet.tw', '6954847e-2e87-3603-b562-36da29ed1aca', { uuid: rawUuid, name: string }),
    extendedSystem('i_dont_know', 'i-dont-know@ddnet.tw', '416911b5-7973-33bf-8d52-7bf01e519cf0', { uuid: rawUuid }),
    extendedSystem('rcon_type', 'rcon-type@ddnet.tw', '12810e1f-a1db-3378-b4fb-164ed6505926', {
      username_required: boolean,
    }),
    extendedSystem('map_details', 'map-details@ddnet.tw', 'f9117b3c-8039-3416-9fc0-aef2bcb75c03', {
      name: string,
      sha256,
      crc: int(),
      size: optional(int(0)),
      url: optional(string),
    }),
    extendedSystem('capabilities', 'capabilities@ddnet.tw', 'f621a5a1-f585-3775-8e73-41beee79f2b2', {
      version: int(),
      flags: flags(capabilities),
    }),
    extendedSystem('client_version', 'clientver@ddnet.tw', '8c001304-8461-3e47-8787-f672b3835bd4', {
      connection_id: rawUuid,
      ddnet_version: int(),
      ddnet_version_string: string,
    }),
    extendedSystem('ping_ex', 'ping@ddnet.tw', 'bcb43bf5-427c-36d8-b5b8-7975c8c06aa1', { id: rawUuid }),
    extendedSystem('pong_ex', 'pong@ddnet.tw', 'd8295530-14a7-3a0a-b02e-b2cee08d2033', { id: rawUuid }),
    extendedSystem('checksum_request', 'checksum-request@ddnet.tw', '60a7cef1-2ecc-3ed4-b138-00fd0c8f5994', {
      id: rawUuid,
      start: int(0),
      length: int(0),
    }),
    extendedSystem('checksum_response', 'checksum-response@ddnet.tw', '88fc61ec-5a3c-3fc3-8dfa-fd3b715db9e0', {
      id: rawUuid,
      sha256,
    }),
    extendedSystem('checksum_error', 'checksum-error@ddnet.tw', '090960d1-4000-3fd5-9670-4976ae702a6a', {
      id: rawUuid,
      error: int(),
    }),
    extendedSystem('redirect', 'redirect@ddnet.org', '4efe406a-7774-33f1-bfde-1806ff6d1528', { port: int(0, 65535) }),
    extendedSystem('rcon_cmd_group_start', 'rcon-cmd-group-start@ddnet.org', '85f67ffe-f1b1-3af3-98c4-26dbf77111b7', {
      length: int(0),
    }),
    extendedSystem('rcon_cmd_group_end', 'rcon-cmd-group-end@ddnet.org', '5e02c980-6ca1-3c99-a9af-4650ae956252'),
    extendedSystem('map_reload', 'map-reload@ddnet.org', '9a9b28a3-19b0-37d9-b1f4-2cccfba05bac'),
    extendedSystem('reconnect', 'reconnect@ddnet.org', '5f4d5db7-3947-3711-b04e-07a1ff23c970'),
    extendedSystem('maplist_add', 'sv-maplist-add@ddnet.org', 'ca956101-b034-3339-92ca-aa104b20d770', {
      names: repeat('to_end', string),
    }),
    extendedSystem('maplist_group_start', 'sv-maplist-start@ddnet.org', 'd2fafec0-5cd2-319a-a84d-480f2072dee4', {
      length: int(0),
    }),
    extendedSystem('maplist_group_end', 'sv-maplist-end@ddnet.org', '43fd0a8b-8b23-350d-b3f6-0de549246a70'),
  ] as const satisfies readonly MessageType[];

/** Clients and bots introduce themselves with a message that has no values, or a version as text. */
const introduction = <const Name extends string>(name: Name, uuidName: string, uuid: string) =>
  extendedSystem(name, uuidName, uuid, { version: optional(string) });

/**
 * What clients, bots and servers of others introduce themselves with, and what they say to each other. Who does not
 * know them ignores them.
 *
 * Source: the names in the public sources of each, which have the values, too, where there are others than a version.
 */
export const introductions = () =>
  [
    introduction('i_am_bestclient', 'i-am-bestclient@bestclient.fun', '3ee7bff3-070f-377c-bc6b-d171a6803732'),
    introduction('i_am_tater', 'iamtater@sjrc6.github.io', 'c507091a-5755-307f-ac7d-3c1fab3a06df'),
    introduction('i_am_chillerbot', 'i-am-chillerbot@chillerbot.github.io', 'd8cce6dd-0470-371f-a0f5-7682fe12895f'),
    introduction('i_am_qxd', 'i-am-qxd@qxdFox.github.io', '450ddeec-795e-3e34-b54f-71ce3de32c0b'),
    introduction('i_am_aiodob', 'i-am-aiodob@qxdFox.github.io', 'aca07475-29bf-3bf3-847f-a42fe0740aff'),
    introduction('i_am_fex', 'i-am-fex@faffa81.github.io', '43ebe316-794e-3756-98bd-6412f0eea7b2'),
    introduction('i_am_pulse', 'i-am-pulse@pulse-client.xyz', 'f657a570-6a58-3595-94a4-48493c3d73d6'),
    introduction('i_am_sclient', 'i-am-sclient@sclient.site', '8cd5038c-11ce-3a15-b104-acda8f819530'),
    introduction('i_am_cactus', 'iamcactus@denchik.top', '9a13c9f9-329d-3e2f-ad3f-d6415e40fcb1'),
    introduction('i_am_npm_package', 'i-am-npm-package@swarfey.gitlab.io', 'e95d6aa4-95d4-3869-bb5f-7f42ed4d6420'),
    introduction('i_am_rushie', 'i-am-rushie@RushieClient.github.io', '710e7fcf-f26e-36ea-8bfd-ce480eb2faa9'),
    introduction('i_am_rushie_1voix1', 'i-am-rushie@1voix1.github.io', '2bf78e14-67d0-3dc3-a54a-863c194758bf'),
    introduction('i_am_sta', 'i-am-StA@stormaxs.github.io/sta.github.io', '90e89143-5309-35ca-9468-9f4dd0853ecc'),
    introduction('i_am_tnc', 'i-am-TNC@thenofis.github.io/thenofis.github.io', '0d8c7f77-601c-3a38-a2d4-f2b03c064acc'),
    introduction('i_am_allthehaxx', 'i-am-allthehaxx@allthehaxx.github.io', 'd088a57e-28d1-3596-aee6-c58e59061b4e'),
    introduction(
      'i_am_teeworlds_network',
      'i-am-teeworlds_network@chillerdragon.github.io',
      '99d80f9d-1325-3812-b17b-6ebd1b569989',
    ),
    extendedSystem(
      'tater_checksum_request',
      'checksum-request@sjrc6.github.io',
      'be4703bb-c9a6-319e-9bf2-070a076d3ed5',
      { id: rawUuid },
    ),
    extendedSystem(
      'tater_checksum_response',
      'checksum-response@sjrc6.github.io',
      '5ad8b735-7079-3514-8b6b-eca8305874fc',
      { id: rawUuid, sha256 },
    ),
    extendedSystem('infclass_version', 'clientver@infclass', '1e1b9303-4aed-3022-bb9d-4c7cab0e39cd', {
      infclass_version: int(0),
    }),
    extendedSystem('kaizo_version', 'kaizoversion@m0rekz.github.io', '13d20a78-22fa-3d24-9882-91924665b4c9', {
      kaizo_version: int(),
    }),
    extendedSystem(
      'foxnet_fastinputs',
      'cl-foxnet-fastinputs@foxnet-ddnet.github.io',
      '0031f379-9071-3694-8b35-cf402fba3292',
      {
        fast_inputs: int(),
        amount: optional(int()),
      },
    ),
    // The others are game messages.
    extendedGame('sv_modifytile', 'modify-tile@msg.zillyhuhn.com', '1b6727a5-865d-34d6-927a-157bfdb819d4', {
      x: int(),
      y: int(),
      group: int(),
      layer: int(),
      index: int(),
      flags: int(),
    }),
    extendedGame('sv_ddnetplusplus', 'ddnet-plus-plus@zillyhuhn.com', '0d6afee3-9b82-378b-9b04-290aa0022a92', {
      flags: int(),
      flags2: int(),
      allow_flags: int(),
      version: string,
    }),
  ] as const satisfies readonly MessageType[];
