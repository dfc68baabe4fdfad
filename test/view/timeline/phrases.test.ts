import { describe, expect, it } from 'vitest';
import type { Action, Notice, PlayerRef } from '../../../src/events/event.ts';
import { plainTheme } from '../../../src/view/text/theme.ts';
import { ActionBatch } from '../../../src/view/timeline/action-batch.ts';
import { groupKey } from '../../../src/view/timeline/notice-groups.ts';
import { type Phrase, Phrases } from '../../../src/view/timeline/phrases.ts';

const words = new Phrases(plainTheme);
const text = (phrase: Phrase | undefined) => phrase?.map((segment) => segment.text).join('');
const [ann, bob]: PlayerRef[] = [
  { client: 0, name: 'ann' },
  { client: 1, name: 'bob' },
] as const;
const diagnostic = (severity: 'error' | 'warning') => ({ severity, code: 'chunk_type', offset: 16, args: {} }) as const;

const notice: readonly (readonly [Notice, string | undefined])[] = [
  [{ what: 'marker', number: 2, of: 3 }, 'marker 2 of 3'],
  [
    { what: 'diagnostic', diagnostic: diagnostic('error') },
    '✗ chunk_type at 0x0010: a chunk of type 0, which no game writes; it is skipped',
  ],
  [
    { what: 'diagnostic', diagnostic: diagnostic('warning') },
    '! chunk_type at 0x0010: a chunk of type 0, which no game writes; it is skipped',
  ],
  [{ what: 'more', count: 7 }, '7 more events in this tick'],
  [{ what: 'renamed', player: bob, from: 'bobby' }, 'bobby is now bob'],
  [{ what: 'ddrace_team', player: ann, team: 0 }, 'ann leaves the team'],
  [{ what: 'ddrace_team', player: ann, team: 5 }, 'ann joins team 5'],
  [{ what: 'team_killed', player: ann, team: 5 }, 'team 5 killed with ann'],
  [
    { what: 'vote', player: ann, kind: 'kick', description: 'bob', reason: 'afk' },
    'ann calls a vote to kick: bob (afk)',
  ],
  [
    { what: 'vote', player: undefined, kind: 'spectate', description: 'bob', reason: '' },
    'a vote is called to move to the spectators: bob',
  ],
  [
    { what: 'vote', player: undefined, kind: 'option', description: 'restart', reason: '' },
    'a vote is called: restart',
  ],
  [{ what: 'vote_over', result: 'aborted' }, 'the vote is aborted'],
  [{ what: 'vote_over', result: 'passed' }, 'the vote passed'],
  [{ what: 'vote_over', result: undefined }, 'the vote is over'],
  [{ what: 'round' }, 'a new round begins'],
  [{ what: 'flag_taken', player: ann, flag: 'red' }, 'ann takes the red flag'],
  [{ what: 'flag_dropped', player: ann, flag: 'red' }, 'ann drops the red flag'],
  [{ what: 'flag_returned', flag: 'blue' }, 'the blue flag returns'],
  [{ what: 'flag_captured', player: ann, flag: 'blue', ticks: 275 }, 'ann captures the blue flag (5.50 s)'],
  [{ what: 'flag_captured', player: ann, flag: 'blue', ticks: undefined }, 'ann captures the blue flag'],
  [{ what: 'score', red: 1200, blue: 3 }, 'score: red 1,200, blue 3'],
  [
    { what: 'finished', player: ann, time: 61_230, diff: -20, record: 'server' },
    'ann finishes in 1:01.23 (-0.02 s), server record',
  ],
  [
    { what: 'finished', player: undefined, time: 1000, diff: 1500, record: 'personal' },
    'somebody finishes in 0:01.00 (+1.50 s), personal best',
  ],
  [
    { what: 'finished', player: undefined, time: 1000, diff: undefined, record: undefined },
    'somebody finishes in 0:01.00',
  ],
  [{ what: 'checkpoint', player: undefined, diff: 30 }, 'somebody at a checkpoint (+0.03 s)'],
  [{ what: 'best_time', time: 59_990 }, 'best time 0:59.99'],
  [
    {
      what: 'tuned',
      params: [
        { name: 'gravity', old: 0.5, new: 0 },
        { name: 'new_one', old: 0, new: 1 },
      ],
    },
    'tuning: gravity 0.5 → 0, new_one 0 → 1',
  ],
  [
    { what: 'tuned', params: Array.from({ length: 8 }, (_, i) => ({ name: `p${i}`, old: 9, new: i })) },
    'tuning: p0 9 → 0, p1 9 → 1, p2 9 → 2, p3 9 → 3, p4 9 → 4, p5 9 → 5 and 2 more',
  ],
  [{ what: 'ddrace_team', player: ann, team: 5 }, 'ann joins team 5'],
  [{ what: 'ddrace_team', player: ann, team: 64, isSuper: true }, 'ann joins the super team'],
  [{ what: 'ddrace_team', player: ann, team: 0 }, 'ann leaves the team'],
  [{ what: 'joined', player: ann, team: undefined }, 'ann joins'],
  [{ what: 'joined', player: ann, team: 'game' }, 'ann joins'],
  [{ what: 'joined', player: ann, team: 'red' }, 'ann joins the red team'],
  [{ what: 'left', player: ann, reason: '' }, 'ann leaves'],
  [{ what: 'left', player: ann, reason: 'Timeout' }, 'ann leaves (Timeout)'],
  [{ what: 'changed_team', player: ann, team: 'spectators' }, 'ann joins the spectators'],
  [{ what: 'died', player: ann }, 'ann dies'],
  [
    { what: 'killed', player: ann, killer: bob, weapon: 3, hadFlag: true },
    'ann killed by bob with grenade, flag in hand',
  ],
  [{ what: 'killed', player: ann, killer: ann, weapon: -2, hadFlag: false }, 'ann killed by self'],
  [
    { what: 'killed', player: ann, killer: undefined, weapon: 99, hadFlag: false },
    'ann killed by somebody with weapon 99',
  ],
  [
    { what: 'killed', player: ann, killer: undefined, killerTeam: 'red', weapon: 1, hadFlag: false },
    'ann killed by somebody of red with gun',
  ],
  [{ what: 'killed', player: ann, killer: undefined, weapon: -1, hadFlag: false }, 'ann killed by the world'],
  [{ what: 'killed', player: ann, killer: undefined, weapon: -3, hadFlag: false }, 'ann killed by the game'],
  [
    { what: 'players_present', playing: [ann], watching: [bob], local: bob },
    'playing: ann · watching: bob · recorded by bob',
  ],
  [{ what: 'players_present', playing: [ann], watching: [], local: ann }, 'playing: ann'],
  [
    { what: 'players_present', playing: [], watching: [{ client: 7, name: '' }], local: undefined },
    'watching: player 7',
  ],
  [
    {
      what: 'players_present',
      playing: Array.from({ length: 13 }, (_, client) => ({ client, name: `n${client}` })),
      watching: [],
      local: undefined,
    },
    'playing: n0, n1, n2, n3, n4, n5, n6, n7, n8, n9 and 3 more',
  ],
  [{ what: 'chat', player: ann, to: 'all', text: 'hi' }, 'ann: hi'],
  [{ what: 'chat', player: ann, to: 'team', text: 'hi' }, 'ann (team): hi'],
  [{ what: 'chat', player: ann, to: 'whisper', target: bob, text: 'hi' }, 'ann → bob: hi'],
  [{ what: 'chat', player: undefined, to: 'whisper', text: 'hi' }, 'somebody → somebody: hi'],
  [{ what: 'chat', player: undefined, to: 'all', text: 'hi' }, '*** hi'],
  [{ what: 'announcement', kind: 'moderator_alert', text: 'hi' }, 'moderator alert: hi'],
  [{ what: 'announcement', kind: 'rcon', text: 'hi' }, 'console: hi'],
  [{ what: 'game_phase', phase: 'warmup', on: true, seconds: 9.96 }, 'warmup (10 s)'],
  [{ what: 'game_phase', phase: 'suddendeath', on: false, seconds: undefined }, undefined],
  [{ what: 'game_phase', phase: 'paused', on: false, seconds: undefined }, 'the game goes on'],
  [
    {
      what: 'game_phase',
      phase: 'gameover',
      on: true,
      seconds: undefined,
      ranking: [
        { player: ann, score: 20 },
        { player: bob, score: -1 },
      ],
    },
    'game over: ann 20, bob -1',
  ],
  [{ what: 'game_message', name: 'game_paused', player: ann }, 'ann pauses the game'],
  [{ what: 'game_message', name: 'team_all', team: 'blue' }, 'all players move to the blue team'],
  [{ what: 'game_message', name: 'team_balance_victim', team: 'red' }, 'players move to the red team'],
  [{ what: 'game_message', name: 'team_swap' }, 'the teams are swapped'],
  [{ what: 'game_message', name: 'other' }, 'other'],
];

