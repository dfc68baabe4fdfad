import { describe, expect, it } from 'vitest';
import { CaptureReplay } from '../../../src/recording/capture/capture-replay.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { intsOfText, textOfInts } from '../../../src/wire/protocol/texts.ts';
import { type Bytes, file, text } from '../../support/bytes.ts';
import {
  block,
  description,
  enhanced,
  ethernet,
  ipv4,
  ipv6,
  option,
  section,
  udp,
  v4,
  v6,
} from '../../support/capture-builder.ts';
import { snapshotMessage } from '../../support/made-capture.ts';
import { chunk06, control06, ints, packet06 } from '../../support/packet-builder.ts';
import { messageOf } from '../../support/recording.ts';
import { runWriting } from '../../support/run.ts';

/*
 * A capture in which one player's name, clan, address and secrets are wherever they can be: what is left of them in the
 * result is searched by code of its own, in all packets after decompression, in the texts of snapshots, in the file.
 */

const name = 'Sigrid42';
const oldName = 'Sigi the Old';
const clan = 'Wolfpack';
const secrets = ['hunter2pw', 'timeoutcode9', 'rconhunter2', 'Sigrids Keller', 'sigrid@mail.example', 'Bergstrasse'];
const addresses = { client: [192, 168, 77, 21], server: [192, 168, 77, 5] };
const message = (kind: string, ...values: (number | string)[]) => messageOf('0.6', kind, values);
const clientInfo = (text: string, own: string) => ({ name: text, clan: own, skin: 'default' });

interface Sent {
  readonly up?: boolean;
  readonly bytes: Uint8Array;
}

/** What two ends send: each vital message once and, every third, again. */
function sent(): Sent[] {
  const sequence = { up: 0, down: 0 };
  const all: Sent[] = [{ up: true, bytes: control06(1) }, { bytes: control06(2) }, { up: true, bytes: control06(3) }];
  const vital = (up: boolean, ...messages: Bytes[]) => {
    for (const own of messages) {
      const number = ++sequence[up ? 'up' : 'down'];
      all.push({
        up,
        bytes: packet06([chunk06(own, { vital: true, sequence: number })], { compressed: number % 2 === 0 }),
      });
      if (number % 3 === 0)
        all.push({
          up,
          bytes: packet06([chunk06(own, { vital: true, resend: true, sequence: number })], { resend: true }),
        });
    }
  };
  vital(true, message('info', '0.6 626fce9a778df4d4', secrets[0]!));
  vital(false, message('map_change', `${name}s_map`, 1, 2), message('con_ready'));
  vital(true, message('cl_startinfo', oldName, clan, 5, 'default', 0, 0, 0), message('enter_game'));
  vital(true, message('cl_changeinfo', name, clan, 5, `skin_${name}`, 0, 0, 0));
  vital(true, message('cl_say', 0, `/timeout ${secrets[1]}`), message('cl_say', 0, `I am ${name} of ${secrets[5]}`));
  vital(false, message('sv_chat', 0, -1, `'${oldName}' changed name to '${name}'`));
  vital(false, message('sv_chat', 0, 0, `mail ${secrets[4]}, ${name.toUpperCase()}`), message('sv_motd', secrets[3]!));
  vital(false, message('sv_broadcast', `${name} has the flag`), message('sv_voteset', 20, `kick ${name}`, secrets[5]!));
  vital(false, message('sv_voteoptionadd', `map ${secrets[3]}`), message('sv_voteoptionremove', secrets[3]!));
  vital(true, message('rcon_auth', name, secrets[2]!, 1), message('rcon_cmd', `kick ${name} ${secrets[5]}`));
  vital(true, message('cl_callvote', 'kick', '0', secrets[5]!));
  vital(
    false,
    message('rcon_line', `${name} is at 192.168.77.21:50123`),
    message('rcon_cmd_add', name, secrets[5]!, ''),
  );
  // A message that no table has, and one that its packet cuts.
  vital(false, [...ints(60 << 1), ...text(`${name}\0`)]);
  all.push({ bytes: packet06([chunk06(message('sv_motd', secrets[3]!), { size: 900 })]) });
  // A packet with bytes after its chunks.
  all.push({ bytes: packet06([chunk06(message('sv_motd', 'x'))], { excess: text(secrets[5]!) }) });
  const items = (x: number, own = name) =>
    [
      ['obj_client_info', 0, clientInfo(own, clan)],
      ['obj_player_info', 0, { client_id: 0 }],
      ['obj_character', 0, { x, y: 32 }],
    ] as const;
  for (const [tick, own] of [
    [10, oldName],
    [12, name],
    [14, name],
  ] as const)
    all.push({ bytes: packet06([chunk06(snapshotMessage(tick, ...items(tick, own)))]) });
  // On a base that was never sent, with the name in its difference.
  const difference = ints(0, 1, 0, 11, 0, ...intsOfText(name, 4)!, ...new Array(13).fill(0));
  all.push({
    bytes: packet06([chunk06([...ints((7 << 1) | 1, 16, 3, 0, difference.length), ...difference])]),
  });
  // Information about the server, and a packet of another program.
  const connless = (...texts: string[]) => Uint8Array.from([...new Array(10).fill(0xff), ...text(texts.join(''))]);
  const fields = [
    '5',
    '0.6.4',
    `${secrets[3]}`,
    `${name}s_map`,
    'DM',
    '0',
    '1',
    '8',
    '1',
    '8',
    name,
    clan,
    '-1',
    // A score, of which the games read 3.
    `3 ${name}`,
    '1',
  ];
  all.push({ bytes: connless('inf3', ...fields.map((field) => `${field}\0`)) });
  all.push({ bytes: connless('lis2', name) });
  all.push({ bytes: Uint8Array.from(text(`GET /${name}`)) });
  all.push({ up: true, bytes: Uint8Array.from([...control06(4), ...text(`bye ${name}\0`)]) });
  return all;
}

