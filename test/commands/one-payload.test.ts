import { describe, expect, it } from 'vitest';
import { text } from '../support/bytes.ts';
import { firstHuffman, firstInts, firstPacked } from '../support/first.ts';
import { chunk06, chunk07, ints, packet06, packet07, snapSingle, someToken } from '../support/packet-builder.ts';
import { type Item, key, littleEndian, snapshotInts } from '../support/readers.ts';
import { linesOf, recordsOf, runWriting } from '../support/run.ts';
import { golden, read } from '../support/samples.ts';

/** The first sample in all its forms. */
const forms: Readonly<Record<string, Uint8Array>> = {
  'first.huff': firstHuffman,
  'first.packed': firstPacked,
  'first.ints': new Uint8Array(Int32Array.from(firstInts).buffer),
  'first.hex': read('first.hex'),
  'first.hex.json': read('first.hex.json'),
};

/** Its items in the output of another program, and their sum by hand. */
const { items } = golden('first.huff') as { items: { name: string; id: number; data: number[] }[] };
const sum = items.flatMap(({ data }) => data).reduce((a, b) => a + b, 0);
const named = ({ name, id, data }: (typeof items)[0]) => ({ name, id, data });

/** How a command is given the bytes: a file, `-`, or nothing but a pipe. */
const ways = Object.keys(forms).flatMap((form) => [
  [form, form, { files: forms }],
  [`${form} < -`, '-', { stdin: forms[form]! }],
  [`${form} < pipe`, '', { stdin: forms[form]! }],
]) as [string, string, Parameters<typeof runWriting>[2]][];

const note = /: base taken as empty\n$/;

describe.each(ways)('%s', (_, path, world) => {
  const run = (line: string) => runWriting(`${line} ${path}`, world?.files, world);

  it('is a recording of one record for dump', async () => {
    const text = await run('dump');
    expect([text.status, linesOf(text.stdout)[0]]).toEqual([0, '+ obj_game_data 0 game_state_flags=1 (warmup)']);
    expect(text.stderr).toMatch(note);
    const [record, ...rest] = recordsOf((await run('dump -t ndjson')).stdout);
    expect(rest).toEqual([]);
    expect(record).toMatchObject({ record: 'snapshot', tick: -1, kind: 'delta', base: 'assumed_empty', crc: sum });
    expect(record.items.map(named)).toEqual(items.map(named));
    const [head, ...rows] = linesOf((await run('dump -t csv')).stdout);
    expect([head!.split(',').length, rows.length]).toEqual([12, items.length]);
  });

  it('has the hexdump of decode', async () => {
    const { status, stdout } = await run('dump -t hexdump');
    expect([status, stdout]).toEqual([0, (await run('decode')).stdout]);
  });

  it('has a checksum', async () => {
    const { status, stdout, stderr } = await run('checksum');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`^ {7}${sum} \\(base taken as empty\\) {2}\\S+\\n$`));
    expect((await run(`checksum --expect ${sum}`)).status).toBe(0);
    expect((await run(`checksum --expect ${sum + 1}`)).status).toBe(1);
    expect(JSON.parse((await run('checksum -t json')).stdout)).toMatchObject([{ crc: sum, base: 'assumed_empty' }]);
  });

  it('is a snapshot for apply', async () => {
    const title = linesOf((await run('apply')).stdout)[0];
    expect(title).toMatch(new RegExp(`^${world?.files ? path : 'standard input'} `));
    const { status, stdout, stderr } = await run('apply -t json');
    const snapshot = JSON.parse(stdout);
    expect([status, snapshot.kind, snapshot.crc]).toEqual([0, 'snapshot', sum]);
    expect(snapshot.items.map(named)).toEqual(items.map(named));
    expect(stderr).toMatch(note);
  });
});

const inputs = Object.keys(forms).flatMap((form) => [
  [form, form, { files: forms }],
  [`${form} < -`, '-', { stdin: forms[form]! }],
]) as [string, string, Parameters<typeof runWriting>[2]][];

it.each(inputs)('%s has the tables of its items for export', async (_, path, world) => {
  const { status, files, stdout } = await runWriting(`export ${path} -o out -t csv`, world?.files, world);
  expect(status).toBe(0);
  const rowsOf = (table: string) => {
    const [, text] = [...files].find(([name]) => name.startsWith(`out/${table}/`))!;
    return linesOf(new TextDecoder().decode(text)).length - 1;
  };
  for (const { name } of items) expect([name, rowsOf(name)]).toEqual([name, 1]);
  // It is no demo.
  expect(rowsOf('demos')).toBe(0);
  expect(stdout).toContain('obj_character');
});