describe('notices as phrases', () => {
  it.each(notice)('%j', (one, expected) => {
    expect(text(words.notice(one))).toBe(expected);
  });

  it('of several players at once', () => {
    const both = (one: Notice, other: Notice) =>
      words
        .groups([one, other])
        .map(({ phrase }) => text(phrase))
        .join('; ');
    expect(both({ what: 'joined', player: ann, team: 'game' }, { what: 'joined', player: bob, team: 'game' })).toBe(
      'ann, bob join',
    );
    expect(both({ what: 'left', player: ann, reason: 'x' }, { what: 'left', player: bob, reason: 'x' })).toBe(
      'ann, bob leave (x)',
    );
    expect(both({ what: 'died', player: ann }, { what: 'died', player: bob })).toBe('ann, bob die');
    expect(
      both({ what: 'changed_team', player: ann, team: 'red' }, { what: 'changed_team', player: bob, team: 'red' }),
    ).toBe('ann, bob join the red team');
  });

  it('group players who did the same', () => {
    const key = groupKey;
    expect(key({ what: 'left', player: ann, reason: 'x' })).toBe(key({ what: 'left', player: bob, reason: 'x' }));
    expect(key({ what: 'left', player: ann, reason: 'x' })).not.toBe(key({ what: 'left', player: bob, reason: 'y' }));
    expect(key({ what: 'changed_team', player: ann, team: 'red' })).not.toBe(
      key({ what: 'changed_team', player: ann, team: 'blue' }),
    );
    expect(key({ what: 'died', player: ann })).toBe(key({ what: 'died', player: bob }));
    const killed = (weapon: number) => key({ what: 'killed', player: ann, killer: undefined, weapon, hadFlag: false });
    expect([killed(-3), killed(0)]).toEqual([expect.any(String), undefined]);
    expect(key({ what: 'round' })).toBeUndefined();
  });
});

