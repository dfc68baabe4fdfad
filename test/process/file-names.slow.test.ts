import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { samplePath, shell, withProgram } from '../support/program.ts';

const place = withProgram();
const demo = samplePath('vanilla-dm1.demo');
const inShell = (line: string) => shell(line, { cwd: place.folder, env: { ...process.env, DEMO: demo } });

describe.skipIf(process.platform === 'win32')('a pipe with a position in its name (needs mkfifo)', () => {
  it('FIFO@TICK is the snapshot of the recording in the pipe', async () => {
    const of = (file: string) => `tw-snap decode -t json "${file}@9322"`;
    const alone = await inShell(of('$DEMO'));
    const piped = await inShell(`mkfifo fifo; cat "$DEMO" > fifo & ${of('fifo')}`);
    expect([piped.status, piped.stdout]).toEqual([alone.status, alone.stdout]);
    expect(alone.status).toBe(0);
  });
});
