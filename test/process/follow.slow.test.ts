import { appendFileSync, copyFileSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { hasTool } from '../support/host.ts';
import { program, samplePath, shell, start, withProgram } from '../support/program.ts';

const place = withProgram();
const capture = readFileSync(samplePath('ddnet-ipv6.pcap'));
const wholeTable = /\[::1\]:29911 +0\.6 +446 +446 +0 +0 +0\n/;

/** The header of a pcap file has 24 bytes, and each record its length at byte 8. */
function endOfFrame(number: number): number {
  let at = 24;
  for (let i = 0; i < number; i++) at += 16 + capture.readUInt32LE(at + 8);
  return at;
}
const head = capture.subarray(0, 24);
const [first, rest] = [capture.subarray(0, endOfFrame(400)), capture.subarray(endOfFrame(400))];

/** Time for the program to start, and to look at a file five times. */
const [startTime, lookTime] = [1500, 1000];

async function follow(path: string, change: () => Promise<void> | void, args: readonly string[] = ['checksum']) {
  writeFileSync(path, first);
  const { child, ended } = start(process.execPath, [program, ...args, '--follow', path]);
  await wait(startTime);
  await change();
  await wait(lookTime);
  child.kill('SIGINT');
  return ended;
}

describe('--follow reads a file until Ctrl-C, and then concludes', () => {
  it('that grows', async () => {
    const path = join(place.folder, 'grows.pcap');
    const { status, stdout } = await follow(path, () => appendFileSync(path, rest));
    expect(stdout).toMatch(wholeTable);
    expect(status).toBe(0);
  });

  it('that is moved, and created again under its name', async () => {
    const path = join(place.folder, 'moved.pcap');
    const { status, stdout } = await follow(path, async () => {
      renameSync(path, `${path}.1`);
      await wait(lookTime);
      writeFileSync(`${path}.new`, Buffer.concat([head, rest]));
      renameSync(`${path}.new`, path);
    });
    expect(stdout).toMatch(wholeTable);
    expect(status).toBe(0);
  });

  it('that is emptied and written again', async () => {
    const path = join(place.folder, 'emptied.pcap');
    const { stdout } = await follow(path, async () => {
      truncateSync(path);
      await wait(lookTime);
      appendFileSync(path, Buffer.concat([head, rest]));
    });
    expect(stdout).toMatch(wholeTable);
  });

  it('and finishes the file of -o', async () => {
    const [path, out] = [join(place.folder, 'o.pcap'), join(place.folder, 'o.txt')];
    await follow(path, () => appendFileSync(path, rest), ['dump', '-o', out]);
    expect(readFileSync(out, 'utf8')).toMatch(/leaves/);
  });

  it('with stats in a pipe: a line for new data, and the table at the end', async () => {
    const path = join(place.folder, 's.pcap');
    const { stdout } = await follow(path, () => appendFileSync(path, rest), ['stats']);
    expect(stdout).toMatch(
      /^0:10\.\d\d {3}1 client {3}\d+ snapshots\/s {3}\d+ items {3}[\d.]+ KB\/s {3}0 mismatched\n/,
    );
    expect(stdout).toMatch(/28,540 bytes in 786 packets, 0:18\.89, 446 snapshots\n/);
  });
});

it.skipIf(!hasTool('bash'))(
  'a pipe is read to its end after Ctrl-C (needs bash)',
  async () => {
    const path = join(place.folder, 'pipe.pcap');
    copyFileSync(samplePath('ddnet-ipv6.pcap'), path);
    const line = `(cat "${path}"; sleep 4) | timeout --foreground -s INT 2 "${process.execPath}" "${program}" checksum --follow -`;
    const { stdout } = await shell(line, { cwd: place.folder });
    expect(stdout).toMatch(wholeTable);
  },
  60_000,
);
