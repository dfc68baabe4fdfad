import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { main } from '../../../commands/index.ts';
import { inspect } from '../../../src/page/data/inspect.ts';
import { checksumOf } from '../../../src/page/data/records.ts';
import { secondPlots } from '../../../src/page/data/series.ts';
import { Recording } from '../../../src/page/data/shown-recording.ts';
import { corpusFile, corpusFolder, hasCorpus } from '../../support/corpus.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { dumped, pageDataOf } from '../../support/report.ts';
import { read } from '../../support/samples.ts';

const demo = read('vanilla-dm1.demo');
/** A ghost whose x is lower than its ticks. */
const lowGhost = `${corpusFolder}../cases/page5/ghost-x-read-as-tick.gho`;

/** Without a map characters are where they are sent. */
const recordedIn = async (file: Uint8Array): Promise<Recording> =>
  new Recording({ ...(await pageDataOf(file)), map: undefined });

async function recorded(): Promise<Recording> {
  const recording = await recordedIn(demo);
  for (const _ of recording.readPaths());
  return recording;
}

/** What is plotted by the second. */
function seriesOf(recording: Recording) {
  const plots = secondPlots(recording);
  const [bytes, items, snapshots] = plots.map(({ lines }) => [...lines[0]!.values].map(Number));
  return { x: plots[0]!.x, bytes: bytes!, items: items!, snapshots: snapshots! };
}

/** The rows of `stats --by second`. */
async function bytesBySecond(file: Uint8Array): Promise<{ second: number; bits: number }[]> {
  const io = fakeIo({ files: { file } });
  await main('stats file -t json'.split(' '), io);
  return JSON.parse(io.stdout.text)[0].per_second;
}
const bySecond = await bytesBySecond(demo);

