import { describe, expect, it } from 'vitest';
import { corpusFile, hasCorpus } from '../support/corpus.ts';
import { runWriting } from '../support/run.ts';
import { read } from '../support/samples.ts';
import { annotatedValues, dumpedValues, hasTsharkWithLua, tsharkRows } from '../support/tshark.ts';

const sample = read('ddnet-ipv6.pcap');
const files = { 'a.pcap': sample, 'wrong.pcap': read('duplicate-key.pcap') };
const run = (line: string, more: Record<string, string> = {}) => runWriting(`annotate ${line}`, { ...files, ...more });

const recordings = [
  '07-vanilla-dm1.pcapng',
  '06-ddnet-loss.pcap',
  '07-on-ddnet-sixup-manyplayers.pcap',
  'ddnet20/06-ddnet20-mapchange-6clients.pcap',
];

describe.skipIf(!hasTsharkWithLua)('in tshark (needs tshark with Lua)', () => {
  /** Rows of an annotated file, with the post-dissector of a schema. */
  async function rows(bytes: Uint8Array, filter: string, fields: readonly string[], schema = '') {
    const lua = await run(`--lua ${schema}`, { 'mod.json': schemaOfMod });
    return tsharkRows(bytes, lua.stdout, filter, fields);
  }

  const schemaOfMod = '{"items":[{"name":"my_character","type":9,"fields":{"all":{"list":22,"of":"int"}}}]}';

  it('finds ticks, messages and findings', async () => {
    const { bytes: out } = await run('a.pcap');
    expect(await rows(out, 'twsnap.tick == 33948', ['frame.number', 'twsnap.base', 'twsnap.verdict'])).toEqual([
      ['101', '33944', 'ok'],
    ]);
    const chat = await rows(out, 'twsnap.sv_chat.message contains "ipv6"', ['twsnap.sv_chat.message']);
    expect(chat).toEqual([['hello via ipv6']]);
    const names = await rows(out, 'twsnap.tick == 33948', ['twsnap.obj_client_info.name', 'twsnap.item']);
    expect(names[0]![0]).toBe('six');
    expect(names[0]![1]!.split(',')).toContain('obj_character/0');
    const changes = await rows(out, 'twsnap.tick == 33948', ['twsnap.change', '_ws.col.Info']);
    expect(changes).toEqual([
      ['obj_character/0 "six": tick 33944 → 33948', 'tick 33948 on 33944 · crc ok 1771882520 · 1 item changed'],
    ]);
  });

  it('names the frame that completes a snapshot', async () => {
    const { bytes: out } = await run('wrong.pcap');
    const mismatches = await rows(out, 'twsnap.verdict == "mismatch"', ['twsnap.crc', 'twsnap.expected']);
    expect(mismatches.length).toBeGreaterThan(0);
    for (const [crc, expected] of mismatches) expect(crc).not.toBe(expected);
  });

  it('refuses values of another schema, and accepts those of its own schema', async () => {
    const { bytes: out } = await run('a.pcap --schema mod.json', { 'mod.json': schemaOfMod });
    const other = await rows(out, 'twsnap.tick == 33948', ['twsnap.obj_player_info.local', 'twsnap.finding']);
    expect(other).toEqual([['', expect.stringMatching(/^annotated with another schema: 0\.6 · schema [0-9a-f]{8}$/)]]);
    const own = await rows(out, 'twsnap.tick == 33948', ['twsnap.my_character.all'], '--schema mod.json');
    expect(own[0]![0]!.split(',').slice(0, 3)).toEqual(['33948', '6800', '561']);
  });

  it('shows the same packets and times as before', async () => {
    const { bytes: out } = await run('a.pcap');
    const fields = ['frame.number', 'frame.time_epoch', 'frame.len', 'frame.cap_len', 'ip.src', 'udp.payload'];
    expect(await rows(out, 'frame', fields)).toEqual(await rows(sample, 'frame', fields));
  });

  it('has the values of dump in every snapshot of the sample', async () => {
    const shown = await annotatedValues(sample);
    expect(shown).toHaveLength(446);
    expect(shown).toEqual(await dumpedValues(sample));
  });
});

describe.skipIf(!hasTsharkWithLua || !hasCorpus)('in tshark, recordings (needs tshark with Lua and ../shared)', () => {
  it.each(recordings)('%s has the values of dump in every snapshot', async (name) => {
    const bytes = corpusFile(name);
    const shown = await annotatedValues(bytes);
    expect(shown.length).toBeGreaterThan(1000);
    expect(shown).toEqual(await dumpedValues(bytes));
  });
});
