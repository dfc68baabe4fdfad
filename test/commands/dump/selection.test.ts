import { describe, expect, it } from 'vitest';
import { linesOf, run } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

const files = { 'a.pcap': read('ddnet-ipv6.pcap'), 'm.demo': read('vanilla-dm1.demo') };

const dump = (line: string) => run(`dump ${line}`, files);

const bodyOf = (text: string) => linesOf(text).slice(1);

describe('dump with --type, --id or --ticks', () => {
  it('as text has only the items that appear, change and disappear', async () => {
    const { stdout } = await dump('m.demo --type obj_character --id 0 --width 1000');
    const lines = bodyOf(stdout);
    expect(lines.length).toBeGreaterThan(100);
    for (const line of lines) expect(line).toMatch(/^ *\d+ +\d+:\d\d\.\d\d +[+~-] obj_character 0/);
  });

  it('as text agrees with the snapshots of NDJSON', async () => {
    const { stdout } = await dump('m.demo --type obj_player_info --id 1 --width 1000');
    const records = (await dump('m.demo --type obj_player_info --id 1 -t ndjson')).stdout;
    let last = '';
    const changes: number[] = [];
    for (const line of records.trimEnd().split('\n')) {
      const { record, tick, items } = JSON.parse(line);
      if (record !== 'snapshot') continue;
      const now = JSON.stringify(items[0].data);
      if (now !== last) changes.push(tick);
      last = now;
    }
    const ticks = bodyOf(stdout)
      .filter((line) => !line.includes(' - '))
      .map((line) => Number(line.trim().split(' ')[0]));
    expect(ticks.filter((tick, i) => i === 0 || tick !== ticks[i - 1])).toEqual(expect.arrayContaining(changes));
  });

  it('as text of a capture has the frame and client of each change', async () => {
    const { stdout } = await dump('a.pcap --type character --ticks 33948..33952 --width 1000');
    const rows = bodyOf(stdout).map((line) => line.trim().split(/ {2,}/));
    expect(rows.map(([frame, , client, what]) => [frame, client, what])).toEqual([
      ['101', '[::1]:29911', '~ obj_character 0 (six)'],
      ['102', '[::1]:29911', '~ obj_character 0 (six)'],
      ['104', '[::1]:29911', '~ obj_character 0 (six)'],
    ]);
  });

  it('as text of a capture has only the selected events, no line about its connections or server', async () => {
    // The capture begins with a request for the server's information and its answer.
    for (const selection of ['--events --type chat', '--where chat']) {
      const lines = bodyOf((await dump(`a.pcap ${selection} --width 1000`)).stdout);
      expect(lines.length).toBeGreaterThan(5);
      for (const line of lines) expect(line).not.toMatch(/server info|connects|leaves/);
    }
  });

  it('as a hexdump of a capture has only the bytes of the items and messages', async () => {
    const { stdout } = await dump('a.pcap --type obj_character -t hexdump --ticks 33948..33948');
    expect(stdout).toContain('obj_character id=0');
    expect(stdout).not.toContain('msg=');
    const chat = await dump('a.pcap --type sv_chat -t hexdump');
    expect(chat.stdout.match(/msg=\d+ \w+/g)).toEqual(Array.from({ length: 9 }, () => 'msg=6 sv_chat'));
  });

  it('as CSV has each name of a column once', async () => {
    for (const type of ['obj_character', 'obj_pickup', 'sv_chat', 'sv_ddracetime']) {
      const { stdout } = await dump(`a.pcap --type ${type} -t csv`);
      const names = stdout.split('\n')[0]!.split(',');
      expect(new Set(names).size, type).toBe(names.length);
    }
  });

  it.each([
    ['obj_character', 'm.demo'],
    ['obj_character', 'm.demo a.pcap'],
    ['ddnet_player', 'a.pcap'],
    ['event_sound_world', 'm.demo a.pcap'],
    ['obj_de_client_info', 'm.demo'],
  ])('as CSV of %s in %s equals the table that export writes', async (type, names) => {
    const { stdout } = await dump(`${names} --type ${type} -t csv`);
    expect(stdout).toBe((await run(`export ${names} --tables ${type} -t csv`, files)).stdout);
  });

  it.each([
    [
      'a range that ends before it begins',
      ['m.demo', '--ticks', '10..1'],
      'ends before it begins; did you mean 1..10?',
    ],
    ['ticks after the end', ['m.demo', '--ticks', '20000..'], 'no snapshot in these ticks: it has 8898 to 11782'],
    ['a client of a demo', ['m.demo', '--client', 'a:1'], '--client is for captures; this is a demo'],
    ['another version than that of the handshakes', ['a.pcap', '-p', '0.7'], 'the handshakes state 0.6'],
    ['--changes as text', ['m.demo', '--changes'], '--changes requires -t ndjson'],
    ['a name that is none', ['m.demo', '--type', 'killmgs'], 'did you mean sv_killmsg'],
  ])('is refused with %s', async (_, args, message) => {
    const { status, stderr } = await dump(`${args.join(' ')}`);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('accepts a tick that has a message but no snapshot', async () => {
    for (const line of ['dump m.demo -t ndjson', 'export m.demo --tables chat -t ndjson', 'stats m.demo']) {
      const { status, stdout, stderr } = await run(`${line} --ticks 11500`, files);
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).not.toBe('');
    }
  });

  it('reports that nothing was selected', async () => {
    const { status, stderr } = await dump('m.demo --type sv_ddracetime');
    expect([status, stderr]).toEqual([1, 'tw-snap: m.demo: nothing matches --type\n']);
  });

  it('accepts message names without their prefix', async () => {
    const { stdout } = await dump('m.demo --type killmsg --width 100');
    expect(bodyOf(stdout)[0]).toContain('stress3 killed by self with grenade');
  });
});

describe('dump of several files as text', () => {
  const [first, second] = ['m.demo', 'a.pcap'];

  it('in a pipe names the file in each line, for grep and sort', async () => {
    const { stdout } = await dump(`${first} ${second} --events --width 1000`);
    const lines = linesOf(stdout);
    expect(lines.filter((line) => !line.startsWith(`${first}: `) && !line.startsWith(`${second}: `))).toEqual([]);
    for (const file of [first, second]) {
      const alone = linesOf((await dump(`${file} --events --width 1000`)).stdout);
      const named = lines.filter((line) => line.startsWith(`${file}: `)).map((line) => line.slice(file.length + 2));
      expect(named).toEqual(alone);
    }
  });

  it('in a terminal has a heading for each', async () => {
    const { stdout } = await run(`dump ${first} ${second} --events --color never`, files, { terminal: true });
    expect(linesOf(stdout)[0]).toBe(first);
    expect(stdout).toContain(`\n\n${second}\n`);
    expect(stdout).not.toContain(`${first}: `);
  });
});
