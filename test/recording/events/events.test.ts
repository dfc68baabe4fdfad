import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EventFinder, readEventTest } from '../../../src/editing/markers.ts';
import { CaptureReplay } from '../../../src/recording/capture/capture-replay.ts';
import { DemoReplay } from '../../../src/recording/demo/demo-replay.ts';
import { EventDetectors } from '../../../src/recording/events/detectors.ts';
import type { GameEvent } from '../../../src/recording/events/event.ts';
import { EventReader } from '../../../src/recording/events/events.ts';
import { Players } from '../../../src/recording/events/players.ts';
import { maxEvents } from '../../../src/recording/replay/limits.ts';
import type { RecordingEntry } from '../../../src/recording/replay/record.ts';
import type { Stream } from '../../../src/recording/replay/stream.ts';
import { ByteBuffer, IntBuffer } from '../../../src/wire/bytes/buffers.ts';
import { decompress } from '../../../src/wire/codec/huffman.ts';
import { unpackInts } from '../../../src/wire/codec/varint.ts';
import { protocolOf, type Version } from '../../../src/wire/protocol/registry.ts';
import { demoChunks } from '../../support/demo-chunks.ts';
import {
  demoMessage,
  type Fields,
  type MadeItem,
  messageBytes,
  players07,
  Recording,
} from '../../support/recording.ts';
import { seeded } from '../../support/seeded.ts';
import { gameTuning } from '../../support/tuning.ts';

const ann = { client: 0, name: 'ann' };
const bob = { client: 1, name: 'bob' };
const cid = { client: 2, name: 'cid' };

type Items = readonly MadeItem[];

const players06 = (...names: readonly string[]): Items =>
  names.flatMap(
    (name, id): Items => [
      ['obj_player_info', id, { client_id: id, local: id === 0 ? 1 : 0 }],
      ['obj_client_info', id, { name }],
    ],
  );

const players = { '0.5': players06, '0.6': players06, '0.7': players07 };

/** A recording with a first snapshot at tick 100 that contains two players and the given items. */
const begun = (version: Version, ...items: Items) =>
  new Recording(version).tick(100).snapshot(...players[version]('ann', 'bob'), ...items);

/** The events of a second snapshot at tick 102, with other items than the first beside the two players. */
const next = (version: Version, before: Items, after: Items) =>
  begun(version, ...before)
    .tick(102)
    .snapshot(...players[version]('ann', 'bob'), ...after)
    .last();

/** The events of one character from one snapshot to the next. */
const changes = (version: Version, before: Fields, after: Fields, ...events: Items) =>
  next(version, [['obj_character', 0, { x: 100, ...before }]], [['obj_character', 0, { x: 100, ...after }], ...events]);

/** The events of a message. */
const eventsOf = (version: Version, name: string, ...values: readonly (number | string)[]) =>
  begun(version)
    .tick(102)
    .message(name, ...values)
    .last();

describe('the beginning', () => {
  it('lists the players present instead of joins', () => {
    const recording = new Recording('0.7')
      .tick(100)
      .snapshot(...players07('ann', 'bob', 'cid'), ['obj_de_game_info', 0, { game_flags: 1 }]);
    expect(recording.events()).toEqual([
      {
        tick: 100,
        events: [
          { what: 'full_snapshot', items: 7 },
          { what: 'players_present', playing: [ann, bob, cid], watching: [], local: ann },
        ],
      },
    ]);
  });

  it('lists spectators apart from players', () => {
    const recording = new Recording('0.6')
      .tick(100)
      .snapshot(['obj_player_info', 1, { team: -1 }], ['obj_client_info', 1, { name: 'bob' }], ['obj_player_info', 4]);
    expect(recording.last().at(-1)).toEqual({
      what: 'players_present',
      playing: [{ client: 4, name: undefined }],
      watching: [bob],
      local: undefined,
    });
  });

  it('returns ticks without events, too', () => {
    const reader = new EventReader();
    const found = begun('0.7')
      .tick(102)
      .tick(104)
      .records.map((record) => reader.add(record));
    expect(
      [...found, ...reader.finish()].filter(Boolean).map((tickEvents) => [tickEvents!.tick, tickEvents!.events.length]),
    ).toEqual([
      [100, 2],
      [102, 0],
      [104, 0],
    ]);
  });
});

