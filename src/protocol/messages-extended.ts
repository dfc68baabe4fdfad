import { requestedWeapon } from './enums.ts';
import { amount, boolean, client, enumeration, fixed, flags, int, tick } from './meaning.ts';
import {
  extendedGameMessage,
  extendedSystemMessage,
  type MessageType,
  optional,
  rawUuid,
  repeat,
  sha256,
  string,
} from './message.ts';
import { ddraceTime, records, teams, teamsCounts, vote } from './messages-0.6.ts';

const showOthers = { 0: 'off', 1: 'on', 2: 'only_team' };

const saveState = { 0: 'pending', 1: 'done', 2: 'fallbackfile', 3: 'warning', 4: 'error' };

const capabilities = {
  1: 'ddnet',
  2: 'chattimeoutcode',
  4: 'anyplayerflag',
  8: 'pingex',
  16: 'allowdummy',
  32: 'syncweaponinput',
};

/** DDNet's messages with a UUID, which it also sends to clients of 0.7. */
export const extendedMessages: readonly MessageType[] = [
  extendedGameMessage('sv_myownmessage', 'my-own-message@heinrich5991.de', '1231e484-f607-3722-a89a-bd85db46f5d2', {
    test: int(),
  }),
  extendedGameMessage('cl_showdistance', 'show-distance@netmsg.ddnet.tw', '53bb28af-4252-3ac9-8fd3-6ccbc2a603e3', {
    x: int(),
    y: int(),
  }),
  extendedGameMessage('cl_showothers', 'showothers@netmsg.ddnet.tw', '7f264cdd-71a2-3962-bbce-0f94bbd81913', {
    show: enumeration(showOthers),
  }),
  extendedGameMessage('cl_camerainfo', 'camera-info@netmsg.ddnet.org', '8c470228-ee11-3808-93b9-c5c87d08b51c', {
    zoom: fixed(1000, ''),
    deadzone: int(0),
    follow_factor: amount('%', 0),
  }),
  extendedGameMessage(
    'sv_teamsstate',
    'teamsstate@netmsg.ddnet.tw',
    'a091961a-95e8-3744-bb60-5eac9bd563c6',
    teams,
    teamsCounts,
  ),
  extendedGameMessage(
    'sv_ddracetime',
    'ddrace-time@netmsg.ddnet.tw',
    '5dde8b3c-6f6f-37ac-a72a-bb341fe76de5',
    ddraceTime,
  ),
  extendedGameMessage('sv_record', 'record@netmsg.ddnet.tw', '804f149f-9b53-3b0a-897f-59663a1c4eb9', records),
  extendedGameMessage('sv_killmsgteam', 'killmsgteam@netmsg.ddnet.tw', 'ee610b6f-909f-311e-93f7-11a95f55a086', {
    team: int(0),
    first: client,
  }),
  extendedGameMessage('sv_yourvote', 'yourvote@netmsg.ddnet.org', 'bfd7f0fc-16d5-3e10-8015-a78380f13870', {
    voted: vote,
  }),
  extendedGameMessage('sv_racefinish', 'racefinish@netmsg.ddnet.org', 'c915ba68-0a49-3324-915a-7a6220cecf33', {
    client_id: client,
    time: amount('ms'),
    diff: amount('ms'),
    record_personal: boolean,
    record_server: optional(boolean),
  }),
  extendedGameMessage('sv_commandinfo', 'commandinfo@netmsg.ddnet.org', '90778f65-1b8f-322a-9713-cf741aa44a05', {
    name: string,
    args_format: string,
    help_text: string,
  }),
  extendedGameMessage(
    'sv_commandinforemove',
    'commandinfo-remove@netmsg.ddnet.org',
    'eb2e77ce-e9a2-35aa-94be-235f523ac1aa',
    { name: string },
  ),
  extendedGameMessage(
    'sv_voteoptiongroupstart',
    'sv-vote-option-group-start@netmsg.ddnet.org',
    '969d127c-b768-390d-8879-6104993769fa',
  ),
  extendedGameMessage(
    'sv_voteoptiongroupend',
    'sv-vote-option-group-end@netmsg.ddnet.org',
    '4f096765-39b1-3766-82dc-61b20ccf589a',
  ),
  extendedGameMessage(
    'sv_commandinfogroupstart',
    'sv-commandinfo-group-start@netmsg.ddnet.org',
    '9e220138-d393-3cb0-90f1-e587c00ab1d0',
  ),
  extendedGameMessage(
    'sv_commandinfogroupend',
    'sv-commandinfo-group-end@netmsg.ddnet.org',
    '054125d8-0062-3891-840b-47462285a01f',
  ),
  extendedGameMessage(
    'sv_changeinfocooldown',
    'change-info-cooldown@netmsg.ddnet.org',
    '746cb54c-6b2b-39a7-8cd8-7c7a1c6c3009',
    { wait_until: tick },
  ),
  extendedGameMessage(
    'sv_mapsoundglobal',
    'map-sound-global@netmsg.ddnet.org',
    '669c9741-695a-369b-856c-a254f6b7f0cb',
    { sound_id: int() },
  ),
  extendedGameMessage('sv_preinput', 'preinput@netmsg.ddnet.org', 'b5d3a686-ad59-382c-b3de-d9fedc3320ae', {
    direction: int(),
    target_x: int(),
    target_y: int(),
    jump: boolean,
    fire: int(),
    hook: boolean,
    wanted_weapon: enumeration(requestedWeapon),
    next_weapon: int(),
    prev_weapon: int(),
    owner: client,
    intended_tick: tick,
  }),
  extendedGameMessage('sv_savecode', 'save-code@netmsg.ddnet.org', 'dc9edffb-266a-3bd6-b101-a949fa44e16b', {
    state: enumeration(saveState),
    error: string,
    save_requester: string,
    server_name: string,
    generated_code: string,
    code: string,
    team_members: string,
  }),
  extendedGameMessage('sv_serveralert', 'server-alert@netmsg.ddnet.org', '035206dc-9f8b-315c-9abf-5ab9153a857c', {
    message: string,
  }),
  extendedGameMessage('sv_moderatoralert', 'moderator-alert@netmsg.ddnet.org', 'd7c55683-7983-32f0-8d9a-877434ea19d5', {
    message: string,
  }),
  extendedGameMessage(
    'cl_enablespectatorcount',
    'enable-spectator-count@netmsg.ddnet.org',
    'e19b66e8-0646-351b-aa03-d4aba7b9545f',
    { enable: boolean },
  ),
  extendedGameMessage('sv_mapinfo', 'map-info@netmsg.ddnet.org', 'da46b81d-a060-30c3-9abb-dd2945e8edb4', {
    description: string,
  }),

  extendedSystemMessage('what_is', 'what-is@ddnet.tw', '245e5097-9fe0-39d6-bf7d-9a29e1691e4c', { uuid: rawUuid }),
  extendedSystemMessage('it_is', 'it-is@ddnet.tw', '6954847e-2e87-3603-b562-36da29ed1aca', {
    uuid: rawUuid,
    name: string,
  }),
  extendedSystemMessage('i_dont_know', 'i-dont-know@ddnet.tw', '416911b5-7973-33bf-8d52-7bf01e519cf0', {
    uuid: rawUuid,
  }),
  extendedSystemMessage('rcon_type', 'rcon-type@ddnet.tw', '12810e1f-a1db-3378-b4fb-164ed6505926', {
    username_required: boolean,
  }),
  extendedSystemMessage('map_details', 'map-details@ddnet.tw', 'f9117b3c-8039-3416-9fc0-aef2bcb75c03', {
    name: string,
    sha256,
    crc: int(),
    size: optional(int(0)),
    url: optional(string),
  }),
  extendedSystemMessage('capabilities', 'capabilities@ddnet.tw', 'f621a5a1-f585-3775-8e73-41beee79f2b2', {
    version: int(),
    flags: flags(capabilities),
  }),
  extendedSystemMessage('client_version', 'clientver@ddnet.tw', '8c001304-8461-3e47-8787-f672b3835bd4', {
    connection_id: rawUuid,
    ddnet_version: int(),
    ddnet_version_string: string,
  }),
  extendedSystemMessage('ping_ex', 'ping@ddnet.tw', 'bcb43bf5-427c-36d8-b5b8-7975c8c06aa1', { id: rawUuid }),
  extendedSystemMessage('pong_ex', 'pong@ddnet.tw', 'd8295530-14a7-3a0a-b02e-b2cee08d2033', { id: rawUuid }),
  extendedSystemMessage('checksum_request', 'checksum-request@ddnet.tw', '60a7cef1-2ecc-3ed4-b138-00fd0c8f5994', {
    id: rawUuid,
    start: int(0),
    length: int(0),
  }),
  extendedSystemMessage('checksum_response', 'checksum-response@ddnet.tw', '88fc61ec-5a3c-3fc3-8dfa-fd3b715db9e0', {
    id: rawUuid,
    sha256,
  }),
  extendedSystemMessage('checksum_error', 'checksum-error@ddnet.tw', '090960d1-4000-3fd5-9670-4976ae702a6a', {
    id: rawUuid,
    error: int(),
  }),
  extendedSystemMessage('redirect', 'redirect@ddnet.org', '4efe406a-7774-33f1-bfde-1806ff6d1528', {
    port: int(0, 65535),
  }),
  extendedSystemMessage(
    'rcon_cmd_group_start',
    'rcon-cmd-group-start@ddnet.org',
    '85f67ffe-f1b1-3af3-98c4-26dbf77111b7',
    { length: int(0) },
  ),
  extendedSystemMessage('rcon_cmd_group_end', 'rcon-cmd-group-end@ddnet.org', '5e02c980-6ca1-3c99-a9af-4650ae956252'),
  extendedSystemMessage('map_reload', 'map-reload@ddnet.org', '9a9b28a3-19b0-37d9-b1f4-2cccfba05bac'),
  extendedSystemMessage('reconnect', 'reconnect@ddnet.org', '5f4d5db7-3947-3711-b04e-07a1ff23c970'),
  extendedSystemMessage('maplist_add', 'sv-maplist-add@ddnet.org', 'ca956101-b034-3339-92ca-aa104b20d770', {
    names: repeat('to_end', string),
  }),
  extendedSystemMessage('maplist_group_start', 'sv-maplist-start@ddnet.org', 'd2fafec0-5cd2-319a-a84d-480f2072dee4', {
    length: int(0),
  }),
  extendedSystemMessage('maplist_group_end', 'sv-maplist-end@ddnet.org', '43fd0a8b-8b23-350d-b3f6-0de549246a70'),
];
