import { describe, expect, it } from 'vitest';
import { type DemoHeader, readDemoHeader } from '../../../src/recording/container/demo/header.ts';
import { CheckedDemoReplay } from '../../../src/recording/demo/checked-demo.ts';
import { DemoReplay } from '../../../src/recording/demo/demo-replay.ts';
import { DemoPlayer } from '../../../src/recording/playback/demo-player.ts';
import { DemoPlayers } from '../../../src/recording/playback/demo-players.ts';
import { DemoPlays } from '../../../src/recording/playback/plays.ts';
import { ignore } from '../../../src/wire/bytes/diagnostic.ts';
import { crc32 } from '../../../src/wire/codec/crc32.ts';
import { noSchema } from '../../../src/wire/protocol/registry.ts';
import { damagedDemo, intsOf, joined, packedChunk, piecesOf, withHeader } from '../../support/damaged-demos.ts';
import { playedBy, playTexts } from '../../support/plays.ts';
import { read } from '../../support/samples.ts';

// DDNet plays demos of 0.6, and since 18.5 of 0.7; Teeworlds 0.7.5 plays only those of version 4 and its own net version.

const race = read('ddnet-race-player.demo');
const match = read('vanilla-dm1.demo');

const texts = (file: Uint8Array) => playTexts(playedBy(file).plays);

it.each<[string, Uint8Array, readonly string[]]>([
  ['of 0.6, without its map', race, ['DDNet 16.4: needs_map']],
  ['of 0.7 from Teeworlds', match, ['DDNet 18.5: plays', 'Teeworlds 0.7.5: plays']],
  [
    'of 0.7 from DDNet',
    withHeader(match, { version: 5 }),
    ['DDNet 18.5: plays', 'Teeworlds 0.7.5: refused (demo version 5 is not supported)'],
  ],
  [
    'of 0.7 with another hash',
    withHeader(match, { netVersion: '0.7 0123456789abcdef' }),
    ['DDNet 18.5: plays', "Teeworlds 0.7.5: refused (net version '0.7 0123456789abcdef' is not supported)"],
  ],
  [
    'of 0.6 with a header of 0.7, which DDNet did not look at before 18.5',
    withHeader(race, { netVersion: '0.7 802f1be60a05665f' }),
    [
      'DDNet 16.4 to 18.5: needs_map',
      'DDNet 18.5: misread (content_of_06)',
      'Teeworlds 0.7.5: refused (demo version 6 is not supported)',
    ],
  ],
  [
    'of 0.7 with a header of 0.6',
    withHeader(match, { netVersion: '0.6 626fce9a778df4d4' }),
    [
      'DDNet 16.4 to 19.8: misread (content_of_07)',
      'DDNet 19.8 to 19.8.2: crashes (Invalid snap item Type)',
      'DDNet 19.8.2: misread (content_of_07)',
    ],
  ],
])('a demo %s', (_, file, expected) => {
  expect(texts(file)).toEqual(expected);
});

/** The match with a part of its map, or other bytes, of which the header is true. */
function withMap(change: (map: Uint8Array) => Uint8Array, stated: Partial<DemoHeader> = {}) {
  const { mapStart, chunksStart } = readDemoHeader(match, ignore);
  const map = change(match.subarray(mapStart, chunksStart));
  const header = withHeader(match, { mapSize: map.length, mapCrc: crc32(map), ...stated }).subarray(0, mapStart);
  return joined(header, map, match.subarray(chunksStart));
}

// As DDNet 16.4 and Teeworlds 0.7.5 did in `scripts/games/plays.mjs`; DDNet compares sizes since 19.2.
const unopened = "refused (Could not find map 'dm1')";

