import { requestedWeapon } from './enums.ts';
import { amount, bits, boolean, client, enumeration, fixed, flags, int, numbered, tick } from './meaning.ts';
import {
  extendedGame,
  extendedSystem,
  type MessageType,
  optional,
  rawUuid,
  repeat,
  sha256,
  string,
} from './message.ts';
import { ddraceTime, records, teams, teamsCounts, vote } from './messages-0.6.ts';

const showOthers = numbered('off on only_team');

const saveState = numbered('pending done fallbackfile warning error');

const capabilities = bits('ddnet chattimeoutcode anyplayerflag pingex allowdummy syncweaponinput');

/** DDNet's messages with a UUID, which it also sends to clients of 0.7. */
export const extendedMessages: readonly MessageType[] = [
  extendedGame('sv_myownmessage', 'my-own-message@heinrich5991.de', '1231e484-f607-3722-a89a-bd85db46f5d2', {
    test: int(),
  }),
  extendedGame('cl_showdistance', 'show-distance@netmsg.ddnet.tw', '53bb28af-4252-3ac9-8fd3-6ccbc2a603e3', {
    x: int(),
    y: int(),
  }),
  extendedGame('cl_showothers', 'showothers@netmsg.ddnet.tw', '7f264cdd-71a2-3962-bbce-0f94bbd81913', {
    show: enumeration(showOthers),
  }),
  extendedGame('cl_camerainfo', 'camera-info@netmsg.ddnet.org', '8c470228-ee11-3808-93b9-c5c87d08b51c', {
    zoom: fixed(1000, ''),
    deadzone: int(0),
    follow_factor: amount('%', 0),
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
    team: int(0),
    first: client,
  }),
  extendedGame('sv_yourvote', 'yourvote@netmsg.ddnet.org', 'bfd7f0fc-16d5-3e10-8015-a78380f13870', { voted: vote }),
  extendedGame('sv_racefinish', 'racefinish@netmsg.ddnet.org', 'c915ba68-0a49-3324-915a-7a6220cecf33', {
    client_id: client,
    time: amount('ms'),
    diff: amount('ms'),
    record_personal: boolean,
    record_server: optional(boolean),
  }),
  extendedGame('sv_commandinfo', 'commandinfo@netmsg.ddnet.org', '90778f65-1b8f-322a-9713-cf741aa44a05', {
    name: string,
    args_format: string,
    help_text: string,
  }),
  extendedGame('sv_commandinforemove', 'commandinfo-remove@netmsg.ddnet.org', 'eb2e77ce-e9a2-35aa-94be-235f523ac1aa', {
    name: string,
  }),
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
    { wait_until: tick },
  ),
  extendedGame('sv_mapsoundglobal', 'map-sound-global@netmsg.ddnet.org', '669c9741-695a-369b-856c-a254f6b7f0cb', {
    sound_id: int(),
  }),
  extendedGame('sv_preinput', 'preinput@netmsg.ddnet.org', 'b5d3a686-ad59-382c-b3de-d9fedc3320ae', {
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
  extendedGame('sv_savecode', 'save-code@netmsg.ddnet.org', 'dc9edffb-266a-3bd6-b101-a949fa44e16b', {
    state: enumeration(saveState),
    error: string,
    save_requester: string,
    server_name: string,
    generated_code: string,
    code: string,
    team_members: string,
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
];