describe('players', () => {
  it.each(['0.6', '0.7'] as const)('%s: join and leave as they appear in and vanish from snapshots', (version) => {
    const recording = begun(version)
      .tick(102)
      .snapshot(...players[version]('ann', 'bob', 'cid'));
    expect(recording.last()).toEqual([{ what: 'join', player: cid, team: 'game' }]);
    recording.tick(104).snapshot(...players[version]('ann'));
    expect(recording.last()).toEqual([
      { what: 'leave', player: bob, reason: '' },
      { what: 'leave', player: cid, reason: '' },
    ]);
  });

  it('0.7: join and leave by messages, which come first and have a reason; the snapshots add nothing', () => {
    const recording = begun('0.7')
      .message('de_cliententer', 'cid', 2, 0)
      .tick(102)
      .snapshot(...players07('ann', 'bob'));
    recording.tick(104).snapshot(...players07('ann', 'bob', 'cid'));
    recording
      .message('de_clientleave', 'bob', 1, 'bored')
      .tick(106)
      .snapshot(...players07('ann', 'bob', 'cid'));
    recording.tick(108).snapshot(...players07('ann'), ['obj_player_info', 2]);
    expect(recording.events().slice(1)).toEqual([
      { tick: 104, events: [{ what: 'leave', player: bob, reason: 'bored' }] },
    ]);
    expect(recording.events()[0]?.events.at(-1)).toEqual({ what: 'join', player: cid, team: 'game' });
  });

  describe('0.7 on DDNet, which moves players between numbers', () => {
    const skin = [...new Array(6).fill('standard'), ...new Array(12).fill(0)];
    const info = (id: number, name: string, team: number, silent: number) =>
      ['sv_clientinfo', id, 0, team, name, '', -1, ...skin, silent] as const;
    const onDDNet = () => begun('0.7').message(...info(63, ' ', 1, 1));

    it('a client number that another player gets causes no leave and no join', () => {
      const recording = onDDNet().tick(102).message('sv_clientdrop', 1, '', 1);
      recording.message(...info(1, 'cid', 0, 1)).message(...info(2, 'bob', 0, 1));
      recording.tick(104).snapshot(...players07('ann', 'cid', 'bob'));
      recording.tick(106).message('sv_clientdrop', 2, '', 1);
      recording.tick(108).snapshot(...players07('ann', 'cid'));
      expect(recording.events().slice(1)).toEqual([]);
    });

    it('players whom only the snapshots show or drop do not join or leave', () => {
      const recording = begun('0.7', ['game_info_ex', 0, { flags: 1 }]);
      recording.tick(102).snapshot(...players07('ann', 'bob', 'cid'), ['game_info_ex', 0, { flags: 1 }]);
      recording.tick(104).snapshot(...players07('ann'), ['game_info_ex', 0, { flags: 1 }]);
      expect(recording.events().slice(1)).toEqual([]);
    });

    it('joins and leaves are reported by chat alone', () => {
      const recording = onDDNet().tick(102).message('sv_chat', 1, -1, -1, "'cid' entered and joined the game");
      recording.message(...info(2, 'cid', 0, 1)).tick(104);
      recording.snapshot(...players07('ann', 'bob', 'cid')).tick(106);
      recording.message('sv_chat', 1, -1, -1, "'cid' has left the game (Timeout)");
      recording.message('sv_clientdrop', 2, 'Timeout', 1).tick(108).message('sv_clientdrop', 2, '', 1);
      recording.snapshot(...players07('ann', 'bob'));
      expect(recording.events().slice(1)).toEqual([
        {
          tick: 102,
          events: [{ what: 'chat', player: undefined, to: 'all', text: "'cid' entered and joined the game" }],
        },
        {
          tick: 106,
          events: [{ what: 'chat', player: undefined, to: 'all', text: "'cid' has left the game (Timeout)" }],
        },
      ]);
    });

    it('a drop with a reason that chat does not mention is a leave', () => {
      const recording = onDDNet().tick(102).message('sv_clientdrop', 1, 'Timeout', 1);
      expect(recording.last()).toEqual([{ what: 'leave', player: bob, reason: 'Timeout' }]);
    });

    it('a drop that is not silent is a leave, and a silent spectator of a vanilla server joins and leaves', () => {
      const recording = begun('0.7').message(...info(2, 'cid', -1, 1));
      expect(recording.last().at(-1)).toEqual({ what: 'join', player: cid, team: 'spectators' });
      recording.tick(102).message('sv_clientdrop', 2, '', 1);
      expect(recording.last()).toEqual([{ what: 'leave', player: cid, reason: '' }]);
      recording.tick(104).message('sv_clientdrop', 1, '', 0);
      expect(recording.last()).toEqual([{ what: 'leave', player: bob, reason: '' }]);
    });

    it('the clients that stand for others are not among the players present', () => {
      const recording = new Recording('0.7').tick(100).message(...info(62, '⋅ 3 others', 1, 1));
      recording.message(...info(63, ' ', 1, 1)).snapshot(...players07('ann', 'bob'), ['obj_player_info', 62]);
      expect(recording.last()).toContainEqual({
        what: 'players_present',
        playing: [ann, bob],
        watching: [],
        local: ann,
      });
    });
  });

  it('0.6: what the server announces in chat causes no second event', () => {
    const recording = begun('0.6').message('sv_chat', 0, -1, "'cid' entered and joined the game");
    recording.tick(102).snapshot(...players06('ann', 'bob', 'cid'));
    recording
      .message('sv_chat', 0, -1, "'cid' has left the game")
      .tick(104)
      .snapshot(...players06('ann', 'bob'));
    recording
      .message('sv_chat', 0, -1, "'bob' changed name to 'rob'")
      .tick(106)
      .snapshot(...players06('ann', 'rob'));
    recording.message('sv_chat', 0, -1, "'rob' joined the spectators");
    recording.tick(108).snapshot(...players06('ann'), ['obj_player_info', 1, { team: -1 }]);
    expect(recording.events().flatMap(({ events }) => events.map(({ what }) => what))).toEqual([
      ...['full_snapshot', 'players_present'],
      ...['chat', 'chat', 'chat', 'chat'],
    ]);
  });

  it.each(['0.6', '0.7'] as const)('%s: change the name', (version) => {
    const recording = begun(version)
      .tick(102)
      .snapshot(...players[version]('ann', 'rob'));
    expect(recording.last()).toEqual([{ what: 'rename', player: { client: 1, name: 'rob' }, from: 'bob' }]);
  });

  it('that get a name after connecting are not renamed', () => {
    const recording = new Recording('0.6').tick(100).snapshot(...players06('(connecting)'));
    expect(
      recording
        .tick(102)
        .snapshot(...players06('ann'))
        .last(),
    ).toEqual([]);
  });

  it('0.6: change the team', () => {
    const teams: Items = [['obj_game_info', 0, { game_flags: 1 }]];
    const recording = begun('0.6', ...teams).tick(102);
    recording.snapshot(...players06('ann'), ['obj_player_info', 1, { team: 1 }], ...teams);
    expect(recording.last()).toEqual([{ what: 'change_team', player: bob, team: 'blue' }]);
  });

  it('0.7: change the team by message, and are not killed by the game for it', () => {
    const recording = begun('0.7').tick(102).message('sv_killmsg', 1, 1, -3, 0).message('sv_team', 1, -1, 0, 0);
    recording.tick(104).snapshot(...players07('ann', 'bob'));
    expect(recording.events().slice(1)).toEqual([
      { tick: 102, events: [{ what: 'change_team', player: bob, team: 'spectators' }] },
    ]);
    // A search for kills finds it.
    const finder = new EventFinder(readEventTest('kill')!);
    for (const record of recording.records) finder.add(record as RecordingEntry);
    finder.finish();
    expect(finder.found.map(({ tick }) => tick)).toEqual([102]);
  });

  it('DDNet: change the DDRace team by message, except when the chat has announced it', () => {
    const recording = begun('0.6').tick(102).message('sv_chat', 0, -1, "'ann' joined team 5");
    recording.message('sv_teamsstatelegacy', ...new Array(64).fill(0).map((_, i) => (i < 2 ? 5 : 0)));
    expect(recording.last().slice(1)).toEqual([{ what: 'ddrace_team', player: bob, team: 5 }]);
    // A search for its kind finds also the one that the chat announces.
    const finder = new EventFinder(readEventTest('ddrace_team')!);
    for (const record of recording.records) finder.add(record as RecordingEntry);
    finder.finish();
    expect(finder.found.flatMap(({ events }) => events)).toEqual([
      { what: 'ddrace_team', player: ann, team: 5 },
      { what: 'ddrace_team', player: bob, team: 5 },
    ]);
  });

  it.each([
    ['16 clients', 16, 16, {}, true],
    ['64 clients', 64, 64, {}, true],
    ['64 clients of a server that knows 128 teams', 64, 64, { num_ddrace_teams: 65 }, true],
    ['64 of 128 clients, of a server that knows 64 teams', 128, 64, { flags2: 0 }, true],
    ['64 of 128 clients, of a server that knows 128 teams', 128, 64, { num_ddrace_teams: 129 }, undefined],
    // Since 20.1, with six ints, the bit means old_laser.
    ['64 of 128 clients, of a server with old lasers', 128, 64, { flags2: 2048 }, true],
    ['128 of 128 clients', 128, 128, { num_ddrace_teams: 129 }, true],
    ['16 of 64 clients', 64, 16, {}, undefined],
  ])('DDNet: knows the super team: %s', (_, clients, team, info, isSuper) => {
    const recording = begun('0.6', ['game_info_ex', 0, info]).tick(102);
    recording.message('sv_teamsstate', team, ...new Array(clients - 1).fill(0));
    expect(recording.last()).toEqual([{ what: 'ddrace_team', player: ann, team, ...(isSuper ? { isSuper } : {}) }]);
  });
});