it.each<[string, Uint8Array, readonly string[]]>([
  ['whole', withMap((map) => map), ['DDNet 18.5: plays', 'Teeworlds 0.7.5: plays']],
  [
    'cut in its data',
    withMap((map) => map.subarray(0, -100)),
    ['DDNet 18.5 to 19.2: plays', `DDNet 19.2: ${unopened}`, 'Teeworlds 0.7.5: plays'],
  ],
  [
    'cut in its tables',
    withMap((map) => map.subarray(0, 100), { mapCrc: 0x1234 }),
    ['DDNet 18.5: needs_map (other_map)', 'Teeworlds 0.7.5: needs_map (other_map)'],
  ],
  [
    'no map',
    withMap(() => new Uint8Array(8), { mapName: 'dm1' }),
    [`DDNet 18.5: ${unopened}`, "Teeworlds 0.7.5: refused (map 'downloadedmaps/dm1_6522df69.map' not found)"],
  ],
])('a demo whose map is %s', (_, file, expected) => {
  expect(texts(file)).toEqual(expected);
});

describe('a fault of a demo that can be read', () => {
  it('makes it unplayable, whatever is read of it', () => {
    const file = race.slice();
    file[72] = 0xff;
    for (const options of [{}, { ticks: false }, { messages: false, ticks: false }]) {
      const { codes, health, plays } = playedBy(file, options);
      expect(playTexts(plays)).toEqual([
        'DDNet 16.4 to 17.4: needs_map',
        'DDNet 17.4: refused (Error reading demo header)',
      ]);
      expect(codes).toEqual(['header_text', 'not_played']);
      expect(health).toBe('unplayable');
    }
  });

  it('is none if only the format is not that of Teeworlds', () => {
    expect(playedBy(withHeader(match, { version: 5 })).codes).toEqual([]);
  });

  it('is not told beside damage, which is worse', () => {
    const { codes, health } = playedBy(match.subarray(0, match.length - 3));
    expect(codes).toEqual(['truncated_chunk']);
    expect(health).toBe('damaged');
  });
});

/** What the players do alone, from the first byte. */
function alone(file: Uint8Array) {
  const players = new DemoPlayers();
  players.leave(undefined);
  players.add(file);
  players.finish(undefined);
  return players.results.map(({ game, played: { skipped: _, ...played } }) => [game.version, played]);
}

/** The same beside a reader, in pieces. */
function beside(file: Uint8Array, pieceBytes: number) {
  const plays = new DemoPlays();
  const replay = new (class extends DemoReplay {
    override next() {
      return super.next();
    }

    close() {
      this.finishPlayers();
    }
  })({ plays });
  for (let at = 0; at < file.length; at += pieceBytes) for (const _ of replay.feed(file.subarray(at, at + pieceBytes)));
  for (const _ of replay.finish());
  replay.close();
  return plays.players.results.map(({ game, played: { skipped: __, ...played } }) => [game.version, played]);
}

it.each([0, 1, 2, 3])('in step with the reader, then alone, the players do as from the beginning: %i', (part) => {
  for (let seed = part; seed < 16; seed += 4) {
    for (const sample of [race, match]) {
      const file = damagedDemo(sample, seed);
      const expected = alone(file);
      // A header that cannot be read has no verdict.
      if (expected.length === 0 || file.length < 484) continue;
      for (const pieceBytes of [file.length, 3000]) {
        const found = beside(file, pieceBytes);
        const differs = found.filter(([version, played], i) => {
          const own = played as { outcome: string };
          return own.outcome !== 'undefined' && JSON.stringify([version, played]) !== JSON.stringify(expected[i]);
        });
        expect(differs, `seed ${seed}`).toEqual([]);
      }
    }
  }
});

it('beside a reader that complains of nothing the players do nothing, also where the command line states an empty schema', () => {
  const { leave } = DemoPlayers.prototype;
  for (const schema of [undefined, noSchema]) {
    const replay = new CheckedDemoReplay(schema ? { schema } : {});
    let left = 0;
    DemoPlayers.prototype.leave = function (...args) {
      left++;
      return leave.apply(this, args);
    };
    try {
      for (const _ of replay.feed(match)) expect(left).toBe(0);
    } finally {
      DemoPlayers.prototype.leave = leave;
    }
    for (const _ of replay.finish()) expect(left).toBe(0);
  }
});

