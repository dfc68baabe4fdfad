import type { Meaning } from '../../src/wire/protocol/meaning.ts';
import { messagesOf } from '../../src/wire/protocol/message-registry.ts';
import type { MessageField, MessageFieldType, MessageType } from '../../src/wire/protocol/message-type.ts';
import { introductions } from '../../src/wire/protocol/messages.ts';
import { fromHex, intsHex, messageHead, nulText, packInts, toHex } from '../encode.mjs';
import { valuesFor } from './values.ts';
import type { About, Deed, Vectors } from './vector.ts';

const versions = ['0.5', '0.6', '0.7'] as const;
type Version = (typeof versions)[number];

export function makeMessages(vectors: Vectors): void {
  makeStrings(vectors);
  makeValues(vectors);
  makeHeads(vectors);
  for (const version of versions) makeTables(vectors, version);
  makeOdd(vectors);
  makeWrong(vectors);
  makeReceived(vectors);
  makeLists(vectors);
  makeServerInfos(vectors);
}

const notUtf8 = 'message: string that is not UTF-8';

function makeStrings(vectors: Vectors): void {
  const about = { source: 'CUnpacker::GetString in packer.cpp' };
  const read = (bytes: readonly number[], text: string, size: number, note?: string) =>
    vectors.valid('string', { in: toHex(bytes) }, { text, size }, { ...about, ...(note && { note }) });
  read(nulText(''), '', 1);
  read(nulText('ab'), 'ab', 3);
  read([...nulText('ab'), 0x63], 'ab', 3, 'what follows is the next value');
  read([...nulText(''), ...nulText('ab')], '', 1, 'an empty text before another');
  for (const text of ['ä', '🐱', '\u00a0', '\ufeffab']) read(nulText(text), text, nulText(text).length, 'UTF-8');
  const raw = 'raw: a game sanitises it to show it';
  for (const text of ['\x01a\nb\x1f', ' \ta']) read(nulText(text), text, nulText(text).length, raw);
  vectors.acceptable('string', { in: '' }, undefined, ['dropped', { does: 'accepted', out: { text: '' } }], {
    ...about,
    note: 'no byte: Teeworlds reads an empty text',
  });
  vectors.invalid('string', { in: '6162' }, { ...about, row: 'message: string without a NUL' });
  const differ = (hex: string, text: string, note: string) =>
    vectors.acceptable('string', { in: hex }, { text, size: hex.length / 2 }, ['dropped', 'accepted'], {
      ...about,
      row: notUtf8,
      note,
    });
  differ('ff00', '\ufffd', 'a byte that is in no character');
  differ('c300', '\ufffd', 'a character that is cut');
  differ('c08000', '\ufffd\ufffd', 'an overlong NUL');
  differ('eda08000', '\ufffd\ufffd\ufffd', 'a surrogate');
}

/** Values one after the other. Kinds: i int, s text, b boolean, d a number of bytes and these. */
function makeValues(vectors: Vectors): void {
  const about = { source: 'CUnpacker in packer.cpp' };
  const read = (hex: string, kinds: string, values: readonly unknown[], note?: string) =>
    vectors.valid('values', { in: hex, kinds: [...kinds] }, { values }, { ...about, ...(note && { note }) });
  const ints = [1, -1, 2 ** 31 - 1, -(2 ** 31)];
  read(intsHex(ints), 'iiii', ints);
  read('0061620001', 'isb', [0, 'ab', 1]);
  read('0000', 'ss', ['', '']);
  read('000100', 'bbb', [0, 1, 0], 'booleans');
  read('03aabbcc05', 'di', ['aabbcc', 5], 'bytes after their number');
  read('02aabb', 'd', ['aabb'], 'bytes up to the end');
  read('0005', 'di', ['', 5], 'no bytes');
  read('8101026200', 'iis', [65, 2, 'b'], 'an int of two bytes');
  const refused = (hex: string, kinds: string, more: About) =>
    vectors.invalid('values', { in: hex, kinds: [...kinds] }, { ...about, ...more });
  const cut = 'message: field that ends early, or is missing';
  refused('04aabbcc', 'd', { row: cut, note: 'fewer bytes than announced' });
  refused('01', 'ii', { row: cut, note: 'the second int is missing' });
  refused('0180', 'ii', { row: cut, note: 'the second int is cut' });
  refused('40aa', 'd', { row: 'message: negative size of data' });
  for (const hex of ['02', '40'])
    vectors.acceptable(
      'values',
      { in: hex, kinds: ['b'] },
      { values: [hex === '02' ? 2 : -1] },
      ['dropped', 'dropped'],
      {
        ...about,
        note: 'a boolean other than 0 and 1: messages with it are dropped',
      },
    );
}