describe('deaths', () => {
  it('0.6: cause one event, by their message', () => {
    const recording = begun('0.6', ['obj_character', 1, { health: 3 }]).message('sv_killmsg', 0, 1, 0, 0);
    recording.tick(102).snapshot(...players06('ann', 'bob'), ['event_death', 0, { client_id: 1 }]);
    expect(recording.events()).toHaveLength(1);
    expect(recording.last()).toEqual([]);
    expect(recording.events()[0]?.events.at(-1)).toEqual({
      what: 'kill',
      victim: bob,
      killer: ann,
      weapon: 0,
      hadFlag: false,
    });
  });

  it('0.7: have the team of a killer who has left, and the flag', () => {
    expect(eventsOf('0.7', 'sv_killmsg', -2, 1, 3, 1)).toEqual([
      { what: 'kill', victim: bob, killer: undefined, killerTeam: 'blue', weapon: 3, hadFlag: true },
    ]);
  });

  it('are no kills by the victim: suicides and falls', () => {
    expect(eventsOf('0.6', 'sv_killmsg', 1, 1, -1, 0)).toEqual([
      { what: 'kill', victim: bob, killer: undefined, bySelf: true, weapon: -1, hadFlag: false },
    ]);
  });

  it('without a message are found by the death event', () => {
    const [event]: Items = [['event_death', 0, { client_id: 1 }]];
    expect(next('0.7', [], [event!])).toEqual([{ what: 'death', victim: bob }]);
  });

  it('of a whole team are one event', () => {
    expect(eventsOf('0.6', 'sv_killmsgteam', 5, 1)).toEqual([{ what: 'team_kill', victim: bob, team: 5 }]);
  });

  it('that a server sent to each client once cause one event', () => {
    const recording = begun('0.7').tick(102);
    for (let i = 0; i < 57; i++) recording.message('sv_killmsg', 0, 1, 0, 0);
    expect(recording.last()).toHaveLength(1);
  });
});

describe('text', () => {
  it('0.7: chat to all, to the team, of the server, and whispers', () => {
    expect(eventsOf('0.7', 'sv_chat', 1, 0, -1, 'hi')).toEqual([{ what: 'chat', player: ann, to: 'all', text: 'hi' }]);
    expect(eventsOf('0.7', 'sv_chat', 2, 0, -1, 'go')).toEqual([{ what: 'chat', player: ann, to: 'team', text: 'go' }]);
    expect(eventsOf('0.7', 'sv_chat', 1, -1, -1, 'me')).toEqual([
      { what: 'chat', player: undefined, to: 'all', text: 'me' },
    ]);
    expect(eventsOf('0.7', 'sv_chat', 3, 0, 1, 'psst')).toEqual([
      { what: 'chat', player: ann, to: 'whisper', target: bob, text: 'psst' },
    ]);
  });

  it('0.6: chat, and whispers of both directions', () => {
    expect(eventsOf('0.6', 'sv_chat', 0, 1, 'hi')).toEqual([{ what: 'chat', player: bob, to: 'all', text: 'hi' }]);
    expect(eventsOf('0.6', 'sv_chat', 1, 1, 'go')).toEqual([{ what: 'chat', player: bob, to: 'team', text: 'go' }]);
    expect(eventsOf('0.6', 'sv_chat', 2, 1, 'psst')).toEqual([
      { what: 'chat', player: ann, to: 'whisper', target: bob, text: 'psst' },
    ]);
    expect(eventsOf('0.6', 'sv_chat', 3, 1, 'psst')).toEqual([
      { what: 'chat', player: bob, to: 'whisper', target: ann, text: 'psst' },
    ]);
  });

  it('announcements of the server, except empty ones and repeated chat', () => {
    expect(eventsOf('0.7', 'sv_broadcast', 'run!')).toEqual([
      { what: 'announcement', kind: 'broadcast', text: 'run!' },
    ]);
    expect(eventsOf('0.7', 'sv_broadcast', '')).toEqual([]);
    expect(eventsOf('0.6', 'sv_motd', 'be nice')).toEqual([{ what: 'announcement', kind: 'motd', text: 'be nice' }]);
    expect(eventsOf('0.6', 'sv_serveralert', 'soon')).toEqual([{ what: 'announcement', kind: 'alert', text: 'soon' }]);
    expect(eventsOf('0.6', 'rcon_line', '2026-11-20 11:13:51 I server: hi')).toHaveLength(1);
    expect(eventsOf('0.6', 'rcon_line', '2026-11-20 11:13:51 I chat: 0:-2:ann: hi')).toEqual([]);
  });

  it('votes', () => {
    const kick = { what: 'vote', player: ann, kind: 'kick', description: 'bob', reason: 'afk' };
    expect(eventsOf('0.7', 'sv_voteset', 0, 2, 25, 'bob', 'afk')).toEqual([kick]);
    expect(eventsOf('0.7', 'sv_voteset', 0, 5, 0, 'bob', '')).toEqual([{ what: 'vote_end', result: 'passed' }]);
    expect(eventsOf('0.6', 'sv_voteset', 25, 'bob', 'afk')).toEqual([{ ...kick, player: undefined, kind: undefined }]);
    expect(eventsOf('0.6', 'sv_voteset', 0, '', '')).toEqual([{ what: 'vote_end', result: undefined }]);
  });

  it('emoticons', () => {
    expect(eventsOf('0.6', 'sv_emoticon', 1, 2)).toEqual([{ what: 'emoticon', player: bob, emoticon: 2 }]);
  });
});

