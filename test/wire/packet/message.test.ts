import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diagnosticLine } from '../../../src/output/phrases/diagnostic-messages.ts';
import { ByteBuffer } from '../../../src/wire/bytes/buffers.ts';
import { packInts } from '../../../src/wire/codec/varint.ts';
import {
  type Message,
  messageJson,
  readMessage,
  snapshotMessage,
  wholeSnapshotMessage,
} from '../../../src/wire/packet/message.ts';
import { type Version, versions } from '../../../src/wire/protocol/registry.ts';
import { bytes } from '../../support/readers.ts';

const ascii = (text: string) =>
  Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0'));
/** Text with its NUL, as hex. */
const z = (text: string) => [...ascii(text), '00'].join(' ');
const times = (count: number, hex: string) => Array<string>(count).fill(hex).join(' ');

const read = (hex: string, version: Version = '0.6', padded = false) => {
  const src = bytes(hex);
  return readMessage(src, 0, src.length, version, { padded });
};
const fieldsOf = (message: Message) => messageJson(message).fields;
const reported = ({ diagnostics }: Message) =>
  diagnostics.all.map(({ severity, code, offset }) => `${severity === 'error' ? 'error: ' : ''}${code} ${offset}`);
const spans = (message: Message) => message.values.map(({ name, start, end }) => `${name} ${start}-${end}`);

/** Header, values and padding are adjacent and cover the message. */
function expectPartition(message: Message): void {
  let at = message.start;
  for (const { start, end } of [...message.head, ...message.values]) {
    expect(start).toBe(at);
    expect(end).toBeGreaterThanOrEqual(start);
    at = end;
  }
  expect(at + message.padding).toBe(message.end);
}

const truncated = 'truncated_message';
const unterminated = 'unterminated_string';
const lastKind = ({ values }: Message) => values.at(-1)?.type.kind;

/**
 * Whether a message is complete without the values from `count` on: they are optional, or part of a list of any length.
 */
function mayEndAfter({ type, values }: Message, count: number): boolean {
  const next = type!.fields.find(({ name }) => name === values[count]?.path[0])!;
  if (next.type.kind !== 'repeat') return next.optional || next.type.kind === 'rest';
  return next.type.times === 'to_end' || next.type.times === 'counted_or_more';
}

const uuid = '8c00 1304 8461 3e47 8787 f672 b383 5bd4';
const sha256 = Array.from({ length: 32 }, (_, i) => (i + 0xe0).toString(16)).join(' ');
const skin = `${z('standard')} ${z('')} ${z('')} ${z('a')} ${z('b')} ${z('c')} 01 00 01 00 01 00 01 40 02 03 04 80 01`;
const skinFields = {
  skin_part_names: ['standard', '', '', 'a', 'b', 'c'],
  use_custom_colors: [1, 0, 1, 0, 1, 0],
  skin_part_colors: [1, -1, 2, 3, 4, 64],
};