const idMessage = '0dc77a02-bfee-3a53-ac8e-0bb0241bd722';

function makeHeads(vectors: Vectors): void {
  const about = { source: 'UnpackMessageId in protocol_ex.cpp' };
  const read = (hex: string, out: object, note?: string) =>
    vectors.valid('head', { in: hex }, out, { ...about, ...(note && { note }) });
  for (const id of [1, 3, 31, 127, 128, 255, 256, 1000, 0xffff])
    for (const system of [false, true]) read(`${messageHead({ id, system })}00aa`, { system, id, rest: '00aa' });
  // Teeworlds has no limit, and no such message.
  for (const [id, note] of [
    [0x10000, 'DDNet has numbers below 65,536'],
    [-1, 'a negative number'],
    [-0x40000000, 'the lowest number'],
  ] as const) {
    const question = { in: `${intsHex([id * 2])}00aa` };
    vectors.acceptable('head', question, { system: false, id, rest: '00aa' }, ['refused', 'ignored'], {
      ...about,
      note,
    });
  }
  for (const system of [false, true]) read(messageHead({ id: 1, system }), { system, id: 1, rest: '' }, 'no values');
  for (const system of [false, true])
    read(`${messageHead({ id: 32, system })}ff`, { system, id: 32, rest: 'ff' }, 'the number has two bytes');
  for (const system of [false, true])
    read(
      `${messageHead({ system, uuid: idMessage })}0a`,
      { system, uuid: idMessage, rest: '0a' },
      'number 0: a UUID follows',
    );
  vectors.invalid(
    'head',
    { in: messageHead({ system: true, uuid: idMessage.slice(0, 8) }) },
    { ...about, note: 'a UUID that is cut' },
  );
  vectors.invalid('head', { in: '' }, { ...about, note: 'no byte' });
}

/** A value of a message as bytes, and as an answer has it. */
interface Written {
  readonly bytes: readonly number[];
  readonly values: readonly unknown[];
}

const joined = (parts: readonly Written[]): Written => ({
  bytes: parts.flatMap(({ bytes }) => bytes),
  values: parts.flatMap(({ values }) => values),
});

/** What a counted list and data have before them. */
const counted = 2;

/**
 * @param place counts the values before it
 * @returns undefined for a kind whose values follow from others
 */
function written(type: MessageFieldType, place: number): Written | undefined {
  switch (type.kind) {
    case 'string': {
      const text = `s${place}`;
      return { bytes: nulText(text), values: [text] };
    }
    case 'data':
    case 'rest': {
      const bytes = new Array(counted).fill(place);
      return { bytes, values: [toHex(bytes)] };
    }
    case 'raw_uuid': {
      const uuid = `0${place % 10}234567-89ab-3def-8123-456789abcdef`;
      return { bytes: [...fromHex(uuid.replaceAll('-', ''))], values: [uuid] };
    }
    case 'sha256': {
      const bytes = Array.from({ length: 32 }, (_, i) => place + i);
      return { bytes, values: [toHex(bytes)] };
    }
    case 'record':
    case 'repeat':
      return undefined;
    default: {
      const { ints, values } = valuesFor(type as Meaning, place);
      return { bytes: packInts(ints), values };
    }
  }
}