describe('actions', () => {
  it('0.6: jumps by the bits that are gained', () => {
    expect(changes('0.6', { jumped: 0 }, { jumped: 1 })).toEqual([{ what: 'jump', player: ann }]);
    expect(changes('0.6', { jumped: 0 }, { jumped: 3 })).toEqual([{ what: 'air_jump', player: ann }]);
    expect(changes('0.6', { jumped: 1 }, { jumped: 3 })).toEqual([{ what: 'air_jump', player: ann }]);
    expect(changes('0.6', { jumped: 3 }, { jumped: 2 })).toEqual([]);
  });

  it('0.7: jumps by what was triggered', () => {
    expect(changes('0.7', { jumped: 0 }, { jumped: 1 })).toEqual([]);
    expect(changes('0.7', {}, { triggered_events: 1 })).toEqual([{ what: 'jump', player: ann }]);
    expect(changes('0.7', { triggered_events: 2 }, { triggered_events: 2, x: 108 })).toEqual([
      { what: 'air_jump', player: ann },
    ]);
    expect(changes('0.7', { triggered_events: 2 }, { triggered_events: 2 })).toEqual([]);
  });

  it('shots, with the weapon, except old ones', () => {
    expect(changes('0.6', {}, { attack_tick: 101, weapon: 0 })).toEqual([{ what: 'fire', player: ann, weapon: 0 }]);
    // An attack is old after half a second.
    expect(changes('0.6', {}, { attack_tick: 102 - 25 })).toEqual([{ what: 'fire', player: ann, weapon: 0 }]);
    expect(changes('0.6', {}, { attack_tick: 102 - 26 })).toEqual([]);
    expect(changes('0.7', { weapon: 1 }, { attack_tick: 102, weapon: 3 })).toEqual([
      { what: 'switch', player: ann, weapon: 3 },
      { what: 'fire', player: ann, weapon: 3 },
    ]);
  });

  it('hooks of players', () => {
    const hooks = [{ what: 'hook', player: ann, target: bob }];
    expect(changes('0.7', { hooked_player: -1 }, { hooked_player: 1 })).toEqual(hooks);
    expect(changes('0.7', { hooked_player: 1 }, { hooked_player: 1 })).toEqual([]);
    expect(changes('0.7', { hooked_player: 1 }, { hooked_player: -1 })).toEqual([]);
  });

  it('0.6: hits by lost health and armor, if the snapshots have them', () => {
    const hit = { what: 'hit', player: ann, health: 4, armor: 2, left: 6 };
    expect(changes('0.6', { health: 10, armor: 2 }, { health: 6 })).toEqual([hit]);
    expect(changes('0.6', { health: 10 }, { health: 0 })).toEqual([]);
    expect(changes('0.6', { health: 0 }, { health: 10 })).toEqual([]);
  });

  it('0.7: hits by their events, those of one snapshot added up', () => {
    const events: Items = [0, 1].map((id) => ['event_damage', id, { client_id: 0, health_amount: 1, armor_amount: 1 }]);
    expect(changes('0.7', {}, {}, ...events)).toEqual([
      { what: 'hit', player: ann, health: 2, armor: 2, left: undefined },
    ]);
    expect(changes('0.7', { health: 9, armor: 2 }, { health: 7 }, ...events)).toEqual([
      { what: 'hit', player: ann, health: 2, armor: 2, left: 7 },
    ]);
  });

  it('no hit for damage that kills a player', () => {
    const recording = begun('0.7', ['obj_character', 1, { x: 100 }]).message('sv_killmsg', 0, 1, 0, 0);
    const events: Items = [['event_damage', 0, { client_id: 1, health_amount: 9 }]];
    recording.tick(102).snapshot(...players07('ann', 'bob'), ['obj_character', 1, { x: 100 }], ...events);
    expect(recording.last()).toEqual([]);
  });

  it('pickups by rising health and armor, and by the sound next to a player', () => {
    const armor = { what: 'pick_up', player: ann, pickup: 'armor' };
    const sound = (sound_id: number, x: number): Items => [['event_sound_world', 0, { x, sound_id }]];
    expect(changes('0.6', { health: 5 }, { health: 5, armor: 1 }, ...sound(25, 100))).toEqual([
      { ...armor, amount: 1 },
    ]);
    expect(changes('0.7', {}, {}, ...sound(25, 140))).toEqual([{ ...armor, amount: undefined }]);
    expect(changes('0.7', {}, {}, ...sound(26, 100))).toEqual([{ ...armor, pickup: 'grenade', amount: undefined }]);
    expect(changes('0.7', {}, {}, ...sound(25, 900))).toEqual([]);
    expect(changes('0.7', {}, {}, ...sound(21, 100))).toEqual([]);
  });

  it('one pickup for the message that names a weapon and its sound', () => {
    const recording = begun('0.7', ['obj_character', 0]).message('sv_weaponpickup', 4);
    const events: Items = [['event_sound_world', 0, { sound_id: 27 }]];
    recording.tick(102).snapshot(...players07('ann', 'bob'), ['obj_character', 0], ...events);
    expect(recording.events()).toHaveLength(1);
    const laser = { what: 'pick_up', player: ann, pickup: 'laser', amount: undefined };
    expect(recording.events()[0]?.events.at(-1)).toEqual(laser);
  });

  it('spawns, but not players who come into sight', () => {
    const character: MadeItem = ['obj_character', 1, { x: 100 }];
    expect(next('0.6', [], [character, ['event_spawn', 0, { x: 100 }]])).toEqual([{ what: 'spawn', player: bob }]);
    expect(next('0.6', [], [character, ['event_spawn', 0, { x: 900 }]])).toEqual([]);
  });

  it('moving on after standing still for five seconds', () => {
    const recording = begun('0.6', ['obj_character', 0, { x: 100 }]);
    const stand = (from: number, to: number, x: number) => {
      for (let tick = from; tick <= to; tick += 2) {
        recording.tick(tick).snapshot(...players06('ann', 'bob'), ['obj_character', 0, { x }]);
      }
    };
    stand(102, 348, 100);
    stand(350, 602, 101);
    stand(604, 604, 102);
    expect(recording.events().slice(1)).toEqual([
      { tick: 604, events: [{ what: 'move_on', player: ann, seconds: 252 / 50 }] },
    ]);
  });

  it('nothing across a gap', () => {
    const recording = begun('0.6', ['obj_character', 0, { jumped: 0 }]).tick(148);
    recording.snapshot(...players06('ann', 'bob'), ['obj_character', 0, { jumped: 1, attack_tick: 147 }]);
    expect(recording.last()).toEqual([]);
  });
});