describe('a packet', () => {
  const delta = chunk07(snapSingle(8, 5, 6, sum, [...firstPacked]));
  const timing = chunk07(ints(21, 100, 5));
  // `sv_chat` of 0.7, message 3: its mode, client, target and text.
  const chat = chunk07([...ints(3 << 1, 1, 0, -1), ...text('hi\0')], { vital: true, sequence: 12 });
  const files = {
    packet: packet07([timing, chat, delta], { compressed: true }),
    wrong: packet07([chat, chunk07(snapSingle(8, 5, 6, sum + 1, [...firstPacked]))]),
    cut: packet07([chat, delta]).subarray(0, -20),
    // `sv_chat` and `cl_say` of 0.6, messages 3 and 17, and `ping`, which both ends send.
    server: packet06([chunk06([...ints(3 << 1, 0, 3), ...text('hi\0')])], { token: someToken }),
    client: packet06([chunk06([...ints(17 << 1, 0), ...text('hi\0')])], { token: someToken }),
    ping: packet06([chunk06(ints((22 << 1) | 1))], { token: someToken }),
    // `rcon_auth` of 0.7 with a password.
    login: packet07([chunk07([...ints((22 << 1) | 1), ...text('hunter2\0')])]),
  };
  const run = (line: string) => runWriting(line, files);

  it('has its messages and its snapshot in their order', async () => {
    const records = recordsOf((await run('dump -t ndjson packet')).stdout);
    expect(records).toMatchObject([
      { record: 'message', tick: -1, name: 'input_timing', fields: { input_pred_tick: 100, time_left: 5 } },
      { record: 'message', tick: -1, name: 'sv_chat', fields: { message: 'hi' } },
      { record: 'snapshot', tick: 5, kind: 'delta', crc: sum },
    ]);
    expect(records[2].items.map(named)).toEqual(items.map(named));
    const { status, stdout, stderr } = await run('dump packet');
    expect([status, stderr, linesOf(stdout).length > 3]).toEqual([0, '', true]);
    expect(linesOf(stdout).slice(0, 3)).toEqual([
      'input_timing input_pred_tick=100 time_left=5',
      expect.stringContaining('hi'),
      '+ obj_game_data 0 game_state_flags=1 (warmup)',
    ]);
    const names = async (line: string) =>
      recordsOf((await run(`dump -t ndjson packet ${line}`)).stdout).map(({ record, name }) => name ?? record);
    expect(await names('--no-messages')).toEqual(['snapshot']);
    expect(await names('--type sv_chat')).toEqual(['sv_chat']);
    expect(await names('--type obj_character')).toEqual(['snapshot']);
  });

  it('has the hexdump of decode', async () => {
    for (const line of ['packet', 'packet --type sv_chat', 'login']) {
      const { stdout } = await run(`decode ${line}`);
      expect([line, (await run(`dump -t hexdump ${line}`)).stdout]).toEqual([line, stdout]);
    }
    expect((await run('dump -t hexdump packet --no-messages')).stdout).not.toContain('msg=3 sv_chat');
  });

  it('has tables of its items and of its messages', async () => {
    const { files: written, status } = await runWriting('export packet -o out -t csv', files);
    const textOf = (table: string) =>
      new TextDecoder().decode([...written].find(([name]) => name.startsWith(`out/${table}/`))![1]);
    expect(status).toBe(0);
    for (const { name } of items) expect([name, linesOf(textOf(name)).length]).toEqual([name, 2]);
    expect(textOf('chat')).toContain('hi');
    expect(textOf('messages')).toContain('input_timing');
  });

  it('without a snapshot is its messages, if one of them tells who sent it', async () => {
    const directions = async (name: string) => {
      const { stdout } = await run(`export ${name} -o - -t ndjson --tables messages`);
      return recordsOf(stdout).map(({ direction }) => direction);
    };
    expect((await run('dump server')).stdout).toContain('hi');
    expect((await run('dump client')).stdout).toBe('cl_say team=0 message="hi"\n');
    expect(await directions('client')).toEqual(['to_server']);
    expect((await run('dump server --events')).stdout).toContain('hi');
    // A message that both ends send has no direction, which tables have.
    expect(await run('dump ping')).toMatchObject({ status: 0, stdout: 'ping\n', stderr: '' });
    const { status, stderr } = await run('export ping -o - -t ndjson --tables messages');
    const advice = 'expected one whole delta (tw-snap decode shows it)';
    expect([status, stderr]).toEqual([3, `tw-snap: ping: this packet contains no delta; ${advice}\n`]);
  });

  it('with a snapshot that cannot be made has its other messages, and the reason', async () => {
    const sent = { loss: read('ddnet-loss-tick2434.packet'), close: read('ddnet-no-07-close.packet') };
    const base = 'this delta has differences to a base that is not known: name it with --base';
    const dumped = await runWriting('dump loss -t csv --type sv_chat', sent);
    expect(linesOf(dumped.stdout)[1]).toContain('burst 1');
    expect([dumped.status, dumped.stderr]).toEqual([3, `tw-snap: loss: ${base}\n`]);
    const exported = await runWriting('export loss -o - -t ndjson --tables chat', sent);
    expect([exported.status, exported.stderr]).toEqual([3, `tw-snap: loss: ${base}\n`]);
    expect(exported.stdout).toContain('burst 1');
    // Without other messages nothing is left.
    expect((await runWriting('dump close -t csv', sent)).stdout).toBe('');
    const cut = await run('dump cut -t ndjson');
    expect(recordsOf(cut.stdout).map(({ record, name }) => name ?? record)).toEqual(['diagnostic', 'sv_chat']);
  });

  it('without messages is what decode says of it', async () => {
    const close = { close: read('ddnet-no-07-close.packet') };
    const dumped = async (line: string) => (await runWriting(`dump close ${line}`, close)).stdout;
    expect(await dumped('')).toContain('control: close "0.7 connections are not accepted at this time"\n');
    expect(await dumped('-t hexdump')).toBe((await runWriting('decode close', close)).stdout);
    const decoded = JSON.parse((await runWriting('decode close -t json', close)).stdout);
    expect(recordsOf(await dumped('-t ndjson'))).toEqual([{ record: 'packet', ...decoded }]);
    expect((await runWriting('dump close --type sv_chat', close)).status).toBe(1);
  });

  it('hides secrets, and tells what is wrong', async () => {
    expect((await run('dump login')).stdout).toContain('(hidden)');
    expect((await run('dump login --show-secrets')).stdout).toContain('hunter2');
    expect((await run('dump wrong')).status).toBe(1);
    expect((await run('dump cut')).status).toBe(3);
  });
});

