import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { plainTheme } from '../../../src/output/text/theme.ts';
import { DemoTimeline, type DemoTimelineOptions } from '../../../src/output/timeline/demo-timeline.ts';
import { DemoReplay } from '../../../src/recording/demo/demo-replay.ts';
import { type MadeItem, players07, Recording } from '../../support/recording.ts';

type Options = Partial<DemoTimelineOptions>;

const lines = (recording: Recording, options: Options = {}) => {
  const { width = 80 } = options;
  const view = new DemoTimeline({ theme: plainTheme, verbose: false, ...options, width, limit: width });
  const text = recording.records.map((record) => view.add(record)).join('') + view.finish();
  expect(text === '' || text.endsWith('\n')).toBe(true);
  return text.split('\n').slice(0, -1);
};

const all = players07('ann', 'bob', 'cid');

const begun = (length = 0) => new Recording('0.7', [], length).tick(8898).snapshot(...all);

const head = '  tick      time   what';
const opening = [
  head,
  '  8898   0:00.00   full snapshot   6 items',
  '                   playing: ann, bob, cid · recorded by ann',
];

/** The lines after the opening, up to the end. */
const reported = (recording: Recording, options: Options = {}) => {
  const [text, end] = [lines(recording, options), lines(recording, options).at(-1)];
  expect(end).toMatch(/^ {2}\d+ +[\d:.]+ {3}end$/);
  return text.slice(opening.length, -1);
};

/** The phrases of one message at tick 8900. */
const phrasesOf = (name: string, ...values: readonly (number | string)[]) =>
  reported(
    begun()
      .tick(8900)
      .message(name, ...values),
  ).map((line) => line.slice(19));

/** Snapshots every other tick, in which some fire. */
const firing = (recording: Recording, from: number, to: number, shooters: (tick: number) => readonly number[]) => {
  const last = new Map<number, number>();
  for (let tick = from; tick <= to; tick += 2) {
    for (const id of shooters(tick)) last.set(id, tick);
    const characters = [...Array(9).keys()].map(
      (id): MadeItem => ['obj_character', id, { attack_tick: last.get(id) ?? 0, weapon: id % 2, hooked_player: -1 }],
    );
    recording.tick(tick).snapshot(...all, ...characters);
  }
  return recording;
};

it('begins with the players present and ends with the end of the recording', () => {
  expect(lines(begun().tick(8900))).toEqual([...opening, '  8900   0:00.04   end']);
});

it('an empty recording has no lines', () => {
  expect(lines(new Recording('0.7'))).toEqual([]);
});

it('a vote is called before it is over, as in the messages', () => {
  const recording = begun().tick(8900).message('sv_voteset', 1, 1, 25, 'restart', 'please');
  recording.message('sv_voteset', -1, 5, 0, '', '').message('sv_chat', 0, -1, -1, 'Vote passed');
  expect(reported(recording)).toEqual([
    '  8900   0:00.04   bob calls a vote: restart (please)',
    '                   the vote passed',
    '                   *** Vote passed',
  ]);
});

it('notices of a tick share one line, chat has lines of its own, in the order of the messages', () => {
  const recording = begun().tick(9104).message('sv_chat', 1, 1, -1, 'hello').message('sv_killmsg', 1, 0, 0, 0);
  recording.message('sv_team', 2, -1, 0, 0).message('sv_chat', 2, 2, -1, 'bye');
  expect(reported(recording)).toEqual([
    '  9104   0:04.12   nothing recorded for 4.10 s',
    '                   bob: hello',
    '                   ann killed by bob with hammer · cid joins the spectators',
    '                   cid (team): bye',
  ]);
});

it('untrusted text is escaped, long names are shortened, long text wraps', () => {
  const recording = new Recording('0.7').tick(8898).snapshot(...players07('a\u202e"\n'));
  recording.message('de_cliententer', 'x'.repeat(40), 1, 0);
  recording.message('sv_chat', 1, 0, -1, `\u001b[31m${'word '.repeat(12)}${'y'.repeat(70)}`);
  expect(lines(recording).slice(2)).toEqual([
    '                   playing: a\\u{202e}"\\n',
    `                   ${'x'.repeat(23)}… joins`,
    `                   a\\u{202e}"\\n: \\u{1b}[31m${'word '.repeat(6)}word`,
    `                     ${'word '.repeat(5).trimEnd()}`,
    `                     ${'y'.repeat(59)}`,
    `                     ${'y'.repeat(11)}`,
    '  8898   0:00.00   end',
  ]);
});

