import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { main } from '../../commands/index.ts';
import { fakeIo } from './fake-io.ts';

const folder = resolve(import.meta.dirname, '../../samples');

export const names = readdirSync(folder).sort();
/** Each file with a golden beside it is a sample and has a test. */
export const samples = names.filter((name) => names.includes(`${name}.json`));

export const read = (name: string): Uint8Array => new Uint8Array(readFileSync(join(folder, name)));

/**
 * The beginnings of two samples, for tests of what any recording shows: a demo with its map, up to the end of its 401st
 * chunk (16 s, as its header says then), and the first 400 packets of a capture.
 */
export const shortDemo = (): Uint8Array => read('vanilla-dm1.demo').slice(0, 23_067).with(155, 16);
export const shortCapture = (): Uint8Array => read('ddnet-ipv6.pcap').slice(0, 48_517);

/** The expected output of `decode -t json`, from another program. */
export const golden = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));

/** Decodes bytes from standard input. */
export async function decode(bytes: Uint8Array, ...args: string[]) {
  const io = fakeIo({ stdin: bytes });
  const status = await main(['decode', ...args], io);
  return { status, stdout: io.stdout.text, stderr: io.stderr.text };
}
