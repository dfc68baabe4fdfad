import { describe, expect, it } from 'vitest';
import { CaptureReplay } from '../../src/recording/capture/capture-replay.ts';
import { copyOf } from '../../src/wire/snapshot/builder.ts';
import type { Snapshot } from '../../src/wire/snapshot/snapshot.ts';
import { corpusFile, hasCorpus } from '../support/corpus.ts';
import { contentsOf } from '../support/edit.ts';
import { expectSameItems, type RecordedBeside } from '../support/recorded-beside.ts';
import { runWriting } from '../support/run.ts';
import { read } from '../support/samples.ts';

const extract = (capture: Uint8Array, line: string) =>
  runWriting(`extract a.pcap --demo ${line}`, { 'a.pcap': capture });

/** The snapshots that a capture's only client was sent, by tick, and the chat from the first of them on. */
function sentTo(capture: Uint8Array) {
  const sent = new Map<number, Snapshot>();
  let chat = 0;
  const replay = new CaptureReplay();
  for (const entries of [replay.feed(capture), replay.finish()])
    for (const entry of entries)
      if (entry.record === 'snapshot' && entry.snapshot && entry.kind !== 'empty')
        sent.set(entry.tick, copyOf(entry.snapshot));
      else if (entry.record === 'message' && sent.size > 0 && entry.message.type?.name === 'sv_chat') chat++;
  return { sent, chat };
}

describe('extract --demo', () => {
  it('has each snapshot that was sent to the client, and the game messages from the first snapshot on', async () => {
    const capture = read('ddnet-ipv6.pcap');
    const { status, files } = await extract(capture, '-o a.demo');
    expect(status).toBe(0);
    const { header, snapshots, messages, diagnostics } = contentsOf(files.get('a.demo')!);
    expect(diagnostics).toEqual([]);
    expect(header).toMatchObject({ version: 6, type: 'client', netVersion: '0.6 626fce9a778df4d4', length: 18 });
    const { sent, chat } = sentTo(capture);
    expect([...snapshots.keys()]).toEqual([...sent.keys()]);
    for (const [tick, { snapshot }] of snapshots) {
      expect(snapshot.checksum(), `tick ${tick}`).toBe(sent.get(tick)!.checksum());
    }
    expect(messages.filter(({ name }) => name === 'sv_chat').length).toBe(chat);
  });

  it('says that snapshots with a wrong checksum are left out, and of a map without a name that it has none', async () => {
    const { stdout } = await extract(read('duplicate-key.pcap'), '-o a.demo');
    expect(stdout).toMatch(
      / 25 snapshots .*\n {2}20 snapshots left out: they can't be rebuilt or have a wrong checksum\n/,
    );
    expect(stdout).toContain('the map of unknown name is not in the demo');
  });

  it('refuses a client that is not in the capture, and demos as input', async () => {
    const { status, stderr, files } = await extract(read('ddnet-ipv6.pcap'), '--client 1.2.3.4:5 -o a.demo');
    expect([status, stderr, files.has('a.demo')]).toEqual([2, expect.stringContaining('no client 1.2.3.4:5'), false]);
    const demo = await runWriting('extract a.demo --demo -o b.demo', { 'a.demo': read('vanilla-dm1.demo') });
    expect([demo.status, demo.stderr]).toEqual([3, expect.stringContaining('a demo already')]);
  });

  it.skipIf(!hasCorpus)('writes one demo of each map (needs ../shared)', async () => {
    const capture = corpusFile('07-vanilla-mapchange.pcap');
    const refused = await extract(capture, '-o a.demo');
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('-o match-%d.demo')]);
    const { status, files } = await extract(capture, '-o a-%d.demo');
    const headers = [1, 2, 3].map((i) => contentsOf(files.get(`a-${i}.demo`)!).header);
    expect([status, headers.map(({ mapName }) => mapName)]).toEqual([0, ['dm1', 'ctf3', 'dm1']]);
  });
});

const recordings: readonly RecordedBeside[] = [
  ['06-ddnet-race.pcap', '127.0.0.1:13488', '06-ddnet-race-client-auto.demo', 1024],
  ['07-vanilla-dm1.pcap', '127.0.0.1:58858', '07-vanilla-dm1-client.demo', 1369],
];

it.skipIf(!hasCorpus).each(recordings)(
  'the demo of %s has the items that the client %s recorded itself in %s (needs ../shared)',
  expectSameItems,
);
