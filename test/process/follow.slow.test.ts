import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { mapChange, serverCapture, serverMessage } from '../support/made-capture.ts';
import { program, samplePath, start, until, withProgram } from '../support/program.ts';

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

const wholeStats = /28,540 bytes in 786 packets, 0:18\.89, 446 snapshots\n/;

type Change = (child: ChildProcess) => Promise<void> | void;

/** Whether a process has opened the file that has this name now. */
function hasOpen({ pid }: ChildProcess, path: string): boolean {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).some((name) => {
    try {
      return readlinkSync(join(folder, name)) === path;
    } catch {
      return false;
    }
  });
}

const firstLine = ({ stdout }: ChildProcess) => once(stdout!, 'data');

/** Ctrl-C is handled before the file is opened, and a file is read to its end after Ctrl-C. */
async function follow(path: string, change: Change, args: readonly string[] = ['checksum']) {
  writeFileSync(path, first);
  const { child, ended } = start(process.execPath, [program, ...args, '--follow', path]);
  await until(() => hasOpen(child, path));
  await change(child);
  child.kill('SIGINT');
  return ended;
}

describe.skipIf(!existsSync('/proc/self/fd'))(
  '--follow reads a file until Ctrl-C, and then concludes (needs /proc)',
  () => {
    it('that grows', async () => {
      const path = join(place.folder, 'grows.pcap');
      const { status, stdout } = await follow(path, () => appendFileSync(path, rest));
      expect(stdout).toMatch(wholeTable);
      expect(status).toBe(0);
    });

    it('that is moved, and created again under its name', async () => {
      const path = join(place.folder, 'moved.pcap');
      const { status, stdout } = await follow(path, async (child) => {
        renameSync(path, `${path}.1`);
        writeFileSync(`${path}.new`, Buffer.concat([head, rest]));
        renameSync(`${path}.new`, path);
        await until(() => hasOpen(child, path));
      });
      expect(stdout).toMatch(wholeTable);
      expect(status).toBe(0);
    });

    it('that is emptied and written again', async () => {
      const path = join(place.folder, 'emptied.pcap');
      const again = Buffer.concat([head, rest]);
      // A file that is shorter than the part that was read was truncated.
      expect(again.length).toBeLessThan(first.length);
      const { stdout } = await follow(
        path,
        async (child) => {
          await firstLine(child);
          writeFileSync(path, again);
        },
        ['stats'],
      );
      expect(stdout).toMatch(wholeStats);
    });

    it('and finishes the file of -o', async () => {
      const [path, out] = [join(place.folder, 'o.pcap'), join(place.folder, 'o.txt')];
      await follow(path, () => appendFileSync(path, rest), ['dump', '-o', out]);
      expect(readFileSync(out, 'utf8')).toMatch(/leaves/);
    });

    it('with dump: a line is printed although no packet comes after its own', async () => {
      const path = join(place.folder, 'last.pcap');
      const whole = serverCapture([
        [50001, mapChange('dm1')],
        [50001, serverMessage('sv_chat', 0, -1, 'the last words')],
      ]);
      writeFileSync(path, whole.subarray(0, -20));
      const { child, ended } = start(process.execPath, [program, 'dump', '--follow', path]);
      await until(() => hasOpen(child, path));
      let printed = '';
      child.stdout!.on('data', (data) => {
        printed += data;
      });
      appendFileSync(path, whole.subarray(-20));
      await until(() => printed.includes('the last words'));
      child.kill('SIGINT');
      expect((await ended).status).toBe(0);
    });

    it('with stats in a pipe: a line for new data, and the table at the end', async () => {
      const path = join(place.folder, 's.pcap');
      const { stdout } = await follow(
        path,
        async (child) => {
          await firstLine(child);
          appendFileSync(path, rest);
        },
        ['stats'],
      );
      expect(stdout).toMatch(
        /^0:10\.\d\d {3}1 client {3}\d+ snapshots\/s {3}\d+ items {3}[\d.]+ KB\/s {3}0 mismatched\n/,
      );
      expect(stdout).toMatch(wholeStats);
    });
  },
);

it('a pipe whose writer goes on ends with Ctrl-C, and what was written is read', async () => {
  const { child, ended } = start(process.execPath, [program, 'stats', '--follow', '-'], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin!.write(capture);
  await firstLine(child);
  child.kill('SIGINT');
  expect((await ended).stdout).toMatch(wholeStats);
});