/** The numbers of fields that a message may have. */
function fieldCounts({ fields, valueCounts }: MessageType): readonly number[] {
  if (valueCounts.length > 0) return valueCounts;
  return [...fields.keys(), fields.length].filter((count) => fields.slice(count).every(({ optional }) => optional));
}

function writtenFields(fields: readonly MessageField[]): Written | undefined {
  const parts: Written[] = [];
  for (const [i, { type }] of fields.entries()) {
    const isSize = fields[i + 1]?.type.kind === 'data';
    const part = isSize ? { bytes: [counted], values: [counted] } : written(type, 1 + i);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return joined(parts);
}

const hasDelta = ({ name, system }: MessageType) => system && /^snap(_single|_small)?$/.test(name);

function bytesOf(type: MessageType, values: Written): string {
  const head = messageHead({ ...(type.uuid ? { uuid: type.uuid } : { id: type.id! }), system: type.system });
  return head + toHex(values.bytes);
}

/** Every message of the tables whose values are one after the other, with values that no game refuses. */
function makeTables(vectors: Vectors, protocol: Version): void {
  const ofClients = new Set(introductions().map(({ uuid }) => uuid));
  for (const type of messagesOf(protocol).all) {
    // Those with which other clients introduce themselves are in no table of the games.
    if (type.uuid && ofClients.has(type.uuid)) continue;
    if (hasDelta(type) || (type.uuid && protocol !== '0.6')) continue;
    const source = type.uuid ? 'protocol_ex_msgs.h, datasrc/network.py of DDNet' : 'datasrc/network.py, protocol.h';
    for (const count of fieldCounts(type).toReversed()) {
      const values = writtenFields(type.fields.slice(0, count));
      if (values === undefined) continue;
      const left = type.fields.length - count;
      vectors.valid(
        'message',
        { protocol, in: bytesOf(type, values) },
        { name: type.name, values: values.values },
        { source, ...(left > 0 && { note: `without the last ${left} of its fields, as older senders` }) },
      );
    }
  }
}

function messageNamed(protocol: Version, name: string) {
  const type = messagesOf(protocol).all.find((known) => known.name === name)!;
  return { type, ...writtenFields(type.fields)! };
}

function makeOdd(vectors: Vectors): void {
  const question = (protocol: Version, hex: string) => ({ protocol, in: hex });
  for (const [protocol, name] of [
    ['0.6', 'sv_motd'],
    ['0.7', 'sv_motd'],
    ['0.6', 'ping'],
  ] as const) {
    const { type, ...values } = messageNamed(protocol, name);
    vectors.valid(
      'message',
      question(protocol, `${bytesOf(type, values)}0102`),
      { name, values: values.values },
      {
        row: 'message: bytes after the last field',
        source: 'CUnpacker in packer.cpp',
      },
    );
  }
  const motd = messageNamed('0.6', 'sv_motd').type;
  const raw = { bytes: nulText(' a\x01b'), values: [' a\x01b'] };
  vectors.valid(
    'message',
    question('0.6', bytesOf(motd, raw)),
    { name: 'sv_motd', values: raw.values },
    {
      source: 'CUnpacker::GetString in packer.cpp',
      note: 'texts are raw: a game sanitises this one to show it',
    },
  );
  const secure = 'CNetObjHandler::SecureUnpackMsg, which datasrc/compile.py writes';
  /** One int of a message replaced; `deeds` by DDNet and Teeworlds. */
  const replaced = (
    [protocol, name, field, value]: readonly [Version, string, string, number],
    deeds: readonly [Deed | string, Deed | string],
    row: string,
  ) => {
    const { type } = messageNamed(protocol, name);
    const at = type.fields.findIndex((known) => known.name === field);
    const parts = type.fields.map((known, i) =>
      i === at ? { bytes: packInts([value]), values: [value] } : written(known.type, 1 + i)!,
    );
    const values = joined(parts);
    const about = { row: `message: ${row}`, source: secure };
    vectors.acceptable(
      'message',
      question(protocol, bytesOf(type, values)),
      { name, values: values.values },
      deeds,
      about,
    );
  };
  const outside = 'game message: value outside the bounds of its field';
  replaced(['0.6', 'sv_emoticon', 'emoticon', 16], ['dropped', 'dropped'], outside);
  replaced(['0.6', 'sv_emoticon', 'client_id', -1], ['dropped', 'dropped'], outside);
  replaced(['0.7', 'cl_emoticon', 'emoticon', -1], ['dropped', 'dropped'], outside);
  replaced(['0.6', 'cl_setteam', 'team', 2], ['dropped', 'dropped'], outside);
  replaced(
    ['0.6', 'sv_emoticon', 'client_id', 100],
    ['accepted', 'dropped'],
    'game message: client number from 64 to 127; `out_of_bounds` for a client that says its version, otherwise `info` counts them',
  );
  replaced(
    ['0.7', 'sv_serversettings', 'player_slots', 128],
    ['accepted', 'dropped'],
    'game message of 0.7: number of players from 65 to 128; `out_of_bounds`, as a note',
  );
  const unknown = (protocol: Version, hex: string, row: string) =>
    vectors.acceptable('message', question(protocol, hex), { name: null }, ['dropped', 'dropped'], {
      row: `message: ${row}`,
      source: 'UnpackMessageId in protocol_ex.cpp',
    });
  const none = 'number or UUID that no table has';
  unknown('0.6', messageHead({ id: 200, system: false }), none);
  unknown('0.7', messageHead({ id: 201, system: true }), none);
  unknown('0.6', messageHead({ uuid: '01234567-89ab-3def-8123-456789abcdef', system: true }), none);
  const flagged =
    'message with a UUID, with the bit of system messages though it is one of the game, or the other way round';
  for (const type of messagesOf('0.6')
    .all.filter(({ uuid }) => uuid)
    .slice(0, 2))
    unknown('0.6', messageHead({ uuid: type.uuid!, system: !type.system }), flagged);
  const { type, ...values } = messageNamed('0.6', 'sv_yourvote');
  unknown('0.6', messageHead({ uuid: type.uuid!, system: !type.system }) + toHex(values.bytes), flagged);
}

function makeWrong(vectors: Vectors): void {
  const refused = (protocol: Version, hex: string, row: string, source: string) =>
    vectors.invalid('message', { protocol, in: hex }, { row: `message: ${row}`, source });
  const packer = 'CUnpacker in packer.cpp';
  const cut = 'field that ends early, or is missing';
  const unended = 'string without a NUL';
  for (const protocol of versions) {
    const motd = messageNamed(protocol, 'sv_motd').type;
    const head = messageHead({ id: motd.id!, system: false });
    refused(protocol, `${head}6162`, unended, packer);
    const emoticon = messageNamed(protocol, 'sv_emoticon').type;
    refused(protocol, `${messageHead({ id: emoticon.id!, system: false })}01`, cut, packer);
    refused(protocol, `${messageHead({ id: emoticon.id!, system: false })}0180`, cut, packer);
  }
  const { type } = messageNamed('0.6', 'map_data');
  const before = type.fields.slice(0, -2).map(() => 1);
  const head = messageHead({ id: type.id!, system: true });
  refused('0.6', `${head + intsHex([...before, 4])}aabbcc`, cut, packer);
  refused('0.6', `${head + intsHex([...before, -1])}aabbcc`, 'negative size of data', packer);
}

const ofServer = 'CServer::ProcessClientPacket in server.cpp';
const ofClient = 'CClient::ProcessServerPacket in client.cpp';

/** Messages that count by who sends them, and when: `from`, `vital`, and the messages `before`. */
function makeReceived(vectors: Vectors): void {
  const message = (protocol: Version, name: string) => {
    const { type, ...values } = messageNamed(protocol, name);
    return { hex: bytesOf(type, values), out: { name, values: values.values } };
  };
  const received = (
    protocol: Version,
    question: { readonly from: 'client' | 'server'; readonly [key: string]: unknown },
    { hex, out }: { readonly hex: string; readonly out: object },
    deeds: readonly [Deed | string, Deed | string],
    row: string,
  ) => {
    const source = question.from === 'client' ? ofServer : ofClient;
    vectors.acceptable('message', { protocol, ...question, in: hex }, out, deeds, { row: `message: ${row}`, source });
  };
  const ignored = ['ignored', 'ignored'] as const;
  const misread = ['misread', 'misread'] as const;
  const dropped = ['dropped', 'dropped'] as const;
  const [client, server] = [{ from: 'client' }, { from: 'server' }] as const;

  const wrongWay = "server's message from a client, or a client's from a server";
  for (const protocol of ['0.6', '0.7'] as const) {
    received(protocol, client, message(protocol, 'con_ready'), ignored, wrongWay);
    received(protocol, client, message(protocol, 'sv_motd'), ignored, wrongWay);
    received(protocol, server, message(protocol, 'enter_game'), ignored, wrongWay);
    received(protocol, server, message(protocol, 'cl_say'), ignored, wrongWay);
    const { out, hex } = message(protocol, 'snap_small');
    received(protocol, server, { hex, out }, ignored, 'number that no game uses: snap_small');
  }
  const shot = messagesOf('0.6').all.find(({ name }) => name === 'sv_extraprojectile')!;
  received(
    '0.6',
    server,
    {
      hex: messageHead({ id: shot.id!, system: false }) + intsHex([1, 100, 200, 10, -10, 1, 50]),
      out: { name: shot.name },
    },
    ignored,
    '0.6: sv_extraprojectile, which servers of DDNet before 16.0 and of Teeworlds before 0.6.4 send for shots',
  );

  const ofOther = 'number of the other version';
  const snapshot = [100, 101, 0, 3, 0, 0, 0];
  const { id: of07 } = messageNamed('0.7', 'snap_single').type;
  received(
    '0.6',
    server,
    { hex: messageHead({ id: of07!, system: true }) + intsHex(snapshot), out: { name: 'snap_small' } },
    misread,
    ofOther,
  );
  // Its number without the bit is that of `info` with it.
  const chat = toHex([3, ...packInts([0, 5]), ...nulText('twelve bytes')]);
  const unshifted = 'number without the bit of system messages';
  received('0.6', server, { hex: chat, out: { name: 'info' } }, misread, unshifted);

  const place = 'ready or enter_game before info, info after enter_game';
  for (const protocol of ['0.6', '0.7'] as const) {
    const [info, ready, enter] = ['info', 'ready', 'enter_game'].map((name) => message(protocol, name));
    for (const early of [ready!, enter!]) received(protocol, { ...client, before: [] }, early, ignored, place);
    const before = [info!, ready!, enter!].map(({ hex }) => hex);
    received(protocol, { ...client, before }, info!, ignored, place);
    received(
      protocol,
      { ...client, vital: false },
      ready!,
      dropped,
      'message of a client in a chunk that is not vital, other than input, ping and ping_ex',
    );
    const { id } = messageNamed(protocol, 'ping').type;
    vectors.valid(
      'message',
      { protocol, ...client, vital: false, in: messageHead({ id: id!, system: true }) },
      { name: 'ping', values: [] },
      { source: ofServer, note: 'a ping needs no vital chunk' },
    );
    const snap = messageHead({ id: messagesOf(protocol).all.find(({ name }) => name === 'snap')!.id!, system: true });
    for (const [parts, part] of [
      [0, 0],
      [65, 0],
      [2, 2],
      [2, -1],
    ] as const)
      received(
        protocol,
        server,
        { hex: `${snap + intsHex([100, 101, parts, part, 0, 3])}000000`, out: { name: 'snap' } },
        dropped,
        badParts,
      );
    const sized = (size: number) => `${snap + intsHex([100, 101, 2, 0, 0, size])}${'00'.repeat(size)}`;
    received(protocol, server, { hex: sized(901), out: { name: 'snap' } }, dropped, badParts);
    const short = 'part of a snapshot, not the last, of less than 900 bytes (`bad_parts`)';
    received(protocol, server, { hex: sized(899), out: { name: 'snap' } }, misread, short);
    const about = { source: ofClient, note: 'a part of 900 bytes, the most' };
    vectors.valid('message', { protocol, ...server, in: sized(900) }, { name: 'snap' }, about);
  }
}

const badParts =
  'snapshot of less than 1 or more than 64 parts, a part that is not among these, or of more than 900 bytes';

/** Messages that end with a list. */
function makeLists(vectors: Vectors): void {
  const source = 'CGameClient::OnMessage in gameclient.cpp';
  const list = (
    protocol: Version,
    name: string,
    values: readonly (number | string)[],
    about: About = {},
  ): readonly [question: { readonly protocol: Version; readonly in: string }, out: object, about: About] => {
    const type = messagesOf(protocol).all.find((known) => known.name === name)!;
    const bytes = values.flatMap((value) => (typeof value === 'number' ? packInts([value]) : nulText(value)));
    return [
      { protocol, in: bytesOf(type, { bytes, values }) },
      { name, values },
      { source, ...about },
    ];
  };
  const read = (...args: Parameters<typeof list>) => vectors.valid('message', ...list(...args));
  const options = Array.from({ length: 15 }, (_, i) => `option ${i}`);
  read('0.6', 'sv_voteoptionlistadd', [2, ...options], { note: '15 texts, whatever their number is' });
  read('0.7', 'sv_voteoptionlistadd', [2, 'a', 'b']);
  read('0.7', 'sv_voteoptionlistadd', [20, ...options, 'p', 'q', 'r', 's', 't'], { note: 'more than 15' });
  read('0.7', 'sv_voteoptionlistadd', [0], { note: 'no option' });
  const [question, out] = list('0.7', 'sv_voteoptionlistadd', [-1]);
  vectors.valid('message', question, out, {
    source: `CGameClient::TranslateGameMsg in sixup_translate_game.cpp, ${source}`,
    row: 'message: game message of 0.7: negative number of vote options',
  });
  const [cut, there] = list('0.7', 'sv_voteoptionlistadd', [3, 'a', 'b']);
  const note = 'fewer texts than announced: those that are there become options';
  vectors.acceptable('message', cut, there, ['accepted', 'accepted'], { source, note });
  for (const count of [16, 64, 128])
    read(
      '0.6',
      'sv_teamsstatelegacy',
      Array.from({ length: count }, (_, i) => i % 5),
      { note: `${count} clients` },
    );
  // Of a game message the kind says how many ints follow.
  for (const [kind, ints] of [
    [5, []],
    [6, [1]],
    [8, [0]],
    [9, [1, 3, 250]],
    [10, [2]],
  ] as const)
    read('0.7', 'sv_gamemsg', [kind, ...ints]);
  const parts = ['body', 'marking', 'decoration', 'hands', 'feet', 'eyes'];
  const skin = [...parts, 1, 0, 1, 0, 1, 0, 11, 22, 33, 44, 55, 66];
  read('0.7', 'cl_startinfo', ['nameless tee', 'clan', -1, ...skin]);
  read('0.7', 'sv_clientinfo', [3, 1, 0, 'nameless tee', '', 276, ...skin, 0]);
  read('0.7', 'sv_skinchange', [3, ...skin]);
}

/** What servers say to who has no connection: in 0.6 numbers are texts, in 0.7 ints. */
function makeServerInfos(vectors: Vectors): void {
  const source = 'CServer::CacheServerInfo in server.cpp, CClient::ProcessServerInfo in client.cpp';
  const mark = 'ffffffff';
  const named = (name: string) => mark + toHex([...name].map((letter) => letter.charCodeAt(0)));
  const texts = (values: readonly (string | number)[]) => toHex(values.flatMap((value) => nulText(String(value))));
  const packed = (values: readonly (string | number)[]) =>
    toHex(values.flatMap((value) => (typeof value === 'number' ? packInts([value]) : nulText(value))));
  const read = (protocol: Version, name: string, bytes: string, values: readonly unknown[], note?: string) =>
    vectors.valid(
      'connless',
      { protocol, in: named(name) + bytes },
      { name, values },
      { source, ...(note && { note }) },
    );
  const head = [4711, '0.6.4, 20.1', 'a server', 'ctf1', 'CTF', 1];
  const players = [
    ['nameless tee', '', -1, 0, 1],
    ['ä', 'clan', 276, -9999, 0],
  ];
  read('0.6', 'gie3', '07', [7], 'a request: the low byte of the token');
  read('0.6', 'gie3', 'fe', [254], 'a low byte of the token above 127');
  read('0.6', 'inf3', texts([...head, 0, 8, 0, 16]), [...head, 0, 8, 0, 16], 'no players');
  // A browser reads them with str_toint.
  read('0.6', 'inf3', texts(['04711', ...head.slice(1), '000', '08', '0', '-0']), [...head, 0, 8, 0, 0]);
  const two = [...head, 1, 8, 2, 16, ...players.flat()];
  read('0.6', 'inf3', texts(two), two, 'two players');
  const wide = [...head, 1, 64, 2, 64];
  read('0.6', 'dtsf', texts(wide) + intsHex([24]) + texts(players.flat()), [...wide, 24, ...players.flat()], 'from 24');
  const extended = [4711, '0.6.4, 20.1', 'a server', 'ctf1', 12345678, 90210, 'CTF', 0, 1, 64, 2, 64, ''];
  const withMore = players.flatMap((player) => [...player, '']);
  read('0.6', 'iext', texts([...extended, ...withMore]), [...extended, ...withMore]);
  const crowd = Array.from({ length: 20 }, (_, i) => [`player ${i}`, '', -1, i, 1, '']).flat();
  read('0.6', 'iext', texts([...extended, ...crowd]), [...extended, ...crowd], '20 players');
  read('0.6', 'iex+', texts([4711, 1, '', ...withMore]), [4711, 1, '', ...withMore], 'more players');
  for (const [text, value] of [
    ['0x1', 0],
    [' 1', 1],
    ['+1', 1],
    ['1a', 1],
    ['', 0],
    ['9999999999', 1410065407],
  ] as const)
    read('0.6', 'iex+', texts([text, 1, '']), [value, 1, ''], 'str_toint: strtol with base 10, its 64 bits cut to 32');
  read('0.7', 'gie3', intsHex([4711]), [4711], 'a request');
  const of07 = [4711, '0.7.5', 'a server', 'host.example', 'ctf1', 'CTF', 1, 2, 1, 8, 2, 16];
  read('0.7', 'inf3', packed([...of07, ...players.flat()]), [...of07, ...players.flat()], 'two players');
  const other = (name: string, bytes: string, out: object, deed: string, note: string) =>
    vectors.acceptable('connless', { protocol: '0.6', in: named(name) + bytes }, out, [deed, deed], { source, note });
  for (const name of ['INF3', 'Inf3', 'inf9'])
    other(
      name,
      texts([...head, 0, 8, 0, 16]),
      { name, values: [texts([...head, 0, 8, 0, 16])] },
      'ignored',
      'no name of the games, which compare its bytes: what follows is no server information',
    );
  for (const counts of [
    [-1, 8, 0, 16],
    [0, 8, -1, 16],
    [0, -8, 0, 16],
  ])
    other(
      'inf3',
      texts([...head, ...counts]),
      { name: 'inf3', values: [...head, ...counts] },
      'dropped',
      'a negative number',
    );
  const many = Array.from({ length: 40 }, (_, i) => [`player number ${i}`, 'a long clan', -1, i, 1]).flat();
  const whole = named('inf3') + texts([...head, 40, 64, 40, 64, ...many]);
  const most = 1400 - 6;
  vectors.acceptable(
    'connless',
    { protocol: '0.6', in: whole.slice(0, 2 * most) },
    { name: 'inf3' },
    ['dropped', 'dropped'],
    { source, row: 'packet: server information of more than 1,400 bytes, cut to these' },
  );
}