it('no line is wider than the given width', () => {
  const recording = begun().tick(8900);
  for (let i = 1; i < 200; i += 17) recording.message('sv_chat', 1, 0, -1, 'ab 日本 c'.repeat(i));
  for (const width of [44, 60, 100]) {
    for (const line of lines(recording, { width })) expect(line.length).toBeLessThanOrEqual(width);
  }
});

describe('actions', () => {
  it('of a second are grouped by player', () => {
    const recording = firing(begun(), 8900, 8960, (tick) =>
      tick > 8900 && tick % 20 === 0 ? [0] : tick === 8930 ? [1] : [],
    );
    expect(reported(recording)).toEqual(['  8920   0:00.44   ann swings hammer 3 times · bob fires gun']);
  });

  it('are listed one by one where the option is set', () => {
    const recording = firing(begun(), 8900, 8960, (tick) => (tick === 8920 || tick === 8926 ? [0] : []));
    expect(reported(recording, { verbose: true })).toEqual([
      '  8900 … 8918      10 quiet ticks',
      '  8920   0:00.44   ann swings hammer',
      '  8926   0:00.56   ann swings hammer',
      '  8928 … 8960      17 quiet ticks',
    ]);
  });

  it('are ended by notices; actions of the same tick are in the order of the records', () => {
    const recording = firing(begun(), 8900, 8910, (tick) => (tick > 8900 ? [1] : []));
    recording.message('sv_killmsg', 1, 0, 1, 0);
    expect(reported(recording)).toEqual([
      '  8902   0:00.08   bob fires gun 4 times',
      '  8910   0:00.24   bob fires gun · ann killed by bob with gun',
    ]);
  });

  it('have a phrase for each kind', () => {
    const recording = begun()
      .tick(8900)
      .snapshot(...all, ['obj_character', 0, { health: 9, armor: 3, hooked_player: -1 }]);
    recording
      .tick(8902)
      .snapshot(
        ...all,
        ['obj_character', 0, { x: 9, health: 10, hooked_player: 1, triggered_events: 3 }],
        ['event_damage', 0, { client_id: 0, armor_amount: 3 }],
        ['event_sound_world', 0, { sound_id: 26 }],
        ['obj_character', 2, { x: 900 }],
        ['event_spawn', 0, { x: 900 }],
      );
    expect(reported(recording, { width: 120 })).toEqual([
      '  8902   0:00.08   ann air-jumps, jumps, hooks bob, picks up health, is hit (-3 armor, 10 left), picks up grenade · cid',
      '                     spawns',
    ]);
    expect(phrasesOf('sv_emoticon', 1, 2)).toEqual(['bob shows hearts']);
  });

  it('of many players are counted beside the notices, those of the local player are listed', () => {
    const recording = firing(begun(), 8900, 8938, (tick) =>
      tick === 8904 ? [0, 1, 2, 3, 4, 5, 6, 7] : tick > 8920 ? [0, 1] : [],
    );
    recording.message('sv_chat', 1, 1, -1, 'hello');
    expect(reported(recording)).toEqual([
      '  8938   0:00.80   bob: hello',
      '  8904 … 8938      ann swings hammer 10 times · 7 others: 16 shots (gun 13,',
      '                     hammer 3)',
    ]);
  });
});

describe('quiet ticks', () => {
  const quiet = (to: number) => {
    const recording = begun();
    for (let tick = 8900; tick <= to; tick += 2) recording.tick(tick);
    return reported(recording.tick(to + 2).message('sv_broadcast', 'x'));
  };

  it('are folded', () => {
    expect(quiet(8982)).toEqual(['  8900 … 8982      42 quiet ticks', '  8984   0:01.72   broadcast: x']);
  });

  it('are not mentioned if there are only a few', () => {
    expect(quiet(8972)).toEqual(['  8974   0:01.52   broadcast: x']);
  });
});