describe('DDNet', () => {
  const game: Items = [['game_info_ex', 0, { flags: 48 }]];

  it('freezes and thaws players who stay in sight', () => {
    const recording = begun('0.6', ['ddnet_character', 0, { freeze_end: 0 }]);
    const snapshotAt = (tick: number, freeze_end: number) =>
      recording
        .tick(tick)
        .snapshot(...players06('ann', 'bob'), ['ddnet_character', 0, { freeze_end }])
        .last();
    expect(snapshotAt(102, 250)).toEqual([{ what: 'freeze', player: ann }]);
    expect(snapshotAt(104, -1)).toEqual([]);
    expect(snapshotAt(106, 0)).toEqual([{ what: 'thaw', player: ann }]);
  });

  it('causes no hit or pickup by the damage and sounds that show freezing', () => {
    const before: Items = [['obj_character', 0], ...game];
    const events: Items = [
      ['event_sound_world', 0, { sound_id: 24 }],
      ['event_damage', 0, { health_amount: 1 }],
    ];
    expect(next('0.7', before, [...before, ...events])).toEqual([]);
  });

  it('reports players who go away, and come back after that', () => {
    const recording = begun('0.6', ['ddnet_player', 0, { flags: 1 }]);
    const snapshotAt = (tick: number, flags: number) =>
      recording
        .tick(tick)
        .snapshot(...players06('ann', 'bob'), ['ddnet_player', 0, { flags }])
        .last();
    expect(snapshotAt(102, 0)).toEqual([]);
    expect(snapshotAt(104, 1)).toEqual([{ what: 'afk', player: ann, on: true }]);
    expect(snapshotAt(106, 0)).toEqual([{ what: 'afk', player: ann, on: false }]);
  });

  it('starts of races, once on the start line', () => {
    const recording = begun('0.6', ['obj_game_info', 0]);
    const snapshotAt = (tick: number, start: number) =>
      recording
        .tick(tick)
        .snapshot(...players06('ann', 'bob'), ['obj_game_info', 0, { game_state_flags: 8, warmup_timer: -start }])
        .last();
    expect(snapshotAt(102, 102)).toEqual([{ what: 'start_race', player: ann }]);
    expect(snapshotAt(104, 104)).toEqual([]);
    expect(snapshotAt(106, 104)).toEqual([]);
    expect(snapshotAt(156, 156)).toEqual([{ what: 'start_race', player: ann }]);
  });

  it('finishes and checkpoints', () => {
    const finished = { what: 'finish', player: ann, time: 20_500, diff: -100, record: undefined };
    expect(eventsOf('0.6', 'sv_ddracetimelegacy', 2050, -10, 1)).toEqual([finished]);
    expect(eventsOf('0.6', 'sv_ddracetime', 2050, 30, 0)).toEqual([{ what: 'checkpoint', player: ann, diff: 300 }]);
    expect(eventsOf('0.6', 'sv_ddracetime', 2050, 0, 0)).toEqual([]);
    expect(eventsOf('0.7', 'sv_racefinish', 1, 12_345, -20, 1, 1)).toEqual([
      { what: 'finish', player: bob, time: 12_345, diff: -20, record: 'server' },
    ]);
    expect(eventsOf('0.7', 'sv_checkpoint', -20)).toEqual([{ what: 'checkpoint', player: ann, diff: -20 }]);
  });

  it('a finish that chat and messages announce once', () => {
    const text = 'ann finished in: 0 minute(s) 20.50 second(s)';
    const recording = begun('0.6').tick(102).message('sv_chat', 0, -1, text);
    expect(recording.message('sv_ddracetimelegacy', 2050, 0, 1).last()).toEqual([
      { what: 'chat', player: undefined, to: 'all', text },
      { what: 'finish', player: ann, time: 20_500, diff: undefined, record: undefined },
    ]);
  });

  it('the best time when it changes', () => {
    const recording = begun('0.6').tick(102).message('sv_recordlegacy', 20, 20);
    expect(recording.last()).toEqual([{ what: 'best_time', time: 200 }]);
    expect(recording.tick(104).message('sv_recordlegacy', 20, 10).last()).toEqual([]);
  });

  it('the tuning of 0.7, which has no laser_damage', () => {
    const recording = begun('0.7').tick(102);
    const own = gameTuning.toSpliced(30, 1);
    recording.message('sv_tuneparams', ...own);
    recording.message('sv_tuneparams', ...own.with(30, 0));
    const params = [{ name: 'player_collision', old: 1, new: 0 }];
    expect(recording.last()).toEqual([{ what: 'tune', params }]);
  });

  it('the tuning when it changes', () => {
    const tuning = (gravity: number) => gameTuning.with(12, gravity);
    const recording = begun('0.6')
      .tick(102)
      .message('sv_tuneparams', ...tuning(50));
    expect(recording.last()).toEqual([]);
    recording
      .tick(104)
      .message('sv_tuneparams', ...tuning(50))
      .message('sv_tuneparams', ...tuning(25));
    expect(recording.last()).toEqual([{ what: 'tune', params: [{ name: 'gravity', old: 0.5, new: 0.25 }] }]);
  });

  it('the first tuning where it differs from the own one of the games', () => {
    const recording = begun('0.6')
      .tick(102)
      .message('sv_tuneparams', ...gameTuning.with(32, 0));
    expect(recording.last()).toEqual([{ what: 'tune', params: [{ name: 'player_hooking', old: 1, new: 0 }] }]);
  });
});