it('the players are in step again after a whole snapshot, of which nothing is said', () => {
  const pieces = piecesOf(match, readDemoHeader(match, ignore).chunksStart);
  const deltas = pieces.filter(({ kind }) => kind === 'delta');
  const snapshots = pieces.filter(({ kind }) => kind === 'snapshot');
  // Deltas that announce more than they have are skipped: one near the beginning, one near the end.
  const damaged = [deltas[10]!, deltas.at(-10)!];
  const parts = pieces.map((piece) => {
    const { start, end } = piece;
    if (!damaged.includes(piece)) return match.subarray(start, end);
    const ints = intsOf(match, piece);
    ints[1] = 100;
    return packedChunk('delta', ints);
  });
  const file = joined(match.subarray(0, pieces[0]!.start), ...parts);
  const { goOn, play } = DemoPlayer.prototype;
  const began: number[] = [];
  let most = 0;
  DemoPlayer.prototype.goOn = function (at, ...args) {
    began.push(at);
    goOn.call(this, at, ...args);
  };
  DemoPlayer.prototype.play = function (window, until) {
    const from = this.at;
    play.call(this, window, until);
    if (until !== undefined) most = Math.max(most, this.at - from);
  };
  try {
    for (const pieceBytes of [file.length, 1000]) {
      const { plays } = playedBy(file, {}, pieceBytes);
      expect(playTexts(plays)).toEqual(['DDNet 18.5: plays', 'Teeworlds 0.7.5: plays']);
    }
  } finally {
    Object.assign(DemoPlayer.prototype, { goOn, play });
  }
  // Each time from the damage on, and no further than to the next keyframe.
  expect(new Set(began).size).toBe(2);
  const farthest = Math.max(...snapshots.slice(1).map(({ start }, i) => start - snapshots[i]!.start));
  expect(most).toBeLessThanOrEqual(farthest);
  expect(most).toBeGreaterThan(100);
});

it.each([
  ['one int less than Teeworlds has no room for', -1, 'plays'],
  ['what Teeworlds has no room for, and DDNet has', 0, 'crashes (a null pointer is written to)'],
])('a delta makes %s', (_, more, expected) => {
  const [first, snapshot, second, delta] = piecesOf(match, readDemoHeader(match, ignore).chunksStart);
  expect([first, snapshot, second, delta].map((piece) => piece!.kind)).toEqual([
    'marker',
    'snapshot',
    'marker',
    'delta',
  ]);
  const [dataBytes, count] = intsOf(match, snapshot!) as [number, number];
  // `CSnapshotBuilder::NewItem` of 0.7: the header, key and offset of each item, the items.
  const ints = (65_536 - 8 - 8 * (count + 1) - dataBytes - 4) / 4 + more;
  const added = packedChunk('delta', [0, 1, 0, 40, 0, ints, ...new Array<number>(ints).fill(0)]);
  const file = joined(match.subarray(0, second!.end), added);
  expect(playTexts(playedBy(file).plays)).toEqual(['DDNet 18.5: plays', `Teeworlds 0.7.5: ${expected}`]);
});

it('a chunk of no type is unpacked by the games, in step with the reader, too', () => {
  const second = piecesOf(match, readDemoHeader(match, ignore).chunksStart).filter(({ kind }) => kind === 'marker')[1]!;
  const chunk = Uint8Array.of(4, 0xff, 0xff, 0xff, 0xff);
  const file = joined(match.subarray(0, second.start), chunk, match.subarray(second.start));
  const { plays, codes } = playedBy(file);
  expect(codes).toContain('chunk_type');
  expect(playTexts(plays)).toEqual([
    'DDNet 18.5: stops (Error during network decompression)',
    'Teeworlds 0.7.5: stops (error during network decompression)',
  ]);
});