it.each(['info', 'stats', 'trace', 'explain'])('%s refuses a single payload, and says what to do', async (command) => {
  const packet = read('vanilla-dm1-tick9892.packet');
  const close = read('ddnet-no-07-close.packet');
  const refusal = async (name: string) => {
    const value = command === 'trace' ? 'obj_character/0.x' : '';
    const { status, stderr } = await runWriting(`${command} ${name} ${value}`, { ...forms, packet, close });
    return `${status} ${stderr}`;
  };
  const needs = 'which needs its base: tw-snap explain BASE';
  const text = (await refusal('first.hex')).replace(/;.*/s, '');
  if (command === 'explain') {
    expect(text).toMatch(
      /^3 tw-snap: first.hex: no client errors in this text, and it is read as a delta, which needs/,
    );
    expect(await refusal('first.huff')).toBe(`3 tw-snap: first.huff: this is a delta, ${needs} DELTA --expect CRC\n`);
    expect(await refusal('packet')).toBe(`3 tw-snap: packet: this is a packet with a delta, ${needs} FILE\n`);
    expect(await refusal('close')).toContain(
      'this is a packet; a delta is explained with its base: tw-snap explain BASE',
    );
    return;
  }
  expect(text).toBe('3 tw-snap: first.hex: this is text, not a demo or capture');
  for (const name of ['first.huff', 'packet', 'close']) {
    const advice = 'tw-snap decode reads single snapshots, deltas and packets';
    expect(await refusal(name)).toBe(`3 tw-snap: ${name}: this is not a demo or capture; ${advice}\n`);
  }
});