const actions: readonly (readonly [Action, string])[] = [
  [{ what: 'air_jumps', player: ann }, 'ann air-jumps'],
  [{ what: 'spawns', player: ann }, 'ann spawns'],
  [{ what: 'frozen', player: ann }, 'ann is frozen'],
  [{ what: 'thawed', player: ann }, 'ann thaws'],
  [{ what: 'starts_race', player: ann }, 'ann starts the race'],
  [{ what: 'fires', player: ann, weapon: 1 }, 'ann fires gun'],
  [{ what: 'fires', player: ann, weapon: 5 }, 'ann swings ninja'],
  [{ what: 'switches', player: ann, weapon: 2 }, 'ann switches to shotgun'],
  [{ what: 'hooks', player: ann, target: bob }, 'ann hooks bob'],
  [{ what: 'hit', player: ann, health: 2, armor: 1, left: 4 }, 'ann is hit (-2 health -1 armor, 4 left)'],
  [{ what: 'hit', player: ann, health: 0, armor: 1, left: undefined }, 'ann is hit (-1 armor)'],
  [{ what: 'picks_up', player: ann, pickup: 'armor', amount: 1 }, 'ann picks up armor'],
  [{ what: 'emoticon', player: ann, emoticon: 2 }, 'ann shows hearts'],
  [{ what: 'moves_on', player: ann, seconds: 12.4 }, 'ann moves on after 12 s'],
  [{ what: 'watches', player: ann, target: bob }, 'ann watches bob'],
  [{ what: 'watches', player: ann, target: undefined }, 'ann looks around'],
  [{ what: 'afk', player: ann, on: true }, 'ann is away'],
  [{ what: 'afk', player: ann, on: false }, 'ann is back'],
];

describe('actions as phrases', () => {
  it.each(actions)('%j', (action, expected) => {
    const batch = new ActionBatch(100);
    batch.add(101, [action]);
    expect([batch.from, batch.to, batch.phrases(words).map(text)]).toEqual([100, 101, [expected]]);
    expect(batch.phrases(words, bob)).toEqual([]);
  });

  it('are counted', () => {
    const batch = new ActionBatch(1);
    const hit = (health: number): Action => ({ what: 'hit', player: ann, health, armor: 0, left: undefined });
    batch.add(1, [{ what: 'jumps', player: ann }, { what: 'jumps', player: ann }, hit(1), hit(2), hit(3)]);
    expect(batch.phrases(words, ann).map(text)).toEqual(['ann jumps twice, is hit 3 times (-6 health)']);
    expect([batch.isRoutine, batch.isCrowded]).toEqual([false, false]);
  });

  it('of many players are added up', () => {
    const batch = new ActionBatch(1);
    const player = (client: number): PlayerRef => ({ client, name: `n${client}` });
    const some = Array.from(
      { length: 7 },
      (_, client): Action => ({ what: 'fires', player: player(client), weapon: client % 2 }),
    );
    batch.add(2, [...some, { what: 'air_jumps', player: player(0) }, { what: 'jumps', player: player(1) }]);
    expect([batch.isRoutine, batch.isCrowded]).toEqual([true, true]);
    expect(text(batch.crowd(words))).toBe('7 players: 7 shots (hammer 4, gun 3), 2 jumps');
    expect(text(batch.crowd(words, player(0)))).toBe('6 others: 6 shots (gun 3, hammer 3), 1 jump');
    const quiet = new ActionBatch(1);
    quiet.add(1, [{ what: 'switches', player: ann, weapon: 1 }]);
    expect(quiet.crowd(words)).toBeUndefined();
  });
});