/** The first byte is twice the number, plus one for system messages. */
const wholes: readonly (readonly [about: string, version: Version, hex: string, name: string, fields: object])[] = [
  ['no fields', '0.6', '2c', 'cl_kill', {}],
  ['ints', '0.6', '08 01 02 41 00', 'sv_killmsg', { killer: 1, victim: 2, weapon: -2, mode_special: 0 }],
  [
    'other numbers in 0.7',
    '0.7',
    '0a 40 02 03 01',
    'sv_killmsg',
    { killer: -1, victim: 2, weapon: 3, mode_special: 1 },
  ],
  ['text', '0.6', `06 01 40 ${z('höi')}`, 'sv_chat', { team: 1, client_id: -1, message: 'höi' }],
  ['a byte order mark', '0.6', '02 ef bb bf 00', 'sv_motd', { message: '\ufeff' }],
  ['an absent optional', '0.6', `03 ${z('0.6')}`, 'info', { version: '0.6' }],
  ['a present optional', '0.6', `03 ${z('0.6')} ${z('')}`, 'info', { version: '0.6', password: '' }],
  [
    'data of a size',
    '0.6',
    '0f 0a 02 40 03 00 ff 10',
    'snap_single',
    { tick: 10, delta: 2, crc: -1, size: 3, bytes: '00ff10' },
  ],
  ['no data', '0.7', '11 0a 02 00 00', 'snap_single', { tick: 10, delta: 2, crc: 0, size: 0, bytes: '' }],
  ['all bytes that are left', '0.7', '07 00 01 00', 'map_data', { data: '000100' }],
  ['lists', '0.7', `82 01 07 ${skin}`, 'sv_skinchange', { client_id: 7, ...skinFields }],
  [
    'a counted list',
    '0.7',
    `18 02 ${z('a')} ${z('b')}`,
    'sv_voteoptionlistadd',
    { num_options: 2, description: ['a', 'b'] },
  ],
  [
    'a counted list with more bytes after it',
    '0.7',
    `18 01 ${z('a')} 00 00`,
    'sv_voteoptionlistadd',
    { num_options: 1, description: ['a', '', ''] },
  ],
  [
    'a list as the int before it says',
    '0.7',
    '2a 09 01 02 03',
    'sv_gamemsg',
    { game_msg_id: 9, parameters: [1, 2, 3] },
  ],
  ['an empty list', '0.7', '2a 04', 'sv_gamemsg', { game_msg_id: 4, parameters: [] }],
  [
    'records',
    '0.6',
    '0e 02 01 02 03 04 05 06 07 08 09 0a 0b 0c',
    'sv_extraprojectile',
    {
      num_projectiles: 2,
      projectile: [
        { x: 1, y: 2, vel_x: 3, vel_y: 4, type: 5, start_tick: 6 },
        { x: 7, y: 8, vel_x: 9, vel_y: 10, type: 11, start_tick: 12 },
      ],
    },
  ],
  ['a list to the end', '0.6', '3c 00 01 02', 'sv_teamsstatelegacy', { teams: [0, 1, 2] }],
  [
    'a UUID for its name, and one in it',
    '0.6',
    `01 ${uuid} 0011 2233 4455 6677 8899 aabb ccdd eeff a8 fa 01 ${z('DDNet 16.4')}`,
    'client_version',
    { connection_id: '00112233-4455-6677-8899-aabbccddeeff', ddnet_version: 16040, ddnet_version_string: 'DDNet 16.4' },
  ],
  [
    'a checksum',
    '0.7',
    `05 ${z('dm1')} 01 02 08 03 ${sha256}`,
    'map_change',
    {
      name: 'dm1',
      crc: 1,
      size: 2,
      num_response_chunks_per_request: 8,
      chunk_size: 3,
      sha256: sha256.replaceAll(' ', ''),
    },
  ],
];