describe('the game', () => {
  it('0.7: phases, how long they last, and the ranking at the end', () => {
    const snapshotAt = (before: Fields, after: Fields) =>
      next('0.7', [['obj_game_data', 0, before]], [['obj_game_data', 0, after]]);
    expect(snapshotAt({}, { game_state_flags: 1, game_state_end_tick: 602 })).toEqual([
      { what: 'game_phase', phase: 'warmup', on: true, seconds: 10 },
    ]);
    expect(snapshotAt({ game_state_flags: 16 }, { game_state_flags: 32, game_state_end_tick: 252 })).toEqual([
      { what: 'game_phase', phase: 'startcountdown', on: true, seconds: 3 },
      { what: 'game_phase', phase: 'paused', on: false, seconds: undefined },
    ]);
    expect(snapshotAt({}, { game_state_flags: 8 })).toEqual([
      {
        what: 'game_phase',
        phase: 'gameover',
        on: true,
        seconds: undefined,
        ranking: [
          { player: ann, score: 0 },
          { player: bob, score: 0 },
        ],
      },
    ]);
  });

  it('ranks races by their times, and says the unit of these', () => {
    const [slow, fast] = [12_340, 9870];
    const over07 = begun('0.7', ['obj_de_game_info', 0, { game_flags: 8 }], ['obj_game_data', 0, {}])
      .tick(102)
      .snapshot(
        ...['ann', 'bob', 'cid'].flatMap(
          (name, id): Items => [
            ['obj_player_info', id, { score: [slow, -1, fast][id]! }],
            ['obj_de_client_info', id, { name }],
          ],
        ),
        ['obj_de_game_info', 0, { game_flags: 8 }],
        ['obj_game_data', 0, { game_state_flags: 8 }],
      )
      .last();
    const phase = { what: 'game_phase', phase: 'gameover', on: true, seconds: undefined };
    expect(over07).toContainEqual({
      ...phase,
      scoreUnit: 'milliseconds',
      ranking: [
        { player: cid, score: fast },
        { player: ann, score: slow },
        { player: bob, score: -1 },
      ],
    });
  });

  it('0.6: phases and rounds', () => {
    const snapshotAt = (before: Fields, after: Fields) =>
      next('0.6', [['obj_game_info', 0, before]], [['obj_game_info', 0, after]]);
    const phase = { what: 'game_phase', on: true, seconds: undefined };
    expect(snapshotAt({}, { game_state_flags: 2 })).toEqual([{ ...phase, phase: 'suddendeath' }]);
    expect(snapshotAt({}, { warmup_timer: 500 })).toEqual([{ ...phase, phase: 'warmup', seconds: 10 }]);
    expect(snapshotAt({}, { game_state_flags: 8, warmup_timer: -100 })).toEqual([{ what: 'start_race', player: ann }]);
    expect(snapshotAt({ round_start_tick: -50 }, { round_start_tick: 101 })).toEqual([{ what: 'round' }]);
    expect(snapshotAt({ round_start_tick: 99 }, { round_start_tick: 101 })).toEqual([]);
  });

  it('0.7: messages about teams', () => {
    expect(eventsOf('0.7', 'sv_gamemsg', 0)).toEqual([{ what: 'game_message', name: 'team_swap' }]);
    expect(eventsOf('0.7', 'sv_gamemsg', 10, 1)).toEqual([{ what: 'game_message', name: 'game_paused', player: bob }]);
    expect(eventsOf('0.7', 'sv_gamemsg', 8, 0)).toEqual([]);
  });

  it.each([
    ['0.6', 'obj_game_info', 'obj_game_data'],
    ['0.7', 'obj_de_game_info', 'obj_game_data_flag'],
  ] as const)('%s: flags', (version, info, data) => {
    const scores: Items = version === '0.7' ? [['obj_game_data_team', 0]] : [];
    const flag = (flag_carrier_red: number): Items => [
      [info, 0, { game_flags: 3 }],
      [data, 0, { flag_carrier_red, flag_carrier_blue: -2 }],
      ...scores,
    ];
    const snapshotAt = (before: number, after: number) => next(version, flag(before), flag(after));
    expect(snapshotAt(-2, 1)).toEqual([{ what: 'flag_take', player: bob, flag: 'red' }]);
    expect(snapshotAt(1, -1)).toEqual([{ what: 'flag_drop', player: bob, flag: 'red' }]);
    expect(snapshotAt(-1, -2)).toEqual([{ what: 'flag_return', flag: 'red' }]);
    expect(snapshotAt(-1, 0)).toEqual([{ what: 'flag_take', player: ann, flag: 'red' }]);
    expect(snapshotAt(1, -2)).toEqual([{ what: 'flag_return', flag: 'red' }]);
    expect(snapshotAt(-3, -2)).toEqual([]);
  });

  it('0.6: a capture by the score', () => {
    const data = (teamscore_blue: number, flag_carrier_red: number): Items => [
      ['obj_game_info', 0, { game_flags: 3 }],
      ['obj_game_data', 0, { teamscore_blue, flag_carrier_red, flag_carrier_blue: -2 }],
    ];
    expect(next('0.6', data(0, 1), data(100, -2))).toEqual([
      { what: 'flag_capture', player: bob, flag: 'red', ticks: undefined },
      { what: 'score', red: 0, blue: 100 },
    ]);
  });

  it('0.7: a capture by its message', () => {
    const data = (teamscore_blue: number, flag_carrier_red: number): Items => [
      ['obj_de_game_info', 0, { game_flags: 3 }],
      ['obj_game_data_flag', 0, { flag_carrier_red, flag_carrier_blue: -2 }],
      ['obj_game_data_team', 0, { teamscore_blue }],
    ];
    const recording = begun('0.7', ...data(0, 1))
      .tick(102)
      .message('sv_gamemsg', 9, 0, 1, 617);
    recording.snapshot(...players07('ann', 'bob'), ...data(100, -2));
    expect(recording.last()).toEqual([
      { what: 'flag_capture', player: bob, flag: 'red', ticks: 617 },
      { what: 'score', red: 0, blue: 100 },
    ]);
  });
});

