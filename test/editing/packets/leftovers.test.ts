import { describe, expect, it } from 'vitest';
import { Leftovers } from '../../../src/editing/packets/leftovers.ts';
import { file, text } from '../../support/bytes.ts';
import { description, enhanced, ethernet, ipv4, section, udp, v4 } from '../../support/capture-builder.ts';
import { captureFrames } from '../../support/capture-frames.ts';
import { serverMessage } from '../../support/made-capture.ts';
import { chunk06, packet06 } from '../../support/packet-builder.ts';
import { runWriting } from '../../support/run.ts';

const found = (texts: readonly string[], bytes: string, addresses: readonly string[] = []) => {
  const leftovers = new Leftovers(texts, new Set(addresses));
  leftovers.file(Uint8Array.from(text(bytes)));
  return leftovers.found.map(({ text }) => text);
};

describe('the final search', () => {
  it('finds names in any case, also across two pieces', () => {
    expect(found(['Sigrid42', 'Wolves'], 'xxsIGRID42xx wolf')).toEqual(['Sigrid42']);
    const leftovers = new Leftovers(['Sigrid42'], new Set());
    for (const piece of ['xxSig', 'rid', '42xx']) leftovers.file(Uint8Array.from(text(piece)));
    expect(leftovers.found).toEqual([{ text: 'Sigrid42', frame: undefined }]);
  });

  it('finds whole addresses only', () => {
    expect(found([], 'at 10.1.2.3:8303', ['10.1.2.3'])).toEqual(['10.1.2.3']);
    expect(found([], 'at 110.1.2.34', ['10.1.2.3'])).toEqual([]);
  });

  it('does not look for what every anonymised capture has', () => {
    expect(found(['player', 'player 3', 'xxxxx', 'clan'], 'player 3 of clan 1 xxxxx')).toEqual([]);
  });
});

it('nothing is written if something was found, and the exit status says so', async () => {
  // The name of the program stands in each pcapng.
  const chunk = chunk06(serverMessage('sv_chat', 0, -1, "'tw-snap' entered and joined the game"), {
    vital: true,
    sequence: 1,
  });
  const frames = [1, 2, 3].map(() => enhanced(ethernet(v4, ipv4(udp([...packet06([chunk])], 8303, 50000)))));
  const input = file(section(), description(1), ...frames);
  const { status, stdout, stderr, files } = await runWriting('edit in.pcapng --anonymise -o out.pcapng', {
    'in.pcapng': input,
  });
  expect([status, stdout, files.has('out.pcapng')]).toEqual([1, '', false]);
  expect(stderr).toContain('tw-snap is still in the bytes of the output');
  const kept = await runWriting('edit in.pcapng --anonymise --except tw-snap -o out.pcapng', { 'in.pcapng': input });
  expect([kept.status, kept.files.has('out.pcapng')]).toEqual([0, true]);
});

const tokenAtEnd = [1, 2, 3, 4];
const said = (...content: number[]) => udp([0x10, 0, 0, ...content, ...tokenAtEnd], 50000, 8303);
const answered = (...content: number[]) => udp([0x10, 0, 0, ...content], 8303, 50000);

it('the token at the end of a close is replaced as elsewhere, also after bytes that nobody reads', async () => {
  const packets = [
    udp([0x10, 0, 0, 1, ...text('TKEN'), 0xff, 0xff, 0xff, 0xff], 50000, 8303),
    answered(2, ...text('TKEN'), ...tokenAtEnd),
    said(3),
    said(4, 0, 0),
  ];
  const input = file(section(), description(1), ...packets.map((packet) => enhanced(ethernet(v4, ipv4(packet)))));
  const { files } = await runWriting('edit in.pcapng --anonymise -o out.pcapng', { 'in.pcapng': input });
  const [, , accepted, closed] = captureFrames(files.get('out.pcapng')!).map((frame) => 'data' in frame && frame.data);
  expect(accepted).toHaveLength(8);
  const token = (accepted || []).slice(-4);
  expect(token).not.toEqual(tokenAtEnd);
  expect(closed).toEqual([0x10, 0, 0, 4, 0, ...token]);
});

it('a password that is a common word may stay in other texts, not where it is the password', async () => {
  const own = chunk06(serverMessage('info', '0.6 626fce9a778df4d4', 'wrong'), { vital: true, sequence: 1 });
  const packets = [udp([...packet06([own])], 50000, 8303), answered(4, ...text('Wrong password\0'))];
  const input = file(section(), description(1), ...packets.map((packet) => enhanced(ethernet(v4, ipv4(packet)))));
  const edit = (except: string) =>
    runWriting(`edit in.pcapng --anonymise ${except} -o out.pcapng`, { 'in.pcapng': input });
  expect((await edit('')).stderr).toContain('wrong is still in packet 2 of the output');
  const { status, files } = await edit('--except wrong');
  expect(status).toBe(0);
  const written = Buffer.from(files.get('out.pcapng')!).toString('latin1');
  expect([written.includes('Wrong password'), written.includes('wrong')]).toEqual([true, false]);
});
