import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { samplePcap } from '../support/corpus.ts';
import { PcapFile } from '../support/pcap-file.ts';
import { commentsOf } from '../support/pcapng-blocks.ts';
import { program, run, samplePath, shell, start, until, withProgram } from '../support/program.ts';
import { hasTsharkWithLua } from '../support/tshark.ts';

const place = withProgram();
const sample = new PcapFile(samplePcap());

/** A running `annotate -`, and its output so far. */
function live() {
  const { child, ended } = start(process.execPath, [program, 'annotate', '-'], { stdio: ['pipe', 'pipe', 'pipe'] });
  const written: Buffer[] = [];
  child.stdout!.on('data', (data: Buffer) => written.push(data));
  const comments = () => {
    try {
      return commentsOf(Buffer.concat(written));
    } catch {
      // A block has not arrived completely.
      return [];
    }
  };
  return { child, ended, comments };
}

describe('annotate of a live capture', () => {
  it('writes each frame once its comments are known, while the input is open', async () => {
    const { child, ended, comments } = live();
    child.stdin!.write(sample.with(sample.records.slice(0, 101)));
    await until(() => comments().length === 101);
    expect(comments()[100]![0]).toMatch(/^tick 33948 on 33944 · crc ok 1771882520 · 1 item changed\n/);
    child.stdin!.write(sample.records[101]!);
    await until(() => comments().length === 102);
    child.stdin!.end();
    expect((await ended).status).toBe(0);
  });

  it('writes delayed frames when no input arrives for a second', async () => {
    const { child, ended, comments } = live();
    child.stdin!.write(sample.with(sample.records.slice(0, 1)));
    await until(() => comments().length === 1);
    expect(comments()).toEqual([['handshake connect']]);
    child.stdin!.end();
    await ended;
  });

  it.skipIf(!hasTsharkWithLua)('is read by tshark as it comes (needs tshark with Lua)', async () => {
    const lua = join(place.folder, 'tw-snap.lua');
    writeFileSync(lua, (await run(['annotate', '--lua'])).stdout);
    const fields = "-Y 'twsnap.tick == 33948' -T fields -e frame.number -e twsnap.obj_character.x";
    const line = `(cat '${samplePath('ddnet-ipv6.pcap')}'; sleep 2) | tw-snap annotate - | tshark -l -i - -X 'lua_script:${lua}' ${fields}`;
    expect((await shell(line)).stdout).toBe('101\t6800\n');
  });
});
