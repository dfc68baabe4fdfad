import { describe, expect, it } from 'vitest';
import { decode, golden, read, samples } from '../../support/samples.ts';
import { seeded } from '../../support/seeded.ts';

/** Samples shorter than this are cut at every length, longer ones at every 97th. */
const longFrom = 600;
const longStep = 97;
/** The number of bytes that are changed in each sample. `scripts/fuzz` causes more kinds of damage, for any time. */
const flips = 40;

describe.each(samples)('%s', (name) => {
  const whole = read(name);
  const isLong = whole.length >= longFrom;
  const { encoding, kind, protocol } = golden(name);
  const stated = kind === 'packet' ? ['-f', kind, '-p', protocol] : ['-f', encoding, '-k', kind, '-p', protocol];
  /** Fewer tables are made for long samples, because they take most of the time. */
  const tableEvery = isLong ? 16 : 2;
  let tried = 0;
  const check = (bytes: Uint8Array, what: string) =>
    readsOrReportsWhy(bytes, ['-t', tried++ % tableEvery ? 'hexdump' : 'table', ...stated], `${name}, ${what}`);

  it('is read up to its end when it is cut', async () => {
    for (let length = 1; length < whole.length; length += isLong ? longStep : 1) {
      await check(whole.subarray(0, length), `cut to ${length}`);
    }
  });

  it('is read up to the error when a byte is flipped', async () => {
    const random = seeded(0x5eed);
    for (let i = 0; i < flips; i++) {
      const bytes = whole.slice();
      const at = random() % bytes.length;
      const flip = 1 + (random() % 255);
      bytes[at]! ^= flip;
      await check(bytes, `byte ${at} ^ ${flip}`);
    }
  });
});

// A shorter beginning may be something else as well: three bytes are a delta in all protocols.
it.each(samples)('%s has its encoding and protocol recognised when at least half of it is left', async (name) => {
  const whole = read(name);
  const { encoding, kind, protocol } = golden(name);
  const half = Math.ceil(whole.length / 2);
  for (let length = half; length < whole.length; length += whole.length < longFrom ? 1 : longStep) {
    const { stdout, stderr } = await decode(whole.subarray(0, length), '-t', 'json');
    // An odd number of hex digits is not hex.
    if (/ bad_hex /.test(stderr)) continue;
    expect(JSON.parse(stdout), `cut to ${length}`).toMatchObject({ encoding, kind, protocol });
  }
});

it('reports an empty input when nothing is left', async () => {
  const { status, stdout, stderr } = await decode(new Uint8Array());
  expect([status, stdout]).toEqual([3, '']);
  expect(stderr).toContain('empty_input');
});

/** Any bytes result in an output or an error with its position: never a crash, incomplete JSON, or no output. */
async function readsOrReportsWhy(bytes: Uint8Array, asText: readonly string[], what: string): Promise<void> {
  // JSON is made for the recognised reading, text for the reading of the whole sample.
  await readsToJson(bytes, what);
  const { status, stdout, stderr } = await decode(bytes, ...asText);
  expect([0, 3], what).toContain(status);
  expect(stdout + stderr, what).not.toMatch(implausible);
  if (!/ bad_hex /.test(stderr)) expect(stdout.trim(), what).not.toBe('');
}

async function readsToJson(bytes: Uint8Array, what: string): Promise<void> {
  const { status, stdout, stderr } = await decode(bytes, '-t', 'json');
  expect([0, 3], what).toContain(status);
  expect(stdout + stderr, what).not.toMatch(implausible);
  // Text that is no longer hex contains no bytes to show.
  if (/ bad_hex /.test(stderr)) return;
  const { kind, diagnostics } = JSON.parse(stdout);
  const errors = diagnostics.filter(({ severity }: { severity: string }) => severity === 'error');
  // Each message of a packet may have its own error.
  const most = kind === 'packet' ? errors.length : 1;
  expect(errors.length, what).toBe(status === 3 ? Math.max(1, most) : 0);
  for (const { offset } of diagnostics) expect(offset, what).toBeGreaterThanOrEqual(0);
}

const implausible = /internal error|undefined|\bNaN\b|\[object/;
