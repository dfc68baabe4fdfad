import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { run } from '../support/run.ts';

/**
 * Public reports of trouble, remade as inputs. Of each the command that its author would run, its exit status, and what
 * it has to say: the right answers were written down in the README beside the inputs before any program read them.
 */
const folder = fileURLToPath(new URL('../../../shared/cases/bugs/', import.meta.url));
const inputs = existsSync(folder) ? readdirSync(folder).filter((name) => name !== 'README.md') : [];

type Answer = readonly [line: string, status: number, ...says: readonly RegExp[]];

const answers: readonly Answer[] = [
  ['decode b01-fuzz-base.txt', 3, /data_size=115/, /type 0x8000 \(-32768\), above 0x7fff/, /3 bytes left over/],
  ['decode b01-fuzz-base-aligned.txt', 3, /type 0x8000 \(-32768\), above 0x7fff/],
  ['apply b01-fuzz-base-aligned.txt b01-fuzz-delta.txt', 3, /0x8000/],
  ['decode b02-iext.txt', 0, /"iext"/, /browse_token=-1/, /Aqualane, 13\/63 clients/],
  ['info b03-short.demo', 0, /1 keyframe: each jump replays from the beginning/],
  ['info b04-markers.demo', 0, /tick 100 is outside/, /tick 5488 is outside/, /two markers at tick 302/],
  ['info b05-ends-at-finish.demo', 0, /finish .*tick 420, with which the demo ends/],
  ['info b08-tuned.demo', 0, /grenade_curvature 0 \(default 7\), grenade_speed 100 \(default 1000\)/],
  ['info b08-not-tuned.demo', 0, /none in this demo: games play it with their defaults/],
  ['explain b09-too-many.pcap', 3, /1,025 items; a client takes 1,024/, /5 failures/],
  ['decode b10-real.packed', 3, /type=70 \(unknown\)/, /id=3 size=1661611014/, /read 3 of 1661611014 fields/],
  ['explain b11-unsigned.log', 1, /wanted − got = \+3,785/],
  ['apply b12-base.ints b12-delta.packed', 0, /x +-2147483648/],
  ['explain b13-weird.log', 1, /number -3749/, /number -20/, /no version has it/],
  ['info b13-07-numbers-to-06-client.pcap', 1, /-3749/, /numbers of 0\.7, it is snap_single, 20 times/],
  ['explain b13-07-numbers-to-06-client.pcap', 1, /23 things that no game sends/, /snap_single, 20 times/],
  ['info -v b14-two-tokens.pcap', 0, /frame 4: .*repeats the token bf09bc36 as 36bc09bf/],
  ['decode b15-getinfo.txt', 0, /"gie3"/, /browse_token=0/],
  ['dump b17-two.pcap', 0, /46\/64 clients/, /nick45/],
  ['info b17-first-only.pcap', 0, /1 answer without all parts, 22 players missing/],
  ['decode b18-close.txt', 0, /close "The server is full"/, /no NUL/],
  ['decode b20-1460.packet', 3, /20 messages: rcon_cmd_add/, /1,460 bytes; .*1,400/, /13 bytes after the last chunk/],
  ['decode b20-frame.txt', 3, /13 messages/, /num_chunks=20/],
  ['decode b22-uuids.packet', 0, /redirect/, /port=8310/, /length=120/, /rcon_cmd_group_end/, /map_reload/],
  ['dump b23-kill.demo', 0, /racer killed by player 40 \(not in the snapshots\)/],
  ['decode b26-256chunks.packet', 0, /num_chunks=0/, /1,040 bytes after the last chunk \(256 whole chunks\)/],
  ['decode b26-260chunks.packet', 0, /num_chunks=4/, /1,040 bytes after the last chunk \(256 whole chunks\)/],
  ['info b26.pcap', 1, /1,040 bytes after the last chunk \(256 whole chunks\)/],
  ['info b28-gaps.demo', 0, /29 full, 0 deltas/, /header says 20 s/, /0:05\.60/],
  ['checksum b29-all-removed.pcap', 0, /0\.6 +3 +3 /],
  ['decode b29-all-removed.pcap@102 -k snapshot -t table', 0, /0 items, checksum 0/],
  ['decode b30-real.packed', 3, /type -5; expected 0 to 32767/],
  ['diff b31-old-map.gho b31-new-map.gho', 1, /different maps: Kobra \(sha256 a1a1.*\), Kobra \(sha256 b2b2/],
  ['diff b31-old-map.gho b31-version5.gho', 1, /no sum in common that tells whether it is one map/],
  ['info b31-old-map.gho b31-new-map.gho b31-version5.gho --map Kobra', 0, /old-map/, /new-map/, /version5/],
  ['info b33b-one-tick.demo', 1, /unplayable/, /stops at tick 202.*:\s+"Empty demo"/],
  ['decode b34-new.packet', 0, /chunk_size=5 sequence=255/],
  ['decode b34-old.packet', 0, /chunk_size=5 sequence=255/],
  ['info b42-other-map.demo', 1, /crc 9735c643 ✗/, /sha256 .* ✗/, /if the right map racedm1 is at hand/],
  ['info -v b51-never-acked.pcap', 1, /chunk 2 \(sv_chat\), sent 11 times, never acknowledged/, /Timeout/],
  ['explain b51-never-acked.pcap', 1, /chunk 2 \(sv_chat\) is sent 11 times/, /the connection ends/],
  ['explain b52-unpack.log', 1, /3 times \(error -206\)/],
  ['explain b52b-unpack.log', 1, /2 deltas that could not be unpacked, 2 items that the client dropped/],
  ['decode --strict b53-range.ints', 1, /weapon is 99/, /team is 7/],
  ['info --strict b53-range.pcap', 1, /weapon 99/, /team 7/, /client_id up to 64/],
  ['checksum --strict b53-range.pcap', 1, /weapon is 99/, /team is 7/],
  [
    'info b66-server-demo-without-map.demo',
    0,
    /124 input_timing, 122 snap_single, 62 sv_tuneparams, 32 rcon_cmd_add,\s+4 sv_broadcast, 2 rcon_line/,
  ],
  ['decode b79-short7.packet', 3, /packet 0\.7 \(truncated_packet\)/],
  ['info b80-negative-length.demo', 0, /-1304/, /0:05\.72/],
  ['dump two-servers-one-token.pcap', 0, /Server ONE/, /Server TWO/, /a29/, /b29/],
];

describe.skipIf(inputs.length === 0)('reports of trouble (needs ../shared)', () => {
  const files = Object.fromEntries(inputs.map((name) => [name, new Uint8Array(readFileSync(folder + name))]));

  it('are all here', () => {
    const named = answers.flatMap(([line]) => line.split(/[ @]/));
    expect(inputs.filter((name) => !named.includes(name))).toEqual([]);
  });

  it.each(answers.map(([line, status, ...says]) => ({ line, status, says })))(
    '$line: exit $status',
    async ({ line, status, says }) => {
      const got = await run(line, files);
      const said = `${got.stdout}\n${got.stderr}`;
      for (const text of says) expect(said).toMatch(text);
      expect(got.status).toBe(status);
    },
  );
});
