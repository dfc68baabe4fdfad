import { describe, expect, it } from 'vitest';
import {
  playerItems,
  type ServerMessage,
  serverCapture,
  serverMessage,
  snapshotMessage,
} from '../../support/made-capture.ts';
import { linesOf, run } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

const files = {
  'm.demo': read('vanilla-dm1.demo'),
  'r.demo': read('ddnet-race-player.demo'),
  // Two clients are told the same chat line; client 3 is renamed, and number 4 is another player with the old name's
  // beginning.
  's.pcap': serverCapture([
    [5001, snapshotMessage(10, ...playerItems(3, 'ann'), ...playerItems(4, 'annie'))],
    [5002, snapshotMessage(10, ...playerItems(3, 'ann'), ...playerItems(4, 'annie'))],
    [5001, serverMessage('sv_chat', 0, 3, 'one')],
    [5002, serverMessage('sv_chat', 0, 3, 'one')],
    [5001, serverMessage('sv_chat', 0, 4, 'two')],
    [5001, snapshotMessage(12, ...playerItems(3, 'bob'), ...playerItems(4, 'annie'))],
    [5001, serverMessage('sv_chat', 0, 3, 'three')],
    [5001, serverMessage('sv_killmsg', 4, 3, 1, 0)],
  ]),
  // Two clients are shown a text three times, then another one.
  'b.pcap': serverCapture(
    ['run', 'run', 'run', 'stop'].flatMap((said) =>
      [5001, 5002].map((port): ServerMessage => [port, serverMessage('sv_broadcast', said)]),
    ),
  ),
};

const dump = (line: string) => run(`dump ${line}`, files);
const whatOf = (text: string) => linesOf(text).map((line) => line.trim().split(/ {2,}/).at(-1));
const recordsOf = (text: string) => linesOf(text).map((line) => JSON.parse(line));

describe('dump --events', () => {
  it('has the kills, chat and joins of the timeline, without actions', async () => {
    const { stdout } = await dump('m.demo --events --width 1000');
    const all = (await dump('m.demo --width 1000')).stdout;
    const lines = linesOf(stdout);
    expect(lines.length).toBeGreaterThan(30);
    for (const what of ['stress3 killed by self with grenade', 'corpus: gg wp :)', 'corpus joins the spectators'])
      expect([stdout, all]).toEqual([expect.stringContaining(what), expect.stringContaining(what)]);
    expect(stdout).not.toMatch(/fires|jumps|quiet|full snapshot/);
  });

  it('has kinds and ticks that are selected', async () => {
    const { stdout } = await dump('m.demo --events --type kill,spawn --ticks 9400.. --width 1000');
    expect(whatOf(stdout).slice(1)).toEqual(expect.arrayContaining(['corpus killed by self', 'corpus spawns']));
    expect(stdout).not.toContain('grenade');
  });

  it('has records with names', async () => {
    const { stdout } = await dump('m.demo --events --type kill -t ndjson');
    const self = { id: 2, name: 'stress3' };
    expect(recordsOf(stdout)[0]).toEqual({
      record: 'event',
      // The demo begins with tick 8898.
      seconds: (9322 - 8898) / 50,
      tick: 9322,
      event: 'kill',
      fields: { victim: self, by_self: true, weapon: 3, had_flag: false },
      sentence: 'stress3 killed by self with grenade',
    });
  });

  it('has a broadcast of a capture once for all clients, and once with how often it came again', async () => {
    const { stdout } = await dump('b.pcap --events --width 1000');
    const lines = linesOf(stdout).slice(1);
    expect(lines.map((line) => line.replace(/^ *([\d-]+) .* {3}(\d client)/, '$1 $2'))).toEqual([
      '1-2 2 clients         broadcast: run',
      '3-6 2 clients         2 × broadcast: run',
      '7-8 2 clients         broadcast: stop',
    ]);
    const each = recordsOf((await dump('b.pcap --type sv_broadcast -t ndjson')).stdout);
    expect(each.filter(({ record }) => record === 'message')).toHaveLength(8);
  });

  it('has an event of a capture once, with the number of receivers', async () => {
    const records = recordsOf((await dump('s.pcap --events --type chat -t ndjson')).stdout);
    const said = records.map(({ fields: { player, text, receivers } }) => [player?.name, text, receivers]);
    expect(said).toEqual([
      ['ann', 'one', 2],
      ['annie', 'two', undefined],
      ['bob', 'three', undefined],
    ]);
  });

  it.each([
    ['m.demo --events --type lunch', "no event 'lunch'; there are, by group:\n  player     join, leave, rename,"],
    ['m.demo --events --type finsh', 'did you mean finish?'],
    ['m.demo --events -t csv', 'for tables there is export'],
    ['m.demo --events -t hexdump', '--events does not go with -t hexdump'],
    ['m.demo --events --id 3', '--events does not go with'],
    ['m.demo --events --no-messages', '--events does not go with'],
  ])('refuses %s', async (line, text) => {
    const { status, stdout, stderr } = await dump(line);
    expect([status, stdout, stderr]).toEqual([2, '', expect.stringContaining(text)]);
  });
});

