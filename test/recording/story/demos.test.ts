import { describe, expect, it } from 'vitest';
import { readDemoHeader } from '../../../src/recording/container/demo/header.ts';
import { ignore } from '../../../src/wire/bytes/diagnostic.ts';
import { piecesOf } from '../../support/damaged-demos.ts';
import { run } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

// The rows of a whole demo, each broken by one change of a sample that breaks none.

const sample = read('vanilla-dm1.demo');
const lengthAt = 152;
const markersAt = 176;
/** Markers of a recording from tick 8898 on: in its first second, and later. */
const markers = [8900, 9000, 9500];

function withHeader(length: number, ticks: readonly number[]): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(sample);
  const view = new DataView(bytes.buffer);
  view.setInt32(lengthAt, length);
  for (const [i, value] of [ticks.length, ...ticks].entries()) view.setInt32(markersAt + 4 * i, value);
  return bytes;
}

const json = async (name: string, files: Record<string, Uint8Array<ArrayBuffer>>) => {
  const { stdout } = await run(`info ${name} -t json`, files);
  return JSON.parse(stdout)[0];
};

describe('a recording that was not stopped', () => {
  it('has no length, and its markers after the first second mean nothing: info, dump and JSON', async () => {
    const files = { 'a.demo': withHeader(0, markers) };
    const info = await run('info a.demo', files);
    expect(info.stdout).toMatch(/not_stopped: the recording was not stopped: .* its 3 markers mean nothing/);
    expect(info.stdout).toMatch(/markers +8900 \(0:00\.04\)\n/);
    expect((await json('a.demo', files)).markers).toEqual([8900]);
    const dumped = await run('dump a.demo', files);
    const csv = await run('info a.demo -t csv', files);
    expect(csv.stdout).toContain(',1,[8900],');
    expect(dumped.stdout.match(/marker \d of \d/g)).toEqual(['marker 1 of 1']);
    expect(info.status).toBe(0);
  });

  it('one with a length has all of them', async () => {
    const files = { 'a.demo': withHeader(57, markers) };
    const info = await run('info a.demo', files);
    expect(info.stdout).not.toMatch(/not_stopped/);
    expect((await json('a.demo', files)).markers).toEqual(markers);
  });
});

describe('a message before the first snapshot', () => {
  /** Moves the first message before the full snapshot of its tick; its text is a chat of the sample. */
  function withEarlyMessage(): Uint8Array<ArrayBuffer> {
    const { chunksStart } = readDemoHeader(sample, ignore);
    const pieces = piecesOf(sample, chunksStart);
    const at = (kind: string) => pieces.find((piece) => piece.kind === kind)!;
    const snapshot = at('snapshot');
    const message = at('message');
    const parts = [
      sample.subarray(0, snapshot.start),
      sample.subarray(message.start, message.end),
      sample.subarray(snapshot.start, message.start),
      sample.subarray(message.end),
    ];
    return Uint8Array.from(parts.flatMap((part) => [...part]));
  }

  it('is a note of the tick, and what comes before the first tick marker is none', async () => {
    const files = { 'a.demo': withEarlyMessage(), 'b.demo': Uint8Array.from(sample) };
    const info = await run('info a.demo', files);
    expect(info.stdout).toMatch(/· message_before_snapshot, tick 8898: a message comes before the first snapshot/);
    expect(info.status).toBe(0);
    expect((await run('info b.demo', files)).stdout).not.toMatch(/message_before_snapshot/);
  });
});

describe('info', () => {
  it('lists the kinds of extended items, which game it is, and who records', async () => {
    const race = { 'race.demo': Uint8Array.from(read('ddnet-race-player.demo')) };
    const { stdout } = await run('info race.demo', race);
    expect(stdout).toMatch(/game +race, ddrace, ddnet, scores are times in seconds\n/);
    expect(stdout).toMatch(/extended +3 kinds of items: game_info_ex, ddnet_player, ddnet_character\n/);
    expect(await json('race.demo', race)).toMatchObject({
      game: { types: ['race', 'ddrace', 'ddnet'], scores: 'seconds' },
      extended_items: ['game_info_ex', 'ddnet_player', 'ddnet_character'],
    });
  });
});
