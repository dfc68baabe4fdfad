import { describe, expect, it } from 'vitest';
import { PcapFile } from '../../support/pcap-file.ts';
import { linesOf, recordsOf, run } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

interface Item {
  readonly name: string;
  readonly id: number;
  readonly fields: Readonly<Record<string, number>>;
}

const files = {
  'a.demo': read('vanilla-dm1.demo'),
  'a.pcap': read('ddnet-ipv6.pcap'),
  'first.huff': read('first.huff'),
  'a.packet': read('vanilla-dm1-tick9892.packet'),
};
const keysOf = (items: readonly Item[]) => items.map(({ name, id }) => `${name} ${id}`);
const decoded = async (line: string) => JSON.parse((await run(`decode ${line} -t json`, files)).stdout);

describe('a whole snapshot at a moment', async () => {
  const dumped = recordsOf((await run('dump a.demo --ticks 9938 -t ndjson', files)).stdout);
  const all: readonly Item[] = dumped.find(({ record }) => record === 'snapshot').items;
  const ofClient = (client: number) =>
    all.filter(
      ({ name, id, fields }) =>
        (/character|player_info|client_info/.test(name) && id === client) ||
        Object.entries(fields).some(([key, value]) => /owner|hooked|carrier/.test(key) && value === client),
    );

  it.each([
    ['--type character', all.filter(({ name }) => name === 'obj_character')],
    ['--id 1', all.filter(({ id }) => id === 1)],
    ['--type obj_player_info,10 --id 0', all.filter(({ name, id }) => /player_info|_character/.test(name) && id === 0)],
    ['--player corpus', ofClient(0)],
    ['--player /^stress3/', ofClient(2)],
    ['--player 1', ofClient(1)],
  ])('%s', async (options, expected) => {
    expect(expected.length).toBeGreaterThan(0);
    const line = `a.demo@9938 -k snapshot ${options}`;
    expect(keysOf((await decoded(line)).items)).toEqual(keysOf(expected));
    const table = (await run(`decode ${line} -t table`, files)).stdout;
    expect(
      linesOf(table)
        .filter((row) => / key 0x/.test(row))
        .map((row) => row.split(/ {2,}/)[0]),
    ).toEqual(keysOf(expected));
    const hexdump = (await run(`decode ${line}`, files)).stdout;
    expect([...hexdump.matchAll(/key=0x\w+ (\w+ \d+)/g)].map(([, key]) => key)).toEqual(keysOf(expected));
  });

  it('without the player is refused', async () => {
    const { status, stdout, stderr } = await run('decode a.demo@9938 -k snapshot --player nobody', files);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('--player selects nobody; there is 0 corpus, 1 stress2, 2 stress3');
  });
});

it('names of a capture are those of its client', async () => {
  const { items } = await decoded('a.pcap@last -k snapshot --player 0');
  expect(items.length).toBeGreaterThan(1);
  const name = items.find((item: Item) => item.name === 'obj_client_info').fields.name;
  expect((await decoded(`a.pcap@last -k snapshot --player ${name}`)).items).toEqual(items);
});

it.each([
  ['first', 33948],
  ['last', 33994],
])('of a capture that begins late, the %s snapshot is shown as sent', async (moment, tick) => {
  const whole = new PcapFile(files['a.pcap']);
  // Frames 101 to 140 have no full snapshot.
  const late = whole.with(whole.records.slice(100, 140));
  const { status, stdout, stderr } = await run(`decode late.pcap@${moment} -t json`, { 'late.pcap': late });
  expect([status, JSON.parse(stdout).kind]).toEqual([0, 'delta']);
  expect(stderr).toContain("shown as sent; it can't be rebuilt: the base is missing");
  expect((await run(`decode late.pcap@${moment}`, { 'late.pcap': late })).stdout).toContain(`late.pcap@${tick}`);
});

describe('a delta by itself', () => {
  it('has players if its base is taken as empty', async () => {
    const { items } = await decoded('first.huff --player 0');
    expect(keysOf(items)).toEqual(['obj_character 0', 'obj_player_info 0']);
  });
});

describe.each(['hexdump', 'table', 'json'])('of what has nothing of a selection, -t %s', (form) => {
  it.each([
    // A projectile moves, and no item of the player.
    ['a.demo@9322 --player 2', 'a.demo@9322', '--player'],
    ['a.demo@9322 --type obj_flag', 'a.demo@9322', '--type'],
    ['a.demo@9322 --type obj_flag --id 7', 'a.demo@9322', '--type and --id'],
    ['a.packet --type sv_motd', 'a.packet', '--type'],
  ])('decode %s says so', async (line, name, options) => {
    const { status, stdout, stderr } = await run(`decode ${line} -t ${form}`, files);
    expect([status, stderr]).toEqual([1, expect.stringContaining(`tw-snap: ${name}: nothing matches ${options}\n`)]);
    if (form === 'json') expect(JSON.parse(stdout)).toHaveProperty('kind');
    else expect(stdout).toBe('');
  });
});

describe('a packet', () => {
  const messages = ({ chunks }: { chunks: readonly { message: { name: string } }[] }) =>
    chunks.map(({ message }) => message.name);

  it('has the selected messages', async () => {
    expect(messages(await decoded('a.packet --type sv_weaponpickup'))).toEqual(['sv_weaponpickup']);
    const { stdout } = await run('decode a.packet --type sv_weaponpickup', files);
    expect(stdout).toContain('sv_weaponpickup (game 9) weapon=2 (shotgun)');
    expect(stdout).not.toContain('time_left');
  });

  it('has the selected items, with the message that they are in', async () => {
    const { chunks } = await decoded('a.packet --type event_sound_world');
    expect(messages({ chunks })).toEqual(['snap_single']);
    expect(chunks[0].message.delta).toMatchObject({ removed: [], items: [{ name: 'event_sound_world', id: 0 }] });
  });

  it('has the removed items', async () => {
    const { chunks } = await decoded('a.packet --type obj_pickup');
    expect(chunks[0].message.delta).toMatchObject({ removed: [{ name: 'obj_pickup', id: 6 }], items: [] });
    expect((await run('decode a.packet --type obj_pickup -t table', files)).stdout).toContain('removed   obj_pickup 6');
  });

  it('has no players', async () => {
    const { status, stderr } = await run('decode a.packet --player 2', files);
    expect([status, stderr]).toEqual([2, expect.stringContaining('--player is for snapshots and deltas')]);
  });
});

it('names the empty snapshot as the base alike of a moment and of its packet', async () => {
  const files = { 'a.pcap': read('ddnet-ipv6.pcap') };
  const moment = await run('decode a.pcap@33830 -t json', files);
  const packet = JSON.parse((await run('decode a.pcap#11 -t json', files)).stdout);
  const { delta } = packet.chunks.find((chunk: { message?: { delta?: object } }) => chunk.message?.delta).message;
  expect([JSON.parse(moment.stdout).base, delta.base]).toEqual(['empty', 'empty']);
  expect((await run('decode a.pcap@33830', files)).stdout).not.toContain('tick -1');
});
