import { describe, expect, it } from 'vitest';
import { readPayloadLink } from '../../../src/input/source/payload-link.ts';
import { run } from '../../support/run.ts';
import { golden, read, samples } from '../../support/samples.ts';

describe('decode --link', () => {
  const short = samples.filter(
    (name) => read(name).length <= 2048 && golden(name).encoding !== 'json' && !name.endsWith('.hex'),
  );

  it.each(short)('%s: the page reads the same bytes', async (name) => {
    const { status, stdout } = await run(`decode ${name} --link`, { [name]: read(name) });
    expect(status).toBe(0);
    const { bytes, version } = readPayloadLink(stdout.trimEnd())!;
    expect(Buffer.from(bytes)).toEqual(Buffer.from(read(name)));
    expect(version).toBe(golden(name).protocol);
  });

  it('is after the address of the site', async () => {
    const files = { 'a.demo': read('vanilla-dm1.demo') };
    const { stdout } = await run('decode a.demo@9938 --link', files, { env: { TW_SNAP_SITE: 'https://example.org/' } });
    const [site, hash] = stdout.trimEnd().split('#');
    expect(site).toBe('https://example.org/');
    const { bytes } = readPayloadLink(`#${hash}`)!;
    expect(Buffer.from(files['a.demo']).includes(Buffer.from(bytes))).toBe(true);
  });

  it.each([
    ['decode first.huff --link --base empty', '--link carries the bytes and their version, not --base'],
    ['decode first.huff --link -t json', '--link prints a link: not with -t'],
    ['decode long --link -f ints -k snapshot', 'too long for a link: 4,008 bytes, at most 2,048'],
  ])('%s', async (line, message) => {
    // A snapshot without items, and ints after it.
    const { status, stdout, stderr } = await run(line, {
      'first.huff': read('first.huff'),
      long: new Uint8Array(4008),
    });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});
