import { describe, expect, it } from 'vitest';
import { main } from '../../../commands/index.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { bytes } from '../../support/readers.ts';

/** Payloads that 2.0.0 read wrong, with what they are. */
const first =
  '11 aa 7f ab 7f bd c1 8e 06 25 00 01 00 0a 00 a8 7f b0 ce 86 03 91 11 00 80 02 00 00 00 40 00 00 b0 ce 86 03 90 11 00 00 0a 00 0a 01 00 00 00';

async function decoded(hex: string, ...options: string[]) {
  const io = fakeIo({ files: { file: bytes(hex) } });
  const status = await main(['decode', 'file', '-t', 'json', ...options], io);
  return { status, said: io.stderr.text, json: JSON.parse(io.stdout.text || 'null') };
}

describe('a bare message is read as what it is, with the version alone', () => {
  it('the first snap_single of the documentation of 0.7: its checksum matches', async () => {
    const { status, said, json } = await decoded(first, '-p', '0.7');
    expect([status, json.kind, json.name]).toEqual([0, 'message', 'snap_single']);
    expect(json.fields.tick).toBe(8170);
    expect(said).not.toContain('also possible');
  });

  it.each([
    ['0.6', '13 90 03 05', 'input_timing'],
    ['0.7', '15 83 84 01 10', 'input_timing'],
    ['0.6', '14 1d 06', 'sv_emoticon'],
    ['0.5', '06 00 0a 68 65 6c 6c 6f 00', 'sv_chat'],
    ['0.5', '08 0d 0e 03 b4 0a', 'sv_killmsg'],
    ['0.5', '05 73 38 39 00 a6 35', 'map_change'],
    ['0.5', '11 b6 3e 9b 3f', 'input_timing'],
  ])('%s %s: %s', async (version, hex, name) => {
    const { status, json } = await decoded(hex, '-p', version);
    expect([status, json.kind, json.name]).toEqual([0, 'message', name]);
  });
});

describe('an announced checksum that is wrong', () => {
  const wrong = first.replace('bd c1 8e 06', 'bd c1 8e 07');
  const files = { message: bytes(wrong) };
  it.each([
    ['decode', 'message', '-k', 'message'],
    ['checksum', 'message', '-f', 'message'],
    ['apply', 'empty', 'message', '-f', 'message'],
    ['diff', 'empty', 'message', '-f', 'message'],
    ['explain', 'empty', 'message', '-f', 'message'],
    ['report', 'message', '-k', 'message'],
  ])('is a finding of %s', async (...args) => {
    const io = fakeIo({ files });
    expect(await main([...args, '-p', '0.7'], io)).toBe(1);
    expect(io.stderr.text).toContain('announced');
  });

  it('is a diagnostic in JSON', async () => {
    const { status, json } = await decoded(wrong, '-p', '0.7', '-k', 'message');
    expect([status, json.diagnostics[0].code]).toEqual([1, 'wrong_checksum']);
  });
});

it('the delta of a first snapshot is a snapshot for diff and --base', async () => {
  const io = fakeIo({ files: { message: bytes(first) } });
  expect(await main(['diff', 'empty', 'message', '-f', 'message', '-p', '0.7', '-t', 'json'], io)).toBe(1);
  expect(JSON.parse(io.stdout.text).added).toMatchObject([{ name: 'obj_character' }]);
});

it('a close whose reason has no NUL is a packet without doubt: the reason is a text', async () => {
  const bytes = Buffer.from('\x10\0\0\x04The server is full', 'latin1').toString('hex');
  const { status, said } = await decoded(bytes);
  expect(status).toBe(0);
  expect(said).toContain('read as packet · 0.6');
  expect(said).not.toContain('also possible');
});