describe('explain says of a snapshot what it shows by itself', () => {
  /** `data_size num_items offset[num_items] data`, each item with its key before its ints. */
  const snapshotOf = (...all: readonly (readonly [type: number, id: number, ...ints: number[]])[]) => {
    const data = all.map(([type, id, ...own]) => [(type << 16) | id, ...own]);
    const offsets = data.map((_, i) => 4 * data.slice(0, i).flat().length);
    return new Uint8Array(Int32Array.from([4 * data.flat().length, all.length, ...offsets, ...data.flat()]).buffer);
  };
  const explained = async (snapshot: Uint8Array) => {
    const { status, stdout } = await runWriting('explain whole.snap -t json -p 0.6', { 'whole.snap': snapshot });
    return [status, JSON.parse(stdout)[0].shown];
  };

  it('an item of a local type without its registration, and 1,024 items', async () => {
    expect(await explained(snapshotOf([0x7fff, 3, 1, 2]))).toEqual([
      1,
      [{ cause: 'unregistered', items: [], type: 0x7fff }],
    ]);
    const many = Array.from({ length: 1024 }, (_, i) => [4, i, 32 * i, 64, 1, 0] as const);
    expect(await explained(snapshotOf(...many))).toMatchObject([1, [{ cause: 'too_large', found: 1024 }]]);
  });

  it('in words, with the command that shows it', async () => {
    const { stdout } = await runWriting('explain whole.snap', { 'whole.snap': snapshotOf([0x7fff, 3, 1, 2]) });
    expect(stdout).toMatch(/^! type 32767 is used without its registration$/m);
    expect(stdout).toMatch(/tw-snap decode whole.snap -t table$/m);
  });
});

describe('deltas in a chain', () => {
  const [base, delta] = ['ddnet-dm1-tick2786.snapshot.huff', 'ddnet-dm1-tick2788.delta.huff'];
  const files = { ...forms, base: read(base), delta: read(delta), unchanged: Uint8Array.of(0, 0, 0) };
  const run = (line: string) => runWriting(line, files);

  it('begin with a snapshot, or with a delta on the empty one', async () => {
    expect(JSON.parse((await run('apply base delta -t json')).stdout).crc).toBe(841254473);
    expect(JSON.parse((await run('apply first.huff unchanged unchanged -t json')).stdout).crc).toBe(sum);
  });

  it.each(['dump -t csv', 'dump --where x>0', 'checksum', 'apply', 'export -t csv --tables snapshots', 'diff base'])(
    'are refused by %s without their base, with one advice that works',
    async (command) => {
      const { status, stderr } = await run(`${command} delta`);
      expect([status, stderr]).toEqual([
        3,
        'tw-snap: delta: this delta has differences to a base that is not known: name it with --base\n',
      ]);
      const based = await run(`${command} delta --base base`);
      expect([based.status, based.stderr]).toEqual([command === 'diff base' ? 1 : 0, '']);
    },
  );

  it('show their differences without it in dump, as in decode', async () => {
    const decoded = JSON.parse((await run('decode delta -t json')).stdout);
    const [diagnostic, record] = recordsOf((await run('dump delta -t ndjson')).stdout);
    expect(diagnostic).toMatchObject({ record: 'diagnostic', code: 'missing_registration' });
    const { removed, items } = decoded;
    expect(record).toEqual({ record: 'snapshot', tick: -1, kind: 'delta', base: null, crc: null, removed, items });
    const { status, stdout, stderr } = await run('dump delta --type event_sound_world,obj_character --id 0');
    // The first of three removed keys and the first character of the hexdump.
    expect(linesOf(stdout)).toEqual(['- event_sound_world 0', '~ obj_character 0 tick=+2 angle=+36']);
    expect([status, stderr]).toEqual([0, expect.stringContaining('without --base, updated items show differences\n')]);
    expect((await run('dump delta --player 0')).stdout).toContain('~ obj_character 0 tick=+2');
    expect((await run('dump delta --player 63')).status).toBe(1);
    const hexdump = await run('decode delta');
    expect((await run('dump delta -t hexdump')).stdout).toBe(hexdump.stdout);
  });

  it('are explained with their base, the first file: options without an effect are refused', async () => {
    const explain = (line: string) => run(`explain base delta --expect 841254473 ${line}`);
    expect((await explain('')).status).toBe(0);
    const client = await explain('--client 127.0.0.1');
    expect([client.status, client.stderr]).toEqual([2, expect.stringContaining('--client is for captures')]);
    const based = await explain('--base base');
    expect([based.status, based.stderr]).toEqual([2, expect.stringContaining("unknown option '--base'")]);
  });

  it('have the checksum that the game announced', async () => {
    expect((await run('checksum delta --base base')).stdout).toBe('  841254473  delta\n');
    expect(recordsOf((await run('dump -t ndjson delta --base base')).stdout)).toMatchObject([{ crc: 841254473 }]);
  });

  it('have a base that has an effect', async () => {
    const demo = read('vanilla-dm1.demo');
    for (const command of ['decode', 'dump', 'checksum', 'export -t csv --tables kills', 'apply']) {
      const { status, stderr } = await runWriting(`${command} m.demo --base base`, { ...files, 'm.demo': demo });
      expect([command, status, stderr]).toEqual([command, 2, expect.stringContaining('--base is for single deltas')]);
    }
    // Of whole snapshots, of those in a recording, and of two runs.
    const refused = '--base is for deltas, and there is no whole one here';
    for (const [line, text] of [
      ...['decode', 'dump', 'checksum', 'export -t csv -o out', 'apply'].map((command) => [`${command} base`, refused]),
      ['decode m.demo@first', refused],
      ['diff base m.demo@first', refused],
      ['diff m.demo m.demo --player stress2', '--base is for single deltas'],
      ['apply base delta', '--base is for one delta alone'],
    ] as const)
      for (const stated of ['first.huff', 'unknown']) {
        const world = { ...files, 'm.demo': demo };
        const { status, stderr, files: written } = await runWriting(`${line} --base ${stated}`, world);
        const made = [...written.keys()].filter((name) => name.startsWith('out'));
        expect([line, status, made, stderr]).toEqual([line, 2, [], expect.stringContaining(text!)]);
      }
    const both = await run('diff base delta --base base');
    expect([both.status, both.stderr]).toEqual([1, '']);
  });
});