describe('a message', () => {
  it.each(wholes)('with %s (%s)', (_, version, hex, name, fields) => {
    const message = read(hex, version);
    expect(message.type?.name).toBe(name);
    expect(fieldsOf(message)).toEqual(fields);
    expect(reported(message)).toEqual([]);
    expect(message.padding).toBe(0);
    expectPartition(message);
  });

  // CTF_CAPTURE (9) has a flag, a client and a time, those after TEAM_ALL (6) and GAME_PAUSED (10) one int each.
  it.each([...[0, 0, 0, 0, 0, 0, 1, 1, 1, 3, 1].entries()])('sv_gamemsg %i of 0.7 has %i parameters', (id, count) => {
    const message = read(`2a ${id.toString(16).padStart(2, '0')} 01 02 03 04`, '0.7');
    const rest = '01020304'.slice(2 * count);
    expect(fieldsOf(message)).toEqual({ game_msg_id: id, parameters: [1, 2, 3].slice(0, count), rest });
  });

  it.each(wholes)('with %s (%s) is read from inside other bytes', (_, version, hex) => {
    const alone = bytes(hex);
    const around = new Uint8Array(alone.length + 8).fill(0x81);
    around.set(alone, 5);
    const message = readMessage(around.subarray(2), 3, 3 + alone.length, version);
    expect(messageJson(message)).toEqual(messageJson(read(hex, version)));
    expect(reported(message)).toEqual([]);
    expectPartition(message);
  });

  it.each(wholes)('with %s (%s), cut anywhere, keeps the values before the cut', (_, version, hex) => {
    const src = bytes(hex);
    const whole = readMessage(src, 0, src.length, version);
    for (let end = 0; end < src.length; end++) {
      const message = readMessage(src, 0, end, version);
      const { error, warnings } = message.diagnostics;
      expectPartition(message);
      expect(warnings).toEqual([]);
      const stored = message.values.filter((value) => value.type.kind !== 'rest' && value.start !== error?.offset);
      expect(stored).toEqual(whole.values.slice(0, stored.length));
      if (error) expect(error.code).toBe(src[end - 1] && lastKind(message) === 'string' ? unterminated : truncated);
      else expect(mayEndAfter(whole, stored.length)).toBe(true);
    }
  });

  it('has the offset of each value', () => {
    const message = read(`82 01 07 ${skin}`, '0.7');
    expect(message.head.map(({ name, start, end, value }) => [name, start, end, value])).toEqual([['id', 0, 2, 66]]);
    expect(spans(message).slice(0, 4)).toEqual([
      'client_id 2-3',
      'skin_part_names[body] 3-12',
      'skin_part_names[marking] 12-13',
      'skin_part_names[decoration] 13-14',
    ]);
    expect(spans(message).at(-1)).toBe('skin_part_colors[eyes] 31-33');
    expect(message.values[1]!.path).toEqual(['skin_part_names', 0]);
    const records = read('0e 01 01 02 03 04 05 06');
    expect(records.values.at(-1)).toMatchObject({
      name: 'projectile[0].start_tick',
      path: ['projectile', 0, 'start_tick'],
    });
  });

  it('is flattened where it holds an item, with all its meanings', () => {
    const input = read('21 80 02 81 02 28 01 02 03 00 05 01 09 02 00 00');
    expect(fieldsOf(input)).toMatchObject({ ack_snapshot: 128, input_size: 40, direction: 1, player_flags: 9 });
    expect(input.values.find(({ name }) => name === 'player_flags')!.type.kind).toBe('flags');
    const later = read('29 80 02 81 02 28 01 02 03 00 05 01 09 02 00 00 07', '0.7');
    expect(fieldsOf(later)).toMatchObject({ prev_weapon: 0, ping_correction: 7 });
  });
});

describe('an unknown message', () => {
  it('keeps its bytes', () => {
    const message = read('8e 03 00 ff');
    expect(messageJson(message)).toEqual({ name: null, system: false, id: 103, fields: { data: '00ff' } });
    expect(reported(message)).toEqual([]);
    expectPartition(message);
  });

  it('keeps its bytes after a UUID', () => {
    const message = read('01 00112233 44556677 8899aabb ccddeeff 61');
    expect(messageJson(message)).toEqual({
      name: null,
      system: true,
      id: 0,
      uuid: '00112233-4455-6677-8899-aabbccddeeff',
      fields: { data: '61' },
    });
    expectPartition(message);
  });

  it('may have a negative number', () => {
    expect(messageJson(read('42'))).toEqual({ name: null, system: true, id: -2, fields: { data: '' } });
  });
});

