import { describe, expect, it } from 'vitest';
import { matchState } from '../../../src/page/data/match-state.ts';
import { GameState } from '../../../src/recording/events/game-state.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { type Item, snapshotOf } from '../../support/readers.ts';

const stateOf = (version: '0.6' | '0.7', tick: number, ...items: Item[]) =>
  matchState(new GameState(protocolOf(version)), snapshotOf(...items), tick);

interface Info06 {
  readonly flags?: number;
  readonly state?: number;
  readonly warmup?: number;
  readonly limit?: number;
}

/** `CNetObj_GameInfo` of 0.6. The round began at tick 1000. */
const info06 = ({ flags = 0, state = 0, warmup = 0, limit = 0 }: Info06 = {}): Item => [
  ...([6, 0] as const),
  ...[flags, state, 1000, warmup, 20, limit, 0, 1],
];

describe('the state of a match of 0.6', () => {
  it('is the time since the round began', () => {
    expect(stateOf('0.6', 1000 + 50 * 96, info06())).toEqual({
      ...{ clock: 96, passed: 96, isLeft: false, isSuddenDeath: false },
      teams: [],
    });
  });

  it('is the time that is left of a limited round, and 0 when it is over', () => {
    expect(stateOf('0.6', 1000 + 50 * 96, info06({ limit: 5 }))).toMatchObject({ clock: 5 * 60 - 96, isLeft: true });
    expect(stateOf('0.6', 1000 + 50 * 96, info06({ limit: 5, state: 1 }))).toMatchObject({ clock: 0, isLeft: true });
  });

  it('is not limited in a warmup, and has no clock in sudden death', () => {
    expect(stateOf('0.6', 1500, info06({ limit: 5, warmup: 100 }))).toMatchObject({ clock: 10, isLeft: false });
    expect(stateOf('0.6', 1500, info06({ limit: 5, state: 2 }))).toMatchObject({ isSuddenDeath: true });
  });

  it('is the time of the race, whose start is in the warmup timer', () => {
    expect(stateOf('0.6', 5000, info06({ state: 8, warmup: -4500 }))).toMatchObject({ clock: 10, passed: 80 });
  });

  it('has the points of teams, and the flags of a game with flags', () => {
    // `CNetObj_GameData`: red, blue, and who has the red and the blue flag: -2 at its stand, -1 dropped.
    const data: Item = [7, 0, 120, 40, 3, -1];
    expect(stateOf('0.6', 1500, info06({ flags: 3 }), data)!.teams).toEqual([
      { team: 'red', points: 120, flag: 3 },
      { team: 'blue', points: 40, flag: 'on the ground' },
    ]);
    expect(stateOf('0.6', 1500, info06({ flags: 1 }), data)!.teams.map(({ flag }) => flag)).toEqual([
      undefined,
      undefined,
    ]);
    expect(stateOf('0.6', 1500, info06(), data)!.teams).toEqual([]);
  });

  it('is none without the item, and has no clock without a tick', () => {
    expect(stateOf('0.6', 1500)).toBeUndefined();
    expect(stateOf('0.6', -1, info06())).toMatchObject({ clock: undefined });
  });
});

describe('the state of a match of 0.7', () => {
  /** `CNetObj_GameData`: the start, the flags of the state, and the tick at which it ends. */
  const data = (state = 0, end = 0): Item => [6, 0, 1000, state, end];
  const teams: Item = [7, 0, 5, 7];
  const flags: Item = [8, 0, -2, 0, 0, 0];
  /** `CNetObj_De_GameInfo`, which demos contain: the flags of the game, and both limits. */
  const info = (limit: number): Item => [14, 0, 3, 20, limit, 0, 1];

  it('has points and flags if there are items of them', () => {
    expect(stateOf('0.7', 1500, data(), teams, flags)).toEqual({
      clock: 10,
      isLeft: false,
      passed: 10,
      isSuddenDeath: false,
      teams: [
        { team: 'red', points: 5, flag: 'at its stand' },
        { team: 'blue', points: 7, flag: 0 },
      ],
    });
    expect(stateOf('0.7', 1500, data(), teams)!.teams.map(({ flag }) => flag)).toEqual([undefined, undefined]);
    expect(stateOf('0.7', 1500, data())!.teams).toEqual([]);
  });

  it('counts down in a demo of a limited match, whose round or game may be over', () => {
    expect(stateOf('0.7', 1500, data(), info(2))).toMatchObject({ clock: 110, isLeft: true, passed: 10 });
    expect(stateOf('0.7', 1500, data(1), info(2))).toMatchObject({ clock: 10, isLeft: false });
    for (const over of [4, 8]) expect(stateOf('0.7', 1500, data(over), info(2))).toMatchObject({ clock: 0 });
  });

  it('says how long the match was when it is over', () => {
    for (const over of [4, 8]) expect(stateOf('0.7', 9000, data(over, 6000))).toMatchObject({ clock: 120 });
  });
});