describe('a recording', () => {
  it('has the snapshots, items and bytes that dump and the file have, by the second', async () => {
    const recording = await recorded();
    const { x, bytes, items, snapshots } = seriesOf(recording);
    const all = (await dumped(demo, '--no-messages')).filter(({ record }) => record === 'snapshot');
    const inFirst = all.filter(({ tick }) => tick < 8898 + 50);
    expect(x[0]).toBe(8898);
    expect(snapshots[0]).toBe(inFirst.length);
    expect(items[0]).toBe(Math.max(...inFirst.map((one) => one.items.length)));
    expect(snapshots.reduce((sum, one) => sum + one, 0)).toBe(all.length);
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeCloseTo(bySecond.reduce((sum, one) => sum + one.bits / 8, 0));
  });

  it('has the bytes per second that stats prints', async () => {
    const { bytes } = seriesOf(await recorded());
    for (const { second, bits } of bySecond) expect(bytes[second]).toBeCloseTo(bits / 8);
  });

  it('of a capture counts all packets, those before the first snapshot in its first second', async () => {
    const capture = read('ddnet-ipv6.pcap');
    const { tracks, reads, schema, seconds } = await pageDataOf(capture);
    const { bytes } = seriesOf(new Recording({ tracks, reads, schema, seconds }));
    const sum = (await bytesBySecond(capture)).reduce((total, { bits }) => total + bits / 8, 0);
    expect(bytes.reduce((total, one) => total + one, 0)).toBeCloseTo(sum);
  });

  it.skipIf(!hasCorpus)('of 0.7 with the sizes of 0.6 has the items that dump has (needs ../shared)', async () => {
    const file = corpusFile('ddnet20/07-ddnet20-replay-wrong-sizes.demo');
    const { tracks, reads, schema, seconds } = await pageDataOf(file);
    const recording = new Recording({ tracks, reads, schema, seconds });
    const all = (await dumped(file, '--no-messages')).filter(({ record }) => record === 'snapshot');
    expect(recording.shown.length).toBeGreaterThan(50);
    for (const [position, { tick, crc }] of all.entries()) {
      const { sum } = checksumOf(recording, position);
      expect([recording.snapshot(position).tick, sum]).toEqual([tick, crc]);
    }
  });

  it('is between two snapshots by their ticks', async () => {
    const recording = await recorded();
    const position = recording.positionOf(9326);
    expect([recording.snapshot(position).tick, recording.snapshot(position + 1).tick]).toEqual([9326, 9328]);
    expect(recording.shareAt(position, 9327)).toBe(0.5);
  });

  it('shows chat and deaths at their ticks', async () => {
    const { eventLines } = await recorded();
    const lines = eventLines.map(({ tick, topic, parts }) => [tick, topic, parts.map(({ text }) => text).join('')]);
    expect(lines).toContainEqual([9142, 'chat', 'corpus: hello from a real client']);
    expect(lines).toContainEqual([9322, 'deaths', 'stress3 killed by self with grenade']);
    // As `info` counts them.
    expect(eventLines.filter(({ topic }) => topic === 'chat')).toHaveLength(33);
  });

  it('has the positions of players', async () => {
    const { paths, players } = await recorded();
    const [corpus] = paths.values();
    expect(players.nameOf(corpus!.client)).toBe('corpus');
    // The values of the README's diff of the ticks 9938 and 10000.
    const at = (tick: number) => corpus!.points.slice(2 * corpus!.at(tick), 2 * corpus!.at(tick) + 2);
    expect([at(9938), at(10_000)]).toEqual([
      [527, 1169],
      [110, 1175],
    ]);
    expect(corpus!.at(1)).toBe(-1);
  });

  it('has the colours that players have chosen', async () => {
    const recording = await recorded();
    // Sent as 1798004, 0x1b6f74: of 255, a hue of 27, a saturation of 111, and 116 from the darkest lightness, 61, to 255.
    expect(recording.lookOf(0)).toMatchObject({ name: 'corpus', colour: 'hsl(38 44% 59%)' });
    expect(recording.lookOf(60)).toBeUndefined();
  });

  it('has a span for each field of a delta, and an item for each span', async () => {
    const recording = await recorded();
    for (const tick of [9000, 9326, 10_000]) {
      const { spans, keys, items } = inspect(recording, recording.positionOf(tick));
      for (const { key, state, fields } of items) {
        for (const { label, span, now } of fields()) {
          if (state === 'changed') expect(span, label).toBeGreaterThan(0);
          if (span < 0) continue;
          expect(spans[span]!.label).toBe(label);
          expect(keys[span]).toBe(key);
          const { value, change } = spans[span]!;
          expect(String(change ? change.new : value)).toBe(now);
        }
      }
    }
  });

  it.skipIf(!existsSync(lowGhost))(
    'of a ghost has values of its own tick, whatever its x (needs ../shared)',
    async () => {
      const recording = await recordedIn(new Uint8Array(readFileSync(lowGhost)));
      for (const position of recording.shown.keys()) {
        const character = inspect(recording, position).items.find(({ name }) => name === 'obj_character')!;
        const now = (label: string) => Number(character.fields().find((field) => field.label === label)!.now);
        // The first int is x, 1520, which is lower than the tick.
        expect(now('x')).toBeLessThan(now('tick'));
        expect(now('tick')).toBe(recording.snapshot(position).tick);
        expect(character.sentAt).toBeUndefined();
      }
    },
  );

  it.skipIf(!hasCorpus)(
    'of 0.7 names the players of items as messages announce them, on each map (needs ../shared)',
    async () => {
      const reportData = await pageDataOf(corpusFile('07-vanilla-mapchange.pcap'));
      // `dump` says "playing: mapper" three times, and "mapper: before" and "mapper: after".
      expect(reportData.tracks).toHaveLength(3);
      for (const number of reportData.tracks.keys()) {
        const recording = new Recording(reportData, number);
        const said = recording.eventLines.map(({ parts }) => parts.map(({ text }) => text).join(''));
        expect(said).toContain('playing: mapper');
        const { items } = inspect(recording, recording.shown.length - 1);
        expect(items.find(({ name }) => name === 'obj_character')?.player).toBe('mapper');
        expect(recording.playerText(0)).toBe('mapper');
      }
    },
  );
});