describe('damaged bytes', () => {
  it('of a message that is whole in the other version are in doubt: the first byte of an input_timing of 0.6', async () => {
    const { status, said } = await decoded('13');
    expect(status).toBe(0);
    expect(said).toContain('read as message · 0.7; also possible: ');
    expect(said).toContain('message · 0.6 (-k message -p 0.6)');
  });

  it('of a snap_single of 0.7 are no connect with 181 chunks: zeros in the middle are no padding', async () => {
    const cut =
      '11 ba b5 01 02 a4 8b 0f 36 00 02 00 0a 01 02 00 5b 00 fc 07 5e 00 00 00 00 02 00 00 00 00 00 00 00 00 00 00 00 0a 02 03 49 4f';
    const { status, said, json } = await decoded(cut);
    expect([status, json.protocol, json.name]).toEqual([3, '0.7', 'snap_single']);
    expect(said).toContain('truncated_message');
  });

  it('that one version takes to the end with ints left over are undecided beside the other', async () => {
    // The one item has more ints in 0.7 than in 0.6.
    const damaged = '00 01 00 8a e8 01 00 06 00 00 00 00 47 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00';
    const { status, said, json } = await decoded(damaged);
    expect(status).toBe(3);
    expect(json.diagnostics.at(-1).code).toBe('undecided');
    expect(said).toContain('packed · delta · 0.7');
    expect((await decoded(damaged, '-p', '0.7', '-k', 'delta', '-f', 'packed')).json.diagnostics).not.toContainEqual(
      expect.objectContaining({ code: 'undecided' }),
    );
  });

  it('that end in the head of a delta are undecided beside a packet that is too short', async () => {
    const { status, said } = await decoded('04 00 00');
    expect(status).toBe(3);
    expect(said).toContain('undecided at 0x0003: the delta ends early (read 3 of 7 ints)');
    expect(said).toContain('packet 0.7 (truncated_packet)');
  });

  it('of a compressed close are a packet: Teeworlds before 0.6.5 and DDNet before 19.4 compress its reason', async () => {
    const { status, said, json } = await decoded('90 03 00 9e e6 72 2d d4 51 73 71 02 27 56 dc 00');
    expect([status, json.protocol]).toEqual([0, '0.6']);
    expect(said).not.toContain('undecided');
  });

  it('with 256 chunks, of which the one byte of their number is 0, are a packet', async () => {
    // 0.6: flags, ack, number of chunks; then chunks of 2 bytes, which are not vital.
    const chunks = (count: number) =>
      `00 00 ${(count & 0xff).toString(16).padStart(2, '0')} ${'00 02 17 00 '.repeat(count)}`;
    const { said } = await decoded(chunks(256));
    expect(said).toContain('packet · 0.6');
    expect((await decoded(chunks(256))).json.diagnostics.at(-1).message).toContain(
      '1,024 bytes after the last chunk (256 whole chunks)',
    );
  });

  it('of a snapshot in memory are no delta, though its size is no multiple of 4', async () => {
    // data_size 15, one item at 0, its key with the type 0x8000, two ints, and three bytes.
    const memory = '0f 00 00 00 01 00 00 00 00 00 00 00 01 09 00 80 1b 13 00 3c 16 13 1a 2c 02 00 00';
    const { status, json } = await decoded(memory);
    expect([status, json.kind]).toEqual([3, 'snapshot']);
    expect(json.diagnostics.map(({ code }: { code: string }) => code)).toEqual(['invalid_key', 'ints_not_aligned']);
  });

  it('of which two are left are a message, in doubt beside a control packet that is cut', async () => {
    const { status, said } = await decoded('04 00', '-p', '0.7');
    expect(status).toBe(0);
    expect(said).toContain('read as message · 0.7; also possible: ');
    expect(said).toContain('packet · 0.7 (-k packet -p 0.7)');
  });

  it('of a text cost only the characters that they damage', async () => {
    // "1' has left the game (Dropping debug dummy)" with one byte that is no UTF-8.
    const text =
      '0600402744656275672064756d6d792031342720686173a06c656674207468652067616d65202844726f7070696e672064656275672064756d6d792900';
    const { said, json } = await decoded(text, '-p', '0.6');
    expect([json.kind, json.name]).toEqual(['message', 'sv_chat']);
    expect(said).toContain('message · 0.6');
  });

  it('of an input of 0.6 are no connectionless packet of 0.7, which begins with the same byte', async () => {
    const { status, said } = await decoded('21 be 9e 01 81 9f 01 28 40 da 05 a6 01');
    expect(status).toBe(3);
    expect(said).toContain('unrecognised');
  });
});
