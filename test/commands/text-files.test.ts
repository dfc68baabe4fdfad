import { describe, expect, it } from 'vitest';
import { main } from '../../commands/index.ts';
import { fakeIo } from '../support/fake-io.ts';

const utf16 = (text: string) => Uint8Array.from(Buffer.from(`\ufeff${text}`, 'utf16le'));

const texts: Readonly<Record<string, string | Uint8Array>> = {
  'README.md': '# A mod\n\nHow to build it.\n',
  'a.c': '#include <stdio.h>\n\nint main(void) { return puts("x") < 0; }\n',
  'server.log': '[2026-01-01 10:00:00][server]: hello\n'.repeat(3),
  // The character of two bytes goes on after the first 4,096.
  'long.txt': `${'x'.repeat(4095)}é${' words'.repeat(1000)}`,
  'utf16.txt': utf16('some words\n'.repeat(500)),
};

const files = { ...texts, 'noise.bin': Uint8Array.from({ length: 5000 }, (_, i) => (i * 151 + (i >> 3)) & 255) };

const errorOf = async (...argv: string[]) => {
  const io = fakeIo({ files });
  return { status: await main(argv, io), stdout: io.stdout.text, stderr: io.stderr.text };
};

describe.each(Object.keys(texts))('%s is called text', (file) => {
  it.each(['info', 'stats', 'trace'])('by %s', async (command) => {
    const { status, stdout, stderr } = await errorOf(command, file, ...(command === 'trace' ? ['obj_flag/0.x'] : []));
    expect([status, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/^tw-snap: [^:]*: this is text, not a demo or capture; tw-snap decode reads [^\n]*\n$/);
  });

  it.each(['decode', 'dump', 'checksum', 'apply', 'export'])('by %s', async (command) => {
    const to = command === 'export' ? ['-t', 'csv', '--tables', 'kills'] : [];
    const { status, stdout, stderr } = await errorOf(command, file, ...to);
    expect([status, command === 'export' ? '' : stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/^tw-snap: [^:]*: bad_hex at 0x[\da-f]+: this is text: found .*; expected hex, a dump/);
  });
});

it('other bytes are not', async () => {
  for (const command of ['info', 'dump', 'decode'])
    expect((await errorOf(command, 'noise.bin')).stderr).not.toContain('text');
});