describe('dump --player', () => {
  it('has what is about a player, by name, pattern and number', async () => {
    const [byName, byPattern, byNumber] = await Promise.all(
      ['corpus', '/^CORP/i', '0'].map(async (who) => (await dump(`m.demo --player ${who} --width 1000`)).stdout),
    );
    expect(byName).toContain('corpus killed by self');
    expect(byName).toMatch(/corpus .*(jumps|fires)/);
    expect(byName).not.toMatch(/stress3 (fires|killed)|stress2:/);
    expect([byPattern, byNumber]).toEqual([byName, byName]);
  });

  it('has the items of the player, and the messages that name it', async () => {
    const records = recordsOf((await dump('m.demo --player stress3 -t ndjson')).stdout).slice(1);
    const items = records.flatMap((record) => record.items ?? []);
    expect(new Set(items.map(({ name, id, fields }) => fields.client_id ?? `${name} ${id}`))).toEqual(
      new Set(['obj_character 2', 'obj_player_info 2', 'obj_de_client_info 2', 2]),
    );
    const messages = records.filter(({ record }) => record === 'message');
    expect(messages.length).toBeGreaterThan(3);
    for (const { fields } of messages)
      expect([fields.client_id, fields.killer, fields.victim, fields.target_id]).toContain(2);
  });

  it('follows a player who takes another name', async () => {
    const { stdout } = await dump('s.pcap --client 127.0.0.1:5001 --player ann --events --width 1000');
    expect(whatOf(stdout)).toEqual([
      'what',
      'ann: one',
      'ann is now bob',
      'bob: three',
      'bob killed by annie with gun',
    ]);
  });

  it('ignores the case of a name, as --type does; a pattern has its own flag', async () => {
    expect(await dump('m.demo --player CORPUS')).toEqual(await dump('m.demo --player corpus'));
    expect((await dump('m.demo --player /CORPUS/')).status).toBe(1);
    expect(await dump('m.demo --player /CORPUS/i')).toEqual(await dump('m.demo --player corpus'));
  });

  it('goes with --type', async () => {
    const { stdout } = await dump('m.demo --player corpus --type sv_killmsg');
    expect(whatOf(stdout)).toEqual(['corpus killed by self', 'corpus killed by the game']);
  });

  it('names the players for a name that nobody has', async () => {
    const { status, stderr } = await dump('m.demo --player nobody');
    expect([status, stderr]).toEqual([
      1,
      'tw-snap: m.demo: --player selects nobody; there is 0 corpus, 1 stress2, 2 stress3\n',
    ]);
    // Not even a heading is printed before it is known.
    for (const more of ['m.demo', '-t csv', '-t ndjson', '--events']) {
      const refused = await dump(`m.demo --player nobody ${more}`);
      expect([refused.status, refused.stdout]).toEqual([1, '']);
    }
    expect((await dump('m.demo --player /(/')).stderr).toContain('Expected a name or a regular expression as /RE/');
  });
});

describe('dump --type of messages', () => {
  it('prints the sentences of the timeline; with -v the fields', async () => {
    const { stdout } = await dump('m.demo --type sv_killmsg --width 1000');
    expect(whatOf(stdout)[1]).toBe('stress3 killed by self with grenade');
    const verbose = await dump('m.demo --type sv_killmsg -v --width 1000');
    expect(whatOf(verbose.stdout)[1]).toBe(
      'sv_killmsg killer=2 (stress3) victim=2 (stress3) weapon=3 (grenade) mode_special=0',
    );
  });
});
