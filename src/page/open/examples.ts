import wrongChecksum from '../../../samples/duplicate-key.pcap';
import delta from '../../../samples/first.huff';
import kill from '../../../scripts/build/examples/kill.demo';
import { toHex } from '../../wire/bytes/to-hex.ts';

/** A file that the page contains, to be tried. */
export interface Example {
  readonly name: string;
  readonly about: string;
  readonly file: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export const examples: readonly Example[] = [
  { name: 'a kill', about: 'two seconds of a match, to be played and followed', file: 'kill.demo', bytes: kill },
  {
    name: 'a wrong checksum',
    about: 'a capture whose snapshots differ from the server’s, and why',
    file: 'wrong-checksum.pcap',
    bytes: wrongChecksum,
  },
  { name: '25 bytes', about: 'a delta: what each of its bytes means', file: 'delta.huff', bytes: delta },
];

/** Bytes that can be pasted. */
export const pastedExample = toHex(delta);
