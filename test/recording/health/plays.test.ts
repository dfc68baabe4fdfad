import { describe, expect, it } from 'vitest';
import type { DemoHeader } from '../../../src/recording/container/demo/header.ts';
import { playsOf } from '../../../src/recording/health/plays.ts';
import type { Code } from '../../../src/wire/bytes/diagnostic.ts';

// DDNet plays demos of 0.6, and since 18.5 of 0.7; Teeworlds 0.7.5 plays only those of version 4 and its own net
// version.

interface Case {
  readonly netVersion?: string;
  readonly version?: number;
  readonly codes?: readonly Code[];
  readonly hasMap?: boolean;
}

/** `DDNet 16.0 to 19.2: plays`, `DDNet 19.2: refused (no_keyframe)` */
function rows({ netVersion = '0.6 626fce9a778df4d4', version = 6, codes = [], hasMap = true }: Case): string[] {
  const header = { netVersion, version } as DemoHeader;
  return playsOf(header, new Set(codes), hasMap).map(({ game, from, before, play, code }) => {
    const versions = before === undefined ? from : `${from} to ${before}`;
    return `${game} ${versions}: ${play}${code === undefined ? '' : ` (${code})`}`;
  });
}

const of07 = '0.7 802f1be60a05665f';

it('where the SHA-256 is right, DDNet does not look at the CRC', () => {
  const header = { netVersion: '0.6 626fce9a778df4d4', version: 6, sha256: '1c2ed79e' } as DemoHeader;
  const play = (sha256: string) => playsOf(header, new Set(['other_map']), true, sha256)[0]!.play;
  expect([play('1c2ed79e'), play('a0b1c2d3')]).toEqual(['plays', 'needs_map']);
});

describe('which games play a demo', () => {
  it.each<[string, Case, readonly string[]]>([
    ['of 0.6', {}, ['DDNet 16.0: plays']],
    ['of 0.7 from DDNet', { netVersion: of07 }, ['DDNet 18.5: plays']],
    ['of 0.7 from Teeworlds', { netVersion: of07, version: 4 }, ['DDNet 18.5: plays', 'Teeworlds 0.7.5: plays']],
    // Teeworlds 0.7.5 has another net version than a demo of 0.6, whatever its format.
    ['of 0.6 in version 4', { version: 4 }, ['DDNet 16.0: plays']],
    ['without its map', { hasMap: false }, ['DDNet 16.0: needs_map']],
  ])('%s', (_, made, expected) => {
    expect(rows(made)).toEqual(expected);
  });

  it.each<[string, Case, readonly string[]]>([
    // CDemoPlayer::ScanFile of 19.2 gives up without a keyframe.
    ['no keyframe', { codes: ['no_keyframe'] }, ['DDNet 16.0 to 19.2: plays', 'DDNet 19.2: refused (no_keyframe)']],
    [
      'no keyframe, Teeworlds',
      { netVersion: of07, version: 4, codes: ['no_keyframe'] },
      ['DDNet 18.5 to 19.2: plays', 'DDNet 19.2: refused (no_keyframe)', 'Teeworlds 0.7.5: plays'],
    ],
    // CDemoHeader::Valid exists since 17.4.
    [
      'a text without a NUL',
      { codes: ['header_text'] },
      ['DDNet 16.0 to 17.4: plays', 'DDNet 17.4: refused (header_text)'],
    ],
    ['one tick', { codes: ['empty_demo'] }, ['DDNet 16.0: stops (empty_demo)']],
    ['a wrong size of the map', { codes: ['map_size'] }, ['DDNet 16.0: refused (map_size)']],
    ['content of 0.7 under a header of 0.6', { codes: ['content_of_07'] }, ['DDNet 16.0: misread (content_of_07)']],
    // Markers, the length and the type are only shown.
    [
      'odd markers, length and type',
      { codes: ['marker_outside', 'marker_twice', 'marker_count', 'negative_length', 'other_length', 'demo_type'] },
      ['DDNet 16.0: plays'],
    ],
    // CDemoPlayer::ExtractMap of 19.7 asserts that there is a SHA-256.
    ['version 6 without a SHA-256', { codes: ['no_sha256'] }, ['DDNet 16.0 to 19.7: plays', 'DDNet 19.7: needs_map']],
    // CDemoPlayer::ScanFile finds no keyframe behind the end of the file.
    [
      'a map that is cut',
      { codes: ['truncated_map'] },
      ['DDNet 16.0 to 19.2: stops (truncated_map)', 'DDNet 19.2: refused (truncated_map)'],
    ],
    // The worst one decides.
    [
      'no keyframe and one tick',
      { codes: ['empty_demo', 'no_keyframe'] },
      ['DDNet 16.0 to 19.2: stops (empty_demo)', 'DDNet 19.2: refused (no_keyframe)'],
    ],
  ])('with %s', (_, made, expected) => {
    expect(rows(made)).toEqual(expected);
  });

  it('with another map than the header says: in version 6 the right one must be at hand, before it DDNet plays the one inside', () => {
    const codes = ['other_map'] as const;
    expect(rows({ codes })).toEqual(['DDNet 16.0: needs_map (other_map)']);
    expect(rows({ codes, version: 5 })).toEqual(['DDNet 16.0: plays']);
    expect(rows({ codes, netVersion: of07, version: 4 })).toEqual([
      'DDNet 18.5: plays',
      'Teeworlds 0.7.5: needs_map (other_map)',
    ]);
  });
});
