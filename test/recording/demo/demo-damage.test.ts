import { describe, expect, it } from 'vitest';
import { DemoReplay } from '../../../src/recording/demo/demo-replay.ts';
import { run } from '../../support/run.ts';
import { read } from '../../support/samples.ts';
import { seeded } from '../../support/seeded.ts';

const demos = ['vanilla-dm1.demo', 'ddnet-race-player.demo'].map((name) => ({ name, bytes: read(name) }));

interface Reported {
  /** `tick kind items crc` and where the payload ends in the file. */
  readonly snapshots: { readonly line: string; readonly end: number }[];
  readonly errors: number;
}

function replay(bytes: Uint8Array, piece = bytes.length): Reported {
  const demo = new DemoReplay();
  const reported: { snapshots: Reported['snapshots']; errors: number } = { snapshots: [], errors: 0 };
  const flush = (records: ReturnType<DemoReplay['feed']>) => {
    for (const record of records) {
      if (record.record === 'diagnostic' && record.diagnostic.severity === 'error') reported.errors++;
      if (record.record !== 'snapshot') continue;
      const { tick, kind, offset } = record;
      const [snapshot, payload] = [record.snapshot!, record.payload!];
      const line = `${tick} ${kind} ${snapshot.count} ${snapshot.checksum()}`;
      reported.snapshots.push({ line, end: offset + payload.length });
    }
  };
  for (let at = 0; at < bytes.length; at += piece) flush(demo.feed(bytes.subarray(at, at + piece)));
  flush(demo.finish());
  return reported;
}

const lines = ({ snapshots }: Reported) => snapshots.map(({ line }) => line);

describe.each(demos)('$name', ({ bytes }) => {
  const whole = replay(bytes);
  const endedBy = (offset: number) => whole.snapshots.filter(({ end }) => end <= offset).map(({ line }) => line);

  it('is the same in pieces of any size', () => {
    expect(whole.errors).toBe(0);
    for (const piece of [1, 7, 4096]) expect(lines(replay(bytes, piece))).toEqual(lines(whole));
  });

  it('is read correctly up to the cut, wherever the demo is cut', () => {
    for (let i = 0; i < 50; i++) {
      const length = Math.floor((bytes.length * i) / 50);
      const { snapshots, errors } = replay(bytes.slice(0, length));
      expect(
        snapshots.map(({ line }) => line),
        `cut to ${length}`,
      ).toEqual(endedBy(length));
      expect(errors, `cut to ${length}`).toBeLessThanOrEqual(1);
    }
  });

  it('is read correctly up to the damage, wherever a byte is changed, and again from the next full snapshot on', () => {
    const random = seeded(0x5eed);
    for (let i = 0; i < 50; i++) {
      const broken = bytes.slice();
      const at = 176 + (random() % (bytes.length - 176));
      broken[at]! ^= 1 + (random() % 255);
      const found = lines(replay(broken));
      const good = endedBy(at);
      expect(found.slice(0, good.length), `byte ${at}`).toEqual(good);
      // The full snapshots after the damage are the recorded ones.
      const excess = whole.snapshots.filter(({ line, end }) => line.includes(' snapshot ') && end > at + 70_000);
      for (const { line } of excess.slice(1)) expect(found, `byte ${at}`).toContain(line);
    }
  });
});

/** A demo of version 4 with the tick markers and the header of another version, otherwise unchanged. */
function asVersion(bytes: Uint8Array, version: 3 | 5): Uint8Array {
  const out: number[] = [...bytes.subarray(0, 7), version, ...bytes.subarray(8, 176)];
  if (version === 5) out.push(...bytes.subarray(176, 436));
  const mapSize = new DataView(bytes.buffer, bytes.byteOffset).getInt32(136);
  out.push(...bytes.subarray(436, 436 + mapSize));
  for (let at = 436 + mapSize; at < bytes.length; ) {
    const first = bytes[at]!;
    if (first & 0x80) {
      const step = first & 0x3f;
      const isAbsolute = step === 0;
      // 1KSS SSSS of version 3 and 4; 1K1S SSSS and 1K0. .... of version 5. Steps here are below 32.
      if (version === 3) out.push(first);
      else out.push(isAbsolute ? first & 0xc0 : (first & 0xc0) | 0x20 | step);
      if (isAbsolute) out.push(...bytes.subarray(at + 1, at + 5));
      expect(step).toBeLessThan(32);
      at += isAbsolute ? 5 : 1;
    } else {
      const short = first & 0x1f;
      const head = short === 30 ? 2 : short === 31 ? 3 : 1;
      const size = short === 30 ? bytes[at + 1]! : short === 31 ? bytes[at + 1]! | (bytes[at + 2]! << 8) : short;
      out.push(...bytes.subarray(at, at + head + size));
      at += head + size;
    }
  }
  return Uint8Array.from(out);
}

it.each([3, 5] as const)('a demo of version 4 reads the same when it is written as version %i', (version) => {
  const { bytes } = demos[0]!;
  expect(bytes[7]).toBe(4);
  const rewritten = replay(asVersion(bytes, version));
  expect(rewritten.errors).toBe(0);
  expect(lines(rewritten)).toEqual(lines(replay(bytes)));
});

describe('a demo without its first tick marker', () => {
  // The player's demo begins with messages; the marker of its first full snapshot, tick 180, is at 0x37e.
  const bytes = read('ddnet-race-player.demo');
  const markerAt = 0x37e;
  const without = (end?: number) =>
    new Uint8Array(Buffer.concat([bytes.slice(0, markerAt), bytes.slice(markerAt + 5, end)]));

  it('has the ticks that its next keyframe shows', () => {
    expect([...bytes.slice(markerAt, markerAt + 5)]).toEqual([0xc0, 0, 0, 0, 180]);
    const { errors, ...now } = replay(without());
    expect(errors).toBe(1);
    expect(lines({ ...now, errors })).toEqual(lines(replay(bytes)));
    expect(lines(replay(without(), 100))).toEqual(lines(replay(bytes)));
  });

  it('has the same length for info and stats', async () => {
    const length = async (command: string) => {
      const { stdout } = await run(`${command} a.demo -t json`, { 'a.demo': without() });
      const [{ seconds, first_tick, last_tick }] = JSON.parse(stdout);
      return [seconds, first_tick, last_tick];
    };
    expect(await length('stats')).toEqual([5.16, 180, 438]);
    expect(await length('info')).toEqual([5.16, 180, 438]);
  });

  it('counts from 0 if no keyframe follows', () => {
    const now = lines(replay(without(8000)));
    const whole = lines(replay(bytes.slice(0, 8000)));
    expect(now).toEqual(whole.map((line) => line.replace(/^\d+/, (tick) => String(Number(tick) - 180))));
  });
});

it('a demo whose last tick is before its first has no length', async () => {
  // The first marker is an absolute one, of tick 8898; the next keyframe goes back, and the last tick is 11782.
  const demo = read('vanilla-dm1.demo').slice();
  const at = 436 + 6793;
  expect([...demo.subarray(at, at + 5)]).toEqual([0xc0, 0, 0, 0x22, 0xc2]);
  demo.set([0, 0, 0x40, 0], at + 1);
  const { stdout } = await run('info back.demo', { 'back.demo': demo });
  expect(stdout).toContain('time          ticks 16384 to 11782, which go back\n');
  expect(stdout).toContain('tick_backwards');
  expect(stdout).not.toContain('other_length');
});