it('a delta with the size of another document ends early, and the size is told', async () => {
  // Two updates: event_damage (type 22) with 5 of its 7 ints, and obj_pickup (type 4) with its 3.
  const ints = [0, 2, 0, ...[22, 0, 100, 200, 1, 2, 3], ...[4, 1, 32, 32, 1]];
  const { status, stderr } = await runWriting('decode -p 0.7 damage.ints', {
    'damage.ints': new Uint8Array(Int32Array.from(ints).buffer),
  });
  expect(status).toBe(3);
  expect(stderr).toContain('read with 5 ints in event_damage it is whole: some documents have this size, the game 7\n');
});

it('on a terminal the heading, and no note, says what it was read as', async () => {
  const { stdout, stderr } = await runWriting('decode first.huff', forms, { terminal: true });
  expect(stdout).toContain('huffman');
  expect(stderr).toBe('tw-snap: first.huff: --base unknown shows differences\n');
});

describe.each([
  // In 0.7, type 4 is obj_pickup, and type 5 obj_flag; the second key of the file is its int 8, at byte 32.
  [
    'an item twice',
    [
      [4, 1, 32, 32, 1],
      [4, 1, 64, 32, 1],
    ],
    'duplicate_key at 0x0020: obj_pickup 1 occurs twice',
  ],
  ['a value out of bounds', [[5, 1, 32, 32, 9]], 'out_of_bounds at 0x0018: obj_flag 1: team is 9'],
] as [string, Item[], string][])('a snapshot that has %s', (_, items, text) => {
  const files = { 's.ints': littleEndian(snapshotInts(...items)) };
  it.each(['dump', 'apply', 'checksum', 'diff empty'])('%s says so, and --strict counts it', async (command) => {
    const { status, stderr } = await runWriting(`${command} s.ints -p 0.7`, files);
    // They differ.
    const usual = command === 'diff empty' ? 1 : 0;
    expect([status, stderr]).toEqual([usual, expect.stringContaining(`tw-snap: s.ints: ${text}`)]);
    expect((await runWriting(`${command} s.ints -p 0.7 --strict`, files)).status).toBe(1);
  });
});

it('a delta alone that removes what its base lacks has a warning, and no tick that is in doubt', async () => {
  const base = littleEndian(snapshotInts([4, 1, 32, 32, 1]));
  const delta = littleEndian([1, 0, 0, key(4, 2)]);
  const line = 'dump d.ints --base b.ints -p 0.7';
  const { status, stderr } = await runWriting(line, { 'b.ints': base, 'd.ints': delta });
  expect([status, stderr]).toEqual([
    0,
    'tw-snap: d.ints: unknown_removed at 0x000c: obj_pickup 2 is removed, but not in the base\n',
  ]);
});
