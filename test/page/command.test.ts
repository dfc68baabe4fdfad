import { describe, expect, it } from 'vitest';
import { nameOfRecord } from '../../src/page/data/records.ts';
import { messageBytes, Recording } from '../../src/page/data/shown-recording.ts';
import { clipCommand, decodeCommand, traceCommand } from '../../src/page/views/command.ts';
import { corpusFile, hasCorpus } from '../support/corpus.ts';
import { pageDataOf } from '../support/report.ts';
import { run } from '../support/run.ts';
import { read } from '../support/samples.ts';

const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const recordingOf = async (file: Uint8Array, name: string) => {
  const reportData = { ...(await pageDataOf(file)), name };
  const all = reportData.tracks.map((_, track) => new Recording(reportData, track));
  return { reportData, all };
};
/** The words of a command line; no name here has a quotation mark. */
const shellWords = (line: string) => line.replace(/^tw-snap /, '').replaceAll(/['"]/g, '');

describe('the command that the page offers', () => {
  it.skipIf(!hasCorpus)(
    'shows the snapshot that is chosen, also of a later map with the same ticks (needs ../shared)',
    async () => {
      const file = corpusFile('07-vanilla-mapchange.pcap');
      const { reportData, all } = await recordingOf(file, 'maps.pcap');
      let packets = 0;
      for (const recording of all) {
        for (let position = 0; position < recording.shown.length; position += 37) {
          const chosen = { recording, position, record: undefined };
          const line = shellWords(decodeCommand(reportData, chosen)!);
          const { stdout } = await run(line.includes('#') ? `${line} -t json` : line, { 'maps.pcap': file });
          const { payload, announced, tick } = recording.track.snapshots[recording.shown[position]!]!;
          if (!line.includes('#')) {
            expect(stdout, line).toContain(` ${payload.length} bytes → `);
            continue;
          }
          packets++;
          expect(traceCommand(reportData, chosen, 'obj_character/0.x'), line).toBeUndefined();
          const { chunks } = JSON.parse(stdout);
          const { message } = chunks.find(({ message: { name } }: never) => /^snap_/.test(name));
          if (message.name === 'snap_empty') expect(message.fields.tick, line).toBe(tick);
          else expect(message.fields, line).toMatchObject({ tick, crc: announced, bytes: toHex(payload) });
        }
      }
      // The ticks of the third map are those of the second one.
      expect(packets).toBeGreaterThan(5);
    },
  );

  it('shows the packet and the message that are chosen', async () => {
    const capture = read('ddnet-ipv6.pcap');
    const { reportData, all } = await recordingOf(capture, 'a.pcap');
    const recording = all[0]!;
    const number = recording.track.packets.findIndex(({ toServer, bytes }) => !toServer && bytes.length > 100);
    const line = shellWords(decodeCommand(reportData, { recording, position: 0, record: { kind: 'packet', number } })!);
    expect(line).toBe(`decode a.pcap#${recording.track.packets[number]!.frame}`);
    expect((await run(`${line} -t json`, { 'a.pcap': capture })).status).toBe(0);

    const demo = read('vanilla-dm1.demo');
    const of = await recordingOf(demo, 'm.demo');
    const match = of.all[0]!;
    const chat = match.track.messages.findIndex(
      (_, i) => nameOfRecord(match, { kind: 'message', number: i }) === 'sv_chat',
    );
    const chosen = { recording: match, position: 0, record: { kind: 'message', number: chat } } as const;
    const words = shellWords(decodeCommand(of.reportData, chosen)!);
    expect(words).toMatch(/^dump m\.demo@(\d+)\.\.\1 --type sv_chat -t hexdump$/);
    const { stdout } = await run(words, { 'm.demo': demo });
    const first = toHex(messageBytes(match.track.messages[chat]!).subarray(0, 4)).replace(/..(?!$)/g, '$& ');
    expect(stdout).toContain(first);
  });

  it('shows a snapshot of a demo, and cuts out what is around it', async () => {
    const { reportData, all } = await recordingOf(read('vanilla-dm1.demo'), 'my match.demo');
    const recording = all[0]!;
    const state = { recording, position: recording.positionOf(9326), record: undefined, repeated: undefined };
    expect(decodeCommand(reportData, state)).toBe('tw-snap decode "my match.demo@9326"');
    expect(traceCommand(reportData, state, 'obj_character/0.x')).toBe(
      'tw-snap trace "my match.demo@9326" obj_character/0.x',
    );
    // Five seconds before and three after it, of 50 ticks each.
    expect(clipCommand(reportData, state)).toBe('tw-snap slice "my match.demo" --ticks 9076..9476 -o clip.demo');
    const range = { ...state, repeated: { from: 9000, to: 9100 } };
    expect(clipCommand(reportData, range)).toBe('tw-snap slice "my match.demo" --ticks 9000..9100 -o clip.demo');
    const capture = await recordingOf(read('duplicate-key.pcap'), 'a.pcap');
    expect(
      clipCommand(capture.reportData, { recording: capture.all[0]!, position: 0, repeated: undefined }),
    ).toBeUndefined();
  });
});