describe('unusual or invalid messages', () => {
  const snapSpans = ['tick 1-2', 'delta 2-3', 'crc 3-4', 'size 4-5'];
  const cases: readonly (readonly [hex: string, version: Version, reported: string[], spans: string[]])[] = [
    ['', '0.6', ['error: truncated_message 0'], []],
    ['86', '0.6', ['error: truncated_message 0'], []],
    ['01 00112233', '0.6', ['error: truncated_message 1'], []],
    ['08', '0.6', ['error: truncated_message 1'], []],
    ['08 01 82', '0.6', ['error: truncated_message 2'], ['killer 1-2', 'victim 2-3']],
    ['02', '0.6', ['error: truncated_message 1'], []],
    ['02 61', '0.6', ['error: unterminated_string 1'], ['message 1-2']],
    ['0f 01 01 01 03 ff', '0.6', ['error: truncated_message 5'], [...snapSpans, 'bytes 5-6']],
    ['0f 01 01 01 40 ff', '0.6', ['error: negative_count 5'], [...snapSpans, 'bytes 5-6']],
    ['18 40 61 00', '0.7', ['out_of_bounds 1', 'negative_count 2'], ['num_options 1-2', 'description[0] 2-4']],
    ['18 bf ff ff ff 0f 00', '0.7', ['error: truncated_message 7'], ['num_options 1-6', 'description[0] 6-7']],
    // `str_utf8_check` of DDNet: a lone byte, a surrogate, the first half of a character; the character U+FFFD itself.
    ['02 61 ff 00', '0.6', ['not_utf8 1'], ['message 1-4']],
    ['02 ed a0 80 00', '0.7', ['not_utf8 1'], ['message 1-5']],
    ['02 f0 9f 98 00', '0.6', ['not_utf8 1'], ['message 1-5']],
    ['02 ef bf bd 00', '0.6', [], ['message 1-5']],
    ['2c 01 02', '0.6', ['excess_bytes 1'], ['rest 1-3']],
    ['2e 81 00', '0.6', ['overlong_varint 1'], ['emoticon 1-3']],
    ['2e ff ff ff ff ff', '0.6', ['varint_padding 1', 'out_of_bounds 1'], ['emoticon 1-6']],
  ];

  it('that are not UTF-8 keep the rest of the text', () => {
    expect(fieldsOf(read('02 61 ff 62 00'))).toEqual({ message: 'a\ufffdb' });
  });

  it.each(cases)('%s (%s)', (hex, version, expected, places) => {
    const message = read(hex, version);
    expect(reported(message)).toEqual(expected);
    expect(spans(message)).toEqual(places);
    for (const diagnostic of message.diagnostics.all) expect(diagnosticLine(diagnostic)).not.toMatch(/undefined|NaN/);
    expectPartition(message);
  });

  it('is reported with the message and the field', () => {
    expect(diagnosticLine(read('08 01 82').diagnostics.error!)).toBe(
      'truncated_message at 0x0002: sv_killmsg ends early: victim is incomplete',
    );
    expect(diagnosticLine(read('02 61').diagnostics.error!)).toBe(
      'unterminated_string at 0x0001: sv_motd ends early: message has no NUL after it',
    );
  });

  it('that are cut keep the readable part of text and data, and no part of a number', () => {
    expect(fieldsOf(read('02 61 62'))).toEqual({ message: 'ab' });
    expect(fieldsOf(read('0f 01 01 01 03 ff'))).toMatchObject({ size: 3, bytes: 'ff' });
    expect(fieldsOf(read('08 01 82'))).toEqual({ killer: 1 });
    expect(messageJson(read(''))).toEqual({ name: null, system: false, id: null, fields: {} });
    expect(fieldsOf(read('0e 02 01'))).toEqual({ num_projectiles: 2, projectile: [{ x: 1 }] });
    expect(fieldsOf(read('2a', '0.7'))).toEqual({});
  });

  it('never throw, whatever the bytes are', () => {
    const src = fc.uint8Array({ maxLength: 120 });
    fc.assert(
      fc.property(src, fc.constantFrom(...versions), fc.boolean(), (src, version, padded) => {
        const message = readMessage(src, 0, src.length, version, { padded });
        expectPartition(message);
        JSON.stringify(messageJson(message));
      }),
      { numRuns: 2000 },
    );
  });

  it('never throw, whatever the fields of any message are', () => {
    const src = fc.tuple(fc.integer({ min: 1, max: 63 }), fc.uint8Array({ maxLength: 40 }));
    fc.assert(
      fc.property(src, fc.constantFrom(...versions), fc.boolean(), ([first, rest], version, padded) => {
        const src = Uint8Array.from([first, ...rest]);
        expectPartition(readMessage(src, 0, src.length, version, { padded }));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('padding', () => {
  it('is up to three NULs, and only in a message of a demo', () => {
    for (const nuls of [1, 2, 3]) {
      const message = read(`08 01 02 03 00 ${times(nuls, '00')}`, '0.6', true);
      expect(reported(message)).toEqual([]);
      expect(message.padding).toBe(nuls);
      expectPartition(message);
      expect(reported(read(`08 01 02 03 00 ${times(nuls, '00')}`))).toEqual(['excess_bytes 5']);
    }
    expect(reported(read(`08 01 02 03 00 ${times(4, '00')}`, '0.6', true))).toEqual(['excess_bytes 5']);
    expect(reported(read('08 01 02 03 00 00 01', '0.6', true))).toEqual(['excess_bytes 5']);
  });

  it('may be read as an optional value, as in the games', () => {
    // 35 << 1
    const finish = read('86 01 01 02 02 01 00 00', '0.7', true);
    expect(finish.type?.name).toBe('sv_racefinish');
    expect(fieldsOf(finish)).toMatchObject({ record_personal: 1, record_server: 0 });
    expect(finish.padding).toBe(1);
  });

  it('is not read as values after the last field that a known sender writes', () => {
    for (const nuls of [0, 1, 2, 3]) {
      const tuning = read(`0c ${times(32, '01')} ${times(nuls, '00')}`, '0.7', true);
      expect([tuning.values.length, tuning.padding]).toEqual([32, nuls]);
      expectPartition(tuning);
      const teams = read(`3c ${times(64, '00')} ${times(nuls, '00')}`, '0.6', true);
      expect([teams.values.length, teams.padding]).toEqual([64, nuls]);
      const votes = read(`18 01 ${z('a')} ${times(nuls, '00')}`, '0.7', true);
      expect([votes.values.length, votes.padding]).toEqual([2, nuls]);
    }
    expect(read(`0c ${times(31, '01')} 00`, '0.7', true).values.length).toBe(32);
    expect(read(`0c ${times(31, '01')}`, '0.7', true).values.length).toBe(31);
    // An overlong zero is not padding.
    expect(read(`0c ${times(32, '01')} 80 00`, '0.7', true).values.length).toBe(33);
  });
});

describe('a message with a snapshot, read without its values', () => {
  const heads = { snap: 0x0b, snap_single: 0x0f, snap_empty: 0x0d };

  it('has the ints and the delta of one that is whole', () => {
    // Tick 100, distance 2, part 1 of 2, checksum -1, three bytes.
    expect(wholeSnapshotMessage(bytes('0b a4 01 02 02 01 40 03 61 62 63'), 'snap')).toEqual({
      tick: 100,
      base: 98,
      part: 1,
      parts: 2,
      crc: -1,
      bytes: bytes('61 62 63'),
    });
    expect(wholeSnapshotMessage(bytes('0d a4 01 02'), 'snap_empty')).toMatchObject({
      base: 98,
      parts: 1,
      crc: undefined,
    });
  });

  it('says what the whole message says, and leaves each with a flaw to that', () => {
    const name = fc.constantFrom('snap', 'snap_single', 'snap_empty');
    const ints = fc.array(fc.oneof(fc.integer({ min: -2, max: 12 }), fc.integer()), { maxLength: 8 });
    fc.assert(
      fc.property(name, ints, fc.uint8Array({ maxLength: 12 }), (name, ints, data) => {
        const packed = new ByteBuffer();
        packInts(Int32Array.from(ints), 0, ints.length, packed);
        const src = Uint8Array.of(
          heads[name as keyof typeof heads],
          ...packed.bytes.subarray(0, packed.length),
          ...data,
        );
        const message = readMessage(src, 0, src.length, '0.6');
        const whole = wholeSnapshotMessage(src, name);
        const isFlawed = message.diagnostics.all.some(
          ({ severity, code }) => severity === 'error' || code === 'excess_bytes',
        );
        expect(whole === undefined).toBe(isFlawed);
        if (!whole) return;
        const { data: value, ...numbers } = snapshotMessage(message)!;
        expect(whole).toEqual({ ...numbers, bytes: value?.value });
      }),
      { numRuns: 2000 },
    );
  });
});