describe('the recording', () => {
  const diagnostic = { severity: 'error', code: 'truncated_chunk', offset: 12, args: {} } as const;

  it('markers at their ticks, or at the next that is recorded', () => {
    const recording = new Recording('0.7', [105, 101]).tick(100).tick(102).tick(104).tick(106);
    expect(recording.events()).toEqual([
      { tick: 102, events: [{ what: 'marker', number: 1, of: 2 }] },
      { tick: 106, events: [{ what: 'marker', number: 2, of: 2 }] },
    ]);
  });

  it('damage, also before the first tick and the header', () => {
    const reader = new EventReader();
    reader.add({ record: 'diagnostic', diagnostic: diagnostic });
    expect(reader.finish()).toEqual([{ tick: -1, events: [{ what: 'diagnostic', diagnostic }] }]);
  });

  it('full snapshots: the first, and those after damage or a gap', () => {
    const recording = begun('0.7');
    const full = (tick: number) =>
      recording
        .tick(tick)
        .snapshot(...players07('ann', 'bob'))
        .full();
    expect(full(102).last()).toEqual([]);
    expect(full(153).last()).toEqual([
      { what: 'gap', ticks: 50 },
      { what: 'full_snapshot', items: 4 },
    ]);
    recording.diagnostic(diagnostic);
    expect(full(155).last()).toEqual([{ what: 'full_snapshot', items: 4 }]);
  });

  it('no full snapshot if the recording begins between two', () => {
    const [reader, { records }] = [new EventReader(), begun('0.7').tick(102).snapshot().tick(104).snapshot().full()];
    const found = records.filter((_, i) => i !== 2).map((record) => reader.add(record));
    expect(
      [...found, ...reader.finish()].flatMap((tickEvents) => tickEvents?.events.map(({ what }) => what) ?? []),
    ).toEqual([]);
  });

  it('a tick with more than maxEvents in parts, of which none is left out', () => {
    const recording = begun('0.7').tick(102);
    for (let i = 0; i < 2 * maxEvents + 200; i++) recording.message('sv_chat', 1, 0, -1, `${i}`);
    const reader = new EventReader();
    const ended = recording.records.map((record) => reader.add(record));
    const parts = [...ended, ...reader.finish()].filter((part) => part?.tick === 102);
    expect(parts.map((part) => [part!.tick, part!.events.length])).toEqual([
      [102, maxEvents],
      [102, maxEvents],
      [102, 200],
    ]);
    const texts = parts.flatMap((part) => part!.events.map((event) => event.what === 'chat' && event.text));
    expect(texts).toEqual(Array.from({ length: 2 * maxEvents + 200 }, (_, i) => `${i}`));
  });

  it('events from the middle on, if the protocol is known', () => {
    const bytes = messageBytes('0.7', 'sv_broadcast', ['x']);
    const record = { record: 'message', bytes, message: demoMessage('0.7', bytes) } as const;
    const [knowing, not] = [new EventReader(protocolOf('0.7')), new EventReader()];
    for (const reader of [knowing, not]) reader.add(record);
    expect(knowing.finish()[0]?.events).toEqual([{ what: 'announcement', kind: 'broadcast', text: 'x' }]);
    expect(not.finish()).toEqual([]);
  });
});

const corpus = new URL('../../../../shared/corpus/', import.meta.url);
const demo = (name: string) => new Uint8Array(readFileSync(new URL(name, corpus)));

function eventsOfDemo(bytes: Uint8Array): readonly (GameEvent & { tick: number })[] {
  const [replay, reader] = [new DemoReplay({ messages: true }), new EventReader()];
  const found: (GameEvent & { tick: number })[] = [];
  const addAll = (tickEvents: ReturnType<EventReader['add']>) => {
    for (const event of tickEvents?.events ?? []) found.push({ ...event, tick: tickEvents!.tick });
  };
  for (const record of replay.feed(bytes)) addAll(reader.add(record));
  for (const record of replay.finish()) addAll(reader.add(record));
  for (const tickEvents of reader.finish()) addAll(tickEvents);
  return found;
}