const ports = { client: 50123, server: 8303 };

/** A pcapng with names in its comments, interfaces and blocks, and in what no datagram has. */
function capture(link: 'ethernet' | 'vlan' | 'v6' | 'fragments' | 'raw'): Uint8Array {
  const v6Of = (ip: Bytes) => [0xfd, ...new Array(11).fill(7), ...ip];
  const comment = option(1, text(`joined: ${name}`));
  const frames = sent().flatMap(({ up = false, bytes }, id) => {
    const [from, to] = up ? (['client', 'server'] as const) : (['server', 'client'] as const);
    const datagram = udp([...bytes], ports[from], ports[to]);
    const ends = { source: addresses[from], destination: addresses[to] };
    const packets = (): Bytes[] => {
      if (link === 'v6')
        return [ethernet(v6, ipv6(datagram, { source: v6Of(ends.source), destination: v6Of(ends.destination) }))];
      if (link === 'vlan') return [ethernet(v4, ipv4(datagram, ends), 0x8100)];
      if (link === 'raw') return [ipv4(datagram, { ...ends, options: [7, 7, 4, ...addresses.client, 0] })];
      if (link === 'fragments' && datagram.length > 32) {
        const head = ipv4(datagram.slice(0, 24), { ...ends, id, more: true });
        return [ethernet(v4, head), ethernet(v4, ipv4(datagram.slice(24), { ...ends, id, offset: 24 }))];
      }
      // Ethernet pads; what is there is nobody's.
      return [[...ethernet(v4, ipv4(datagram, ends)), ...text(secrets[5]!)]];
    };
    return packets().map((packet) => enhanced(packet, { options: [...comment, ...option(0, [])] }));
  });
  return file(
    section(),
    description(link === 'raw' ? 101 : 1, [...option(3, text(`card of ${name}`)), ...option(0, [])]),
    block(4, [...text(`1.2.3.4 ${name}`), 0, 0, 0]),
    ...frames,
    link === 'raw' ? [] : enhanced(ethernet(0x0806, text(`arp ${name}`)), {}),
  );
}

/** All that a reader can see of a capture: packets after decompression, and the texts of snapshots. */
function visible(bytes: Uint8Array): string {
  const seen: string[] = [Buffer.from(bytes).toString('latin1')];
  const replay = new CaptureReplay({ parts: true });
  for (const entries of [replay.feed(bytes), replay.finish()]) {
    for (const entry of entries) {
      if (entry.record === 'packet') seen.push(Buffer.from(entry.packet?.payload ?? entry.bytes).toString('latin1'));
      if (entry.record === 'connection') seen.push(entry.stream.client, entry.stream.server);
      if (entry.record !== 'snapshot' || !entry.snapshot) continue;
      for (const { data } of entry.snapshot)
        for (let at = 0; at < data.length; at++) seen.push(textOfInts(data, at, data.length - at) ?? '');
    }
  }
  return seen.join('\n').toLowerCase();
}

