import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { main } from '../../commands/index.ts';
import { fakeIo } from '../support/fake-io.ts';
import { run, samplePath, withProgram } from '../support/program.ts';
import { read } from '../support/samples.ts';

const place = withProgram();
const sample = 'vanilla-dm1.demo';

/** A bundle in which a module runs before those whose values it needs has `undefined` in place of these values. */
describe('the bundled program writes the same as the sources', () => {
  it.each([
    ['slice', '--ticks', '9000..9100'],
    ['edit', '--marker', '+9000'],
  ])('%s', async (command, ...options) => {
    const path = join(place.folder, `${command}.demo`);
    await run([command, samplePath(sample), ...options, '-o', path]);
    const io = fakeIo({ files: { [sample]: read(sample) } });
    await main([command, sample, ...options, '-o', 'x.demo'], io);
    expect(readFileSync(path).equals(io.files.get('x.demo')!)).toBe(true);
  });
});

it('comes with source maps, so that the trace of a bug names places in the source', async () => {
  const broken = join(place.folder, 'broken.cjs');
  writeFileSync(broken, "JSON.stringify = () => { throw new TypeError('broken'); };");
  const { status, stderr } = await run(['decode', '-t', 'json', samplePath('first.huff')], {
    env: { ...process.env, NODE_OPTIONS: `--enable-source-maps --require=${broken}`, DEBUG: 'tw-snap' },
  });
  expect(status).toBe(3);
  expect(stderr).toMatch(
    /internal error: TypeError: broken.*src\/output\/json\/item-json\.ts:\d+.*commands\/decode\/index\.ts:\d+/s,
  );
});