describe('the phrases for', () => {
  it('players who do the same in one tick', () => {
    const recording = begun().tick(8900);
    for (let id = 0; id < 3; id++) recording.message('sv_killmsg', id, id, -3, 0);
    expect(reported(recording)).toEqual(['  8900   0:00.04   ann, bob, cid killed by the game']);
  });

  it('what a server says to all: once, with how often it is in the demo', () => {
    const recording = begun().tick(8900);
    for (const text of ['run', 'run', 'run', 'stop']) recording.message('sv_broadcast', text);
    expect(reported(recording)).toEqual([
      '  8900   0:00.04   3 × broadcast: run',
      '                   broadcast: stop',
    ]);
  });

  it('what a server says again: once, with the ticks in which nothing else is shown', () => {
    const recording = begun();
    for (let tick = 8900; tick <= 9602; tick += 2) {
      recording.tick(tick);
      if (tick === 9302) recording.message('sv_chat', 0, 1, -1, 'hi');
      else if (tick % 100 === 0) recording.message('sv_broadcast', 'run');
      else if (tick === 9602) recording.message('sv_broadcast', 'stop');
      recording.snapshot(...all);
    }
    expect(reported(recording)).toEqual([
      '  8900 … 9300      5 × broadcast: run',
      '  9302   0:08.08   bob: hi',
      '  9304 … 9600      149 quiet ticks',
      '  9400 … 9600      3 × broadcast: run',
      '  9602   0:14.08   broadcast: stop',
    ]);
    const each = reported(recording, { verbose: true }).filter((line) => line.includes('broadcast: run'));
    expect(each).toHaveLength(8);
  });

  it('deaths', () => {
    expect(phrasesOf('sv_killmsg', 0, 0, 3, 0)).toEqual(['ann killed by self with grenade']);
    expect(phrasesOf('sv_killmsg', 0, 0, -2, 0)).toEqual(['ann killed by self']);
    expect(phrasesOf('sv_killmsg', 0, 0, -1, 0)).toEqual(['ann killed by the world']);
    expect(phrasesOf('sv_killmsg', -1, 0, 1, 1)).toEqual(['ann killed by somebody of red with gun, flag in hand']);
    expect(phrasesOf('sv_killmsg', 9, 0, 9, 0)).toEqual([
      'ann killed by player 9 (not in the snapshots) with weapon 9',
    ]);
  });

  it('chat', () => {
    expect(phrasesOf('sv_chat', 3, 0, 1, 'psst')).toEqual(['ann → bob: psst']);
    expect(phrasesOf('sv_chat', 1, -1, -1, 'map change')).toEqual(['*** map change']);
    expect(phrasesOf('sv_motd', 'a\nb')).toEqual(['message of the day: a\\nb']);
    expect(phrasesOf('rcon_line', 'hi')).toEqual(['console: hi']);
  });

  it('votes', () => {
    expect(phrasesOf('sv_voteset', 0, 2, 25, 'bob', 'afk')).toEqual(['ann calls a vote to kick: bob (afk)']);
    expect(phrasesOf('sv_voteset', -1, 1, 25, 'map dm1', '')).toEqual(['a vote is called: map dm1']);
    expect(phrasesOf('sv_voteset', 0, 6, 0, '', '')).toEqual(['the vote failed']);
    expect(phrasesOf('sv_voteset', 0, 4, 0, '', '')).toEqual(['the vote is aborted']);
  });

  it('the game', () => {
    expect(phrasesOf('sv_gamemsg', 9, 0, 1, 617)).toEqual(['bob captures the red flag (12.34 s)']);
    expect(phrasesOf('sv_gamemsg', 2)).toEqual(['the teams are shuffled']);
    expect(phrasesOf('sv_gamemsg', 10, 1)).toEqual(['bob pauses the game']);
    const state = (game_state_flags: number, game_state_end_tick = 0) =>
      reported(
        begun()
          .tick(8900)
          .snapshot(...all, ['obj_game_data', 0])
          .tick(8902)
          .snapshot(...all, ['obj_game_data', 0, { game_state_flags, game_state_end_tick }]),
      ).map((line) => line.slice(19));
    expect(state(1, 9402)).toEqual(['warmup (10 s)']);
    expect(state(2)).toEqual(['sudden death']);
    expect(state(8)).toEqual(['game over: ann 0, bob 0, cid 0']);
  });

  it('races', () => {
    expect(phrasesOf('sv_racefinish', 1, 12_345, -20, 1, 1)).toEqual([
      'bob finishes in 0:12.35 (-0.02 s), server record',
    ]);
    expect(phrasesOf('sv_checkpoint', 1500)).toEqual(['ann at a checkpoint (+1.50 s)']);
    const record = new Recording('0.6').tick(8898).message('sv_recordlegacy', 1234, 0);
    expect(lines(record)[1]).toBe('  8898   0:00.00   best time 0:12.34');
  });
});

