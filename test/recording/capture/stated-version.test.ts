import { describe, expect, it } from 'vitest';
import { CaptureReplay } from '../../../src/recording/capture/capture-replay.ts';
import { NetlogReplay } from '../../../src/recording/capture/netlog-replay.ts';
import type { RecordingEntry } from '../../../src/recording/replay/record.ts';
import type { ReadOptions } from '../../../src/recording/replay/replay.ts';
import { fitPacket } from '../../../src/wire/packet/version.ts';
import { readSchema } from '../../../src/wire/schema/read-schema.ts';
import { file, text } from '../../support/bytes.ts';
import { ethernet, ipv4, netlogOf, pcapHeader, pcapRecord, someTime, udp, v4 } from '../../support/capture-builder.ts';
import { chunk07, ints, packet07, snapSingle } from '../../support/packet-builder.ts';
import { runOn, runWriting } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

const said = 'a text of a mod that looks like one of the games';
/** A mod's system message with the number 31 and a text, which the games do not have, in a vital chunk. */
const ownMessage = chunk07([...ints((31 << 1) | 1), ...text(said), 0], { vital: true, sequence: 1 });
const modSchema = '{"messages":[{"name":"sv_own","id":31,"system":true,"fields":{"text":"string"}}]}';

/**
 * In 0.6 this token is the head of a chunk up to the end of the packet and of the known message 2 (04), a text, which
 * ends with the zero at its end: a packet with an unknown message of 0.7 is a whole one of 0.6. Only the sequence
 * number, 1, is no character of a text.
 */
const size = ownMessage.length + 2;
const misleading = [size >> 4, size & 0x0f, 0x04, 0x41];
const own = () => packet07([ownMessage], { token: misleading });
const snap = (tick: number) =>
  packet07([chunk07(snapSingle(8, tick, tick + 1, 1, ints(0, 1, 0, 4, 0, 1, 0, 0)))], { token: misleading });
const sent = [own(), own(), own(), snap(100), snap(102), snap(104)];

/** The packets of a server, from the middle of a connection. */
const capture = file(
  pcapHeader(),
  ...sent.map((packet, i) =>
    pcapRecord(ethernet(v4, ipv4(udp([...packet], 8303, 50000))), { seconds: someTime, fraction: i * 40_000 }),
  ),
);

function replayed(
  options: ReadOptions,
  bytes: Uint8Array = capture,
  replay: CaptureReplay | NetlogReplay = new CaptureReplay(options),
) {
  const records: RecordingEntry[] = [...replay.feed(bytes), ...replay.finish()];
  const ticks = records.flatMap((entry) => (entry.record === 'snapshot' ? [entry.tick] : []));
  return { ticks, versions: replay.streams.map(({ version, hasHandshake }) => [version, hasHandshake]) };
}

/** A little-endian capture without its first packets. */
function withoutStart(bytes: Uint8Array, packets: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  let at = 24;
  for (let i = 0; i < packets; i++) at += 16 + view.getUint32(at + 8, true);
  return file([...bytes.subarray(0, 24)], [...bytes.subarray(at)]);
}

describe('a connection without its handshake', () => {
  it('has the version that its packets look like, which may be the wrong one', () => {
    expect(replayed({})).toEqual({ ticks: [], versions: [['0.6', false]] });
  });

  it('has the stated version', () => {
    const stated = { ticks: [100, 102, 104], versions: [['0.7', false]] };
    expect(replayed({ version: '0.7' })).toEqual(stated);
    const log = new NetlogReplay({ version: '0.7' });
    expect(replayed({}, netlogOf(sent), log)).toEqual(stated);
  });

  it("is not misread if a schema has the mod's numbered messages", () => {
    const schema = readSchema(modSchema);
    expect(replayed({ schema })).toMatchObject({ ticks: [100, 102, 104], versions: [['0.7', false]] });
    const bitsIn = (all: ReturnType<typeof fitPacket>) => all.find(({ version }) => version === '0.7')!.evidence;
    // Two bits for each character of its text, and those of a message that is known and complete.
    expect(bitsIn(fitPacket(own(), schema)) - bitsIn(fitPacket(own()))).toBeGreaterThan(2 * said.length);
  });
});

describe('-p for a capture', () => {
  const files = {
    'mid.pcap': capture,
    'whole.pcap': read('vanilla-ctf-timeout.pcap'),
    'mid6.pcap': withoutStart(read('ddnet-ipv6.pcap'), 40),
    'mod.json': modSchema,
  };
  const run = runOn(files);

  it.each(['info', 'stats', 'dump -t ndjson', 'checksum', 'decode', 'explain'].map((text) => `${text} mid.pcap`))(
    '%s reads a connection without its handshake in that version',
    async (command) => {
      const guessed = await run(command);
      const stated = await run(`${command} -p 0.7`);
      expect(stated.stdout).not.toBe(guessed.stdout);
    },
  );

  it('info says that the handshake is missing', async () => {
    const { stdout } = await run('info mid.pcap -p 0.7');
    expect(stdout).toContain('version       its handshake was not captured: if the version is wrong, -p sets it\n');
    expect(JSON.parse((await run('info mid.pcap -t json')).stdout)[0].connections[0].handshake).toBe(false);
    expect(JSON.parse((await run('info whole.pcap -t json')).stdout)[0].connections[0].handshake).toBe(true);
  });

  it.each(['info whole.pcap', 'stats whole.pcap', 'dump whole.pcap', 'checksum whole.pcap', 'decode whole.pcap#50'])(
    '%s refuses another version than that of the handshakes',
    async (line) => {
      const { status, stderr } = await run(`${line} -p 0.6`);
      expect([status, stderr]).toEqual([
        2,
        expect.stringContaining('-p 0.6 has no effect: the handshakes state 0.7\n'),
      ]);
      expect((await run(`${line} -p 0.7`)).status).toBe(0);
    },
  );

  it.each(['info', 'stats', 'dump', 'checksum', 'explain', 'decode mid6.pcap@first', 'annotate mid6.pcap -o x'])(
    '%s refuses a version in which no packet can be read',
    async (line) => {
      const { status, stderr } = await run(`${line.includes(' ') ? line : `${line} mid6.pcap`} -p 0.7`);
      expect([status, stderr]).toEqual([
        2,
        expect.stringMatching(/with -p 0.7 no packet belongs to a connection, and 7\d\d datagrams can't be read/),
      ]);
    },
  );

  it('annotate reads the packets in that version', async () => {
    const comments = async (line: string, expected: number) => {
      const { status, files: after } = await runWriting(`annotate ${line} -o x`, files);
      expect(status).toBe(expected);
      return new TextDecoder().decode(after.get('x'));
    };
    expect(await comments('mid.pcap -p 0.7', 0)).toContain('0.7');
    // As what they look like, the packets with snapshots end early.
    expect(await comments('mid.pcap -p 0.7', 0)).not.toBe(await comments('mid.pcap', 3));
  });

  it('0.5 is refused', async () => {
    const { status, stderr } = await run('info mid.pcap -p 0.5');
    expect([status, stderr]).toEqual([2, expect.stringContaining('captures of 0.5 are not read')]);
  });
});