/** The messages with this first byte, with their ints and text, by an independent reader. */
function messagesWith(file: Uint8Array, head: number, ints: number): { tick: number; ints: number[]; text: string }[] {
  const found = [];
  for (const { kind, tick, payload } of demoChunks(file).chunks) {
    if (kind !== 'message') continue;
    const [packed, wide] = [new ByteBuffer(), new IntBuffer()];
    decompress(payload, 0, payload.length, packed, () => {}, 1 << 20);
    unpackInts(packed.bytes, 0, packed.length, wide, () => {});
    const bytes = new Uint8Array(wide.ints.slice(0, wide.length).buffer);
    if (bytes[0] !== head) continue;
    let at = 1;
    const values = Array.from({ length: ints }, () => {
      const first = bytes[at]!;
      let value = first & 0x3f;
      for (let shift = 6; bytes[at]! & 0x80; shift += 7) value |= (bytes[++at]! & 0x7f) << shift;
      at++;
      return first & 0x40 ? ~value : value;
    });
    found.push({ tick, ints: values, text: new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at))) });
  }
  return found;
}

describe.skipIf(!existsSync(corpus))('events of real demos (needs ../shared)', () => {
  const chat07 = 3 << 1;
  const kill07 = 5 << 1;

  it.each([
    ['07-vanilla-dm1-client.demo', chat07, 3, 33],
    ['06-ddnet-race-client-auto.demo', chat07, 2, 24],
  ])('%s: one event for every chat message', (name, head, ints, count) => {
    const file = demo(name);
    const chats = messagesWith(file, head, ints).map(({ tick, ints, text }) => ({ tick, from: ints[1]!, text }));
    expect(chats).toHaveLength(count);
    const found = eventsOfDemo(file).filter((entry) => entry.what === 'chat');
    expect(found.map(({ tick, player, text }) => ({ tick, from: player?.client ?? -1, text }))).toEqual(chats);
  });

  it('07-vanilla-dm1-client: one event for every kill, except that of a player who joins the spectators', () => {
    const file = demo('07-vanilla-dm1-client.demo');
    const reader = eventsOfDemo(file);
    const kills = messagesWith(file, kill07, 3).map(({ tick, ints }) => [tick, ...ints]);
    const found = reader.flatMap((entry) =>
      entry.what === 'kill'
        ? [[entry.tick, (entry.bySelf ? entry.victim : entry.killer)?.client, entry.victim.client, entry.weapon]]
        : [],
    );
    expect(kills).toEqual([...found, [11122, 0, 0, -3]]);
    expect(reader.filter((entry) => entry.what === 'change_team')).toEqual([
      { what: 'change_team', player: { client: 0, name: 'corpus' }, team: 'spectators', tick: 11122 },
      { what: 'change_team', player: { client: 0, name: 'corpus' }, team: 'game', tick: 11324 },
    ]);
    expect(reader.filter(({ what }) => what === 'join' || what === 'leave' || what === 'death')).toEqual([]);
  });

  it('07-vanilla-dm1-57clients-server: one event for each of 22 kills, which the demo has once for each client', () => {
    const file = demo('07-vanilla-dm1-57clients-server-BENCH.demo');
    const kills = messagesWith(file, kill07, 3).map(({ tick, ints }) => `${tick} ${ints}`);
    expect(kills).toHaveLength(57 * 22);
    const found = eventsOfDemo(file).flatMap((entry) =>
      entry.what === 'kill'
        ? [
            `${entry.tick} ${(entry.bySelf ? entry.victim : entry.killer!).client},${entry.victim.client},${entry.weapon}`,
          ]
        : [],
    );
    expect(found).toEqual([...new Set(kills)]);
  });

  it('07-vanilla-dm1-auto-markers: joins, leaves and markers', () => {
    const reader = eventsOfDemo(demo('07-vanilla-dm1-auto-markers-client.demo'));
    const ticksOf = (what: GameEvent['what']) => reader.filter((entry) => entry.what === what).map(({ tick }) => tick);
    expect(ticksOf('join')).toEqual([34198, 34208, 34218]);
    expect(ticksOf('leave')).toEqual([35898, 35898, 35898]);
    expect(ticksOf('marker')).toEqual([34528, 35054, 35990]);
  });

  it('broken demos, as far as they can be read', () => {
    const file = demo('06-ddnet-race-client-auto.demo');
    const random = seeded(0x570e);
    for (let i = 0; i < 12; i++) {
      const bytes = file.slice();
      for (let k = 0; k < 20; k++) bytes[6294 + (random() % (bytes.length - 6294))] = random() & 0xff;
      const reader = eventsOfDemo(bytes);
      expect(reader.some(({ what }) => what === 'diagnostic')).toBe(true);
    }
  });

  it('06-07-ddnet20-33players.pcap, two clients of 0.7: joins and leaves in chat alone, 33 people counted', () => {
    const replay = new CaptureReplay();
    const detectors = new Map<Stream, { events: EventDetectors; names: Players; found: GameEvent[] }>();
    const follow = (records: Iterable<RecordingEntry>) => {
      for (const record of records) {
        const { stream } = record;
        if (stream?.protocol.version !== '0.7') continue;
        let known = detectors.get(stream);
        if (!known) {
          known = { events: new EventDetectors(stream.protocol), names: new Players(), found: [] };
          detectors.set(stream, known);
        }
        if (record.record === 'message' && record.direction === 'to_client' && record.message.type) {
          known.names.onMessage(record.message);
          known.found.push(...known.events.onMessage(record.message));
        } else if (record.record === 'snapshot' && record.snapshot) {
          known.events.onTick(record.tick);
          known.found.push(...known.events.onSnapshot(record.snapshot, undefined));
        }
      }
    };
    follow(replay.feed(demo('ddnet20/06-07-ddnet20-33players.pcap')));
    follow(replay.finish());
    const people = ['cov8-ann', 'cov8-bob', 'vanny', ...Array.from({ length: 30 }, (_, i) => `Debug dummy ${i + 1}`)];
    const players = [...detectors.values()].filter(({ found }) => found.length > 0);
    expect(players).toHaveLength(2);
    for (const { names, found } of players) {
      expect([...names.seen].sort()).toEqual(people.sort());
      expect(found.filter(({ what }) => what === 'join' || what === 'leave')).toEqual([]);
      const leaving = found.filter((event) => event.what === 'chat' && / has left the game/.test(event.text));
      expect(leaving.length).toBeGreaterThan(20);
    }
  });
});
