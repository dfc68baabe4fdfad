import { expect, it } from 'vitest';
import { maxBytes } from '../../../src/input/pasted/limits.ts';
import { run } from '../../support/run.ts';

// A few characters can stand for any number of bytes: what is beyond the limit is refused, with its place.

const decoded = (input: string) => run('decode input', { input });
const refused = (place: string) => ({
  status: 3,
  stderr: expect.stringMatching(new RegExp(`bad_hex.*${place}.*at most ${maxBytes} bytes`)),
});

it('repeated bytes of a list of gdb', async () => {
  const times = 999_999;
  const repeated = `0x0 <repeats ${times} times>, `;
  const fits = Math.floor(maxBytes / times);
  expect((await decoded(`$1 = {${repeated.repeat(fits)}0x0}`)).stderr).not.toContain('at most');
  expect(await decoded(`$1 = {${repeated.repeat(fits + 1)}0x0}`)).toMatchObject(refused('line 1'));
});

it('repeated rows of a dump', async () => {
  const row = '00 '.repeat(16);
  const dump = (address: string) => `00000000  ${row}\n*\n${address}  ${row}\n`;
  expect((await decoded(dump('00ff0000'))).stderr).not.toContain('at most');
  expect(await decoded(dump('01ff0000'))).toMatchObject(refused('line 3'));
});