describe.each(['ethernet', 'vlan', 'v6', 'fragments', 'raw'] as const)('a name in a capture of %s', (link) => {
  it('is in no form in the anonymised one', async () => {
    const input = capture(link);
    const before = visible(input);
    const wanted = [name, oldName, clan, ...secrets, '192.168.77'];
    for (const word of wanted) expect(before, word).toContain(word.toLowerCase());
    const { status, stderr, stdout, files } = await runWriting('edit in.pcapng --anonymise -o out.pcapng', {
      'in.pcapng': input,
    });
    expect([status, stderr]).toEqual([0, '']);
    const after = visible(files.get('out.pcapng')!);
    for (const word of wanted) expect(after, word).not.toContain(word.toLowerCase());
    expect(stdout).toContain('left out:');
    // What a server says of itself and of who comes is still readable.
    expect(after).toContain("' changed name to '");
  });
});

describe('an anonymised capture', () => {
  const rebuilt = (bytes: Uint8Array) => {
    const replay = new CaptureReplay();
    const all: { tick: number; verdict: string; name: string | undefined; x: number }[] = [];
    for (const entries of [replay.feed(bytes), replay.finish()])
      for (const entry of entries) {
        if (entry.record !== 'snapshot') continue;
        const { tick, verdict, snapshot } = entry;
        const type = (of: string) => protocolOf('0.6').byName(of)!.type!;
        const at = (of: string) => snapshot!.item(snapshot!.find(type(of), 0));
        all.push({
          tick,
          verdict,
          name: snapshot && textOfInts(at('obj_client_info'), 0, 4),
          x: snapshot ? at('obj_character')[1]! : 0,
        });
      }
    return all;
  };

  it('has the same snapshots with pseudonyms and right sums, and none without its base', async () => {
    const input = capture('ethernet');
    const { files } = await runWriting('edit in.pcapng --anonymise -o out.pcapng', { 'in.pcapng': input });
    const [before, after] = [rebuilt(input), rebuilt(files.get('out.pcapng')!)];
    expect(before.map(({ verdict }) => verdict)).toEqual(['ok', 'ok', 'ok', 'missing_base']);
    expect(after).toEqual([
      { ...before[0], name: expect.stringMatching(/^player \d+$/) },
      { ...before[1], name: expect.stringMatching(/^player \d+$/) },
      { ...before[2], name: after[1]!.name },
    ]);
    expect(after[0]!.name).not.toBe(after[1]!.name);
  });

  it('keeps a name, gives one another, leaves out messages', async () => {
    const line = `edit in.pcapng --anonymise --except ${name} --rename ${clan}=Herd --strip chat -o out.pcapng`;
    const { status, files, stdout } = await runWriting(line, { 'in.pcapng': capture('ethernet') });
    expect(status).toBe(0);
    const out = files.get('out.pcapng')!;
    expect(rebuilt(out).map(({ name }) => name)).toEqual([expect.stringMatching(/^player/), name, name]);
    expect(stdout).toMatch(/left out: .*\d+ sv_chat/);
    expect(visible(out)).toContain('herd');
    expect(visible(out)).not.toContain('changed name');
  });

  it('has one address for each, in one network as before, and the order of ports', async () => {
    const { files } = await runWriting('edit in.pcapng --anonymise -o out.pcapng', {
      'in.pcapng': capture('ethernet'),
    });
    const replay = new CaptureReplay();
    for (const entries of [replay.feed(files.get('out.pcapng')!), replay.finish()]) for (const _ of entries);
    const { client, server } = replay.streams[0]!;
    const [a, b] = [client, server].map((end) => end.split(/[.:]/).map(Number));
    expect(a!.slice(0, 3)).toEqual(b!.slice(0, 3));
    // 21 and 5 differ from their fourth bit on.
    expect((a![3]! ^ b![3]!) >> 4).toBe((21 ^ 5) >> 4);
    expect(a![4]).toBeGreaterThan(b![4]!);
  });

  it.each([
    ['in.pcapng -o out.pcapng', 'a capture is only edited with --anonymise'],
    ['in.pcapng --anonymise --map none -o out.pcapng', '--map is for demos'],
    ['in.pcapng --anonymise --except nobody -o out.pcapng', '--except: nobody has the name nobody'],
    ['in.pcapng --anonymise -o -', 'name a file with -o'],
  ])('%s is refused', async (line, reason) => {
    const { status, stderr } = await runWriting(`edit ${line}`, { 'in.pcapng': capture('raw') });
    expect([status, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });
});
