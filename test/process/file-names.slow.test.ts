import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { samplePath, shell, withProgram } from '../support/program.ts';

const place = withProgram();
const demo = samplePath('vanilla-dm1.demo');
const inShell = (line: string) => shell(line, { cwd: place.folder, env: { ...process.env, DEMO: demo } });

describe('lists that checksum writes', () => {
  it.each([' a', 'a ', 'a\\b', 'a\\nb', 'a\nb', '\ta\r', 'a\\u{41}', '\u202ea', '\u2003a', 'a\\\\', '\\xe9', '-1  a'])(
    'are read again with the file name %j',
    async (name) => {
      writeFileSync(join(place.folder, name), readFileSync(samplePath('vanilla-dm1-tick9324.snapshot.packed')));
      const line = 'tw-snap checksum -- "$NAME" > list; tw-snap checksum -c list';
      const { status, stdout } = await shell(line, { cwd: place.folder, env: { ...process.env, NAME: name } });
      expect([status, stdout.endsWith(': ok\n'), stdout.split('\n').length]).toEqual([0, true, 2]);
    },
  );

  it('may have been written by others: a backslash that begins no escape is one, and so is one in the name of a file', async () => {
    const bytes = readFileSync(samplePath('vanilla-dm1-tick9324.snapshot.packed'));
    for (const name of ['x\\y', 'x\\n']) writeFileSync(join(place.folder, name), bytes);
    const line = `sum=$(tw-snap checksum 'x\\y' | cut -c1-11); printf '%s  %s\\n' "$sum" 'x\\y' "$sum" 'x\\n' | tw-snap checksum -c -`;
    const { status, stdout } = await inShell(line);
    expect([status, stdout]).toEqual([0, 'x\\\\y: ok\nx\\\\n: ok\n']);
  });
});

describe.skipIf(process.platform === 'win32')('a pipe with a position in its name (needs mkfifo)', () => {
  it('FIFO@TICK is the snapshot of the recording in the pipe', async () => {
    const of = (file: string) => `tw-snap decode -t json "${file}@9322"`;
    const alone = await inShell(of('$DEMO'));
    const piped = await inShell(`mkfifo fifo; cat "$DEMO" > fifo & ${of('fifo')}`);
    expect([piped.status, piped.stdout]).toEqual([alone.status, alone.stdout]);
    expect(alone.status).toBe(0);
  });
});
