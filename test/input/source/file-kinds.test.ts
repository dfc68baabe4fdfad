import { describe, expect, it } from 'vitest';
import { otherFileKind } from '../../../src/input/source/file-kinds.ts';
import { names, read } from '../../support/samples.ts';

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const padded = (text: string) => latin1(text.padEnd(512, '\0'));

/** Beginnings as the formats' documents have them. */
const beginnings: readonly (readonly [what: string, first: Uint8Array])[] = [
  ['Source 2', padded('PBDEMS2\0\xc5\x9f\x19\0')],
  ['Source game', padded('HL2DEMO\0\x04\0\0\0')],
  ['GoldSrc', padded('HLDEMO\0\0\x05\0\0\0')],
  ['Quake 3', padded(`\x01\0\0\0\x00\x08\0\0${'5'.repeat(2048)}\x02\0\0\0\x20\0\0\0`)],
  ['web page', latin1('\xef\xbb\xbf<!DOCTYPE html>\n<html lang="en">')],
  ['web page', latin1('<html><head><title>404</title>')],
  ['JSON of an error', latin1('{"message": "Not Found", "status": "404"}')],
  ['XML of an error', latin1('<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code></Error>')],
  ['with 1,234,567 bytes', latin1('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1234567\n')],
  ['7z archive', padded('7z\xbc\xaf\x27\x1c\0\x04')],
  ['rar archive', padded('Rar!\x1a\x07\x01\0')],
  ['tar archive', padded(`${'demos/a.demo'.padEnd(257, '\0')}ustar`)],
  ['SQLite', padded('SQLite format 3\0')],
  ['crash dump', padded('MDMP\x93\xa7')],
  ['core dump', padded(`\x7fELF\x02\x01\x01${'\0'.repeat(9)}\x04\0`)],
  ['video or sound (MP4)', padded('\0\0\0\x20ftypisom')],
  ['picture (JPEG)', padded('\xff\xd8\xff\xe0')],
  ['picture (WebP)', padded('RIFF\x24\0\0\0WEBPVP8 ')],
  ['configuration', latin1('cl_predict 1\nbind f "+fire"\n')],
  ['torrent', latin1('d8:announce35:udp://tracker')],
  ['Finder', padded('\0\x05\x16\x07\0\x02\0\0')],
  // Written by editcap -F of modpcap, netmon1, ngsniffer, ngwsniffer_2_0 and observer.
  ['modified tcpdump', padded('\x34\xcd\xb2\xa1\x02\0\x04\0')],
  ['modified tcpdump', padded('\xa1\xb2\xcd\x34\0\x02\0\x04')],
  ['Network Monitor', padded('RTSS\x01\x01')],
  ['Sniffer', padded('TRSNIFF data    \x1a')],
  ['Sniffer', padded('XCP\x00002.001')],
  ['Observer', padded('ObserverPktBufferVersion=15.00')],
  // Written by objcopy -O ihex and -O srec.
  ['objcopy -I ihex', latin1(':0A000000000300060000010A009B47\r\n:00000001FF\r\n')],
  ['objcopy -I srec', latin1('S00C0000736E61702E7372656366\nS10D0000000300060000010A009B43\n')],
  ['map', padded('DATA\x04\0\0\0')],
];

describe('a file of another kind', () => {
  it.each(beginnings)('%s', (what, first) => expect(otherFileKind(first)).toContain(what));
});

it('no sample is taken for one', () => {
  const files = names.filter((name) => !/\.(?:map|json|md|py|png)$/.test(name));
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((name) => otherFileKind(new Uint8Array(read(name))) !== undefined)).toEqual([]);
});