describe('diagnostics', () => {
  const diagnostic = { severity: 'error', code: 'no_snapshot_before', offset: 0x1e67, args: {} } as const;

  it('are on lines of their own; many of a kind are counted', () => {
    const recording = begun();
    for (let tick = 8900; tick < 8920; tick += 2) recording.tick(tick).diagnostic(diagnostic);
    const line = '✗ no_snapshot_before at 0x1e67: a delta before the first snapshot';
    expect(reported(recording, { width: 100 })).toEqual([
      `  8900   0:00.04   ${line}`,
      `  8902   0:00.08   ${line}`,
      `  8904   0:00.12   ${line}`,
      '  8906 … 8918      ✗ 7 more no_snapshot_before',
    ]);
    expect(reported(recording, { width: 100, verbose: true })).toHaveLength(10);
  });

  it('are shown without a tick, too', () => {
    const view = new DemoTimeline({ theme: plainTheme, width: 80, limit: 80, verbose: false });
    view.add({ record: 'diagnostic', diagnostic: { ...diagnostic, code: 'not_a_demo', offset: 0 } });
    expect(view.finish().split('\n')).toEqual([
      head,
      '                   ✗ not_a_demo at 0x0000: this is not a demo: it does not begin',
      '                     with TWDEMO',
      '',
    ]);
  });
});

describe('columns', () => {
  it('grow with the length of the recording and the ticks', () => {
    const recording = new Recording('0.7', [], 4000).tick(12_345_678).snapshot(...players07('ann'));
    expect(lines(recording.tick(12_345_678 + 50 * 3725))).toEqual([
      '    tick         time   what',
      '12345678      0:00.00   full snapshot   2 items',
      '                        playing: ann',
      '12531928   1:02:05.00   nothing recorded for 3724.98 s',
      '12531928   1:02:05.00   end',
    ]);
  });

  it('only some ticks are shown, with the state from the ticks before', () => {
    const recording = begun().tick(8900).message('sv_chat', 1, 1, -1, 'one');
    recording.tick(8902).message('sv_chat', 1, 1, -1, 'two').tick(8904).message('sv_chat', 1, 1, -1, 'three');
    expect(lines(recording, { ticks: { from: 8902, to: 8903 } })).toEqual([
      head,
      '  8902   0:00.08   bob: two',
      '  8902   0:00.08   end',
    ]);
  });
});

it('each kind of line has its colour', () => {
  const mark = (name: string) => (text: string) => `<${name}>${text}</>`;
  const role = Object.fromEntries(Object.keys(plainTheme.role).map((name) => [name, mark(name)]));
  const theme = { ...plainTheme, role, dim: mark('dim'), removed: mark('removed') } as DemoTimelineOptions['theme'];
  const recording = begun().tick(8900).message('sv_killmsg', 1, 0, 1, 0).message('sv_chat', 1, 1, -1, 'hi');
  expect(lines(recording, { theme }).slice(3, 5)).toEqual([
    '  8900   <time>0:00.04</>   <identity>ann</> <removed>killed</> by <identity>bob</> with <state>gun</>',
    '                   <identity>bob</>: <text>hi</>',
  ]);
  // What players do all the time is dim.
  const fires = firing(begun(), 8900, 8904, (tick) => (tick > 8900 ? [1] : []));
  expect(lines(fires, { theme })[3]).toContain('<dim>bob fires gun twice</>');
});

const corpus = new URL('../../../../shared/corpus/', import.meta.url);

it.skipIf(!existsSync(corpus))('a real match is printed in order, with pieces of any size (needs ../shared)', () => {
  const bytes = new Uint8Array(readFileSync(new URL('07-vanilla-dm1-client.demo', corpus)));
  const timelineIn = (size: number) => {
    const [replay, view] = [
      new DemoReplay({ messages: true }),
      new DemoTimeline({ theme: plainTheme, width: 100, limit: 100, verbose: false }),
    ];
    let text = '';
    for (let at = 0; at < bytes.length; at += size) {
      for (const record of replay.feed(bytes.subarray(at, at + size))) text += view.add(record);
    }
    for (const record of replay.finish()) text += view.add(record);
    return text + view.finish();
  };
  const text = timelineIn(bytes.length);
  expect(timelineIn(1000)).toBe(text);
  const ticks = [...text.matchAll(/^ +(\d+) {3}/gm)].map(([, tick]) => Number(tick));
  expect(ticks).toEqual(ticks.toSorted((a, b) => a - b));
  expect(text).toContain(' 11122   0:44.48   corpus joins the spectators\n');
  expect(text.split('\n').length).toBeLessThan(120);
  for (const phrases of ['hello from a real client', 'gg wp :)', 'nice shot'])
    expect(text.split(phrases)).toHaveLength(2);
});
