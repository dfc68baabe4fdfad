import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { samplePath, shell, withProgram } from '../support/program.ts';

const place = withProgram();
const demo = samplePath('vanilla-dm1.demo');
const inShell = (line: string) => shell(line, { cwd: place.folder, env: { ...process.env, DEMO: demo } });

// Other systems refuse such names, or change the arguments.
describe.skipIf(process.platform !== 'linux')('names of files that are not UTF-8 (needs Linux)', () => {
  const latin = Buffer.from('caf\xe9.demo', 'latin1');
  const nameIn = Buffer.concat([Buffer.from('/'), latin]);
  const shown = 'caf\\xe9.demo';

  it('are reached as arguments, with a tick, in folders, in threads, in lists and as outputs', async () => {
    writeFileSync(Buffer.concat([Buffer.from(place.folder), nameIn]), readFileSync(demo));
    const alone = await inShell('tw-snap checksum "$DEMO"');
    const lines = alone.stdout.replaceAll(demo, shown);
    const results = await Promise.all(
      [
        "tw-snap checksum $'caf\\xe9.demo'",
        'tw-snap checksum .',
        'tw-snap checksum --jobs 2 . "$DEMO"',
        "tw-snap checksum $'caf\\xe9.demo@last'",
        "printf 'caf\\xe9.demo\\n' | tw-snap export --files-from - --tables kills -t csv",
        "tw-snap slice $'caf\\xe9.demo' --ticks 9000..9100 -o $'cut\\xfe'",
      ].map(inShell),
    );
    expect(results.map(({ status }) => status)).toEqual([0, 0, 0, 0, 0, 0]);
    const [named, folder, threads, tick, listed] = results.map(({ stdout }) => stdout);
    expect(named).toBe(lines);
    expect(folder).toBe(lines.replaceAll(shown, `./${shown}`));
    expect(threads).toBe(folder + alone.stdout);
    expect(tick).toBe(lines.trimEnd().split('\n').at(-1)!.replace(/@\d+$/, '@last\n'));
    expect(listed).toContain(`\n${shown},`);
    const names = readdirSync(place.folder, { encoding: 'buffer' }).map((name) => name.toString('latin1'));
    expect(names).toContain('cut\xfe');
  }, 60_000);

  it('are checked by a list of checksum', async () => {
    const { status, stdout } = await inShell("tw-snap checksum $'caf\\xe9.demo' > list; tw-snap checksum -c list");
    expect([
      status,
      new Set(
        stdout
          .trimEnd()
          .split('\n')
          .map((line) => line.replace(/@\d+/, '')),
      ),
    ]).toEqual([0, new Set([`${shown}: ok`])]);
  });
});

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
