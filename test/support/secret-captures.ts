import { DemoWriter } from '../../src/recording/container/demo/demo-writer.ts';
import { encode } from '../../src/wire/payload/encoding-layers.ts';
import type { Version } from '../../src/wire/protocol/registry.ts';
import { type Bytes, file } from './bytes.ts';
import { ethernet, ipv4, netlogOf, pcapHeader, pcapRecord, udp, v4 } from './capture-builder.ts';
import { demoFile } from './demo-builder.ts';
import { snapshotMessage } from './made-capture.ts';
import { chunk06, chunk07, control06, packet06, packet07 } from './packet-builder.ts';
import { messageBytes, messageOf, Recording } from './recording.ts';

/** What a player and an admin typed, and the server's log has again. */
export const secrets: readonly string[] = ['hunter2-server', 'hunter2-rcon', 'hunter2-line'];
const [ofServer, ofRcon, ofLine] = secrets as [string, string, string];

interface Sent {
  readonly isUp: boolean;
  readonly message: Bytes;
}

/**
 * A player who joins with a password, signs in as admin, and sets one; the server's log has the line again, as the
 * games' servers write it.
 */
function sentIn(version: Version): readonly Sent[] {
  const up = (name: string, ...values: (number | string)[]): Sent => ({
    isUp: true,
    message: messageOf(version, name, values),
  });
  const down = (name: string, ...values: (number | string)[]): Sent => ({
    isUp: false,
    message: messageOf(version, name, values),
  });
  const is06 = version === '0.6';
  return [
    up('info', is06 ? '0.6 626fce9a778df4d4' : '0.7 802f1be60a05665f', ofServer, ...(is06 ? [] : [0x0705])),
    is06 ? down('map_change', 'dm1', 1, 2) : down('rcon_auth_on'),
    up('ready'),
    down('con_ready'),
    up('enter_game'),
    is06 ? up('rcon_auth', 'admin', ofRcon, 1) : up('rcon_auth', ofRcon),
    up('rcon_cmd', `sv_rcon_password ${ofLine}`),
    down('rcon_line', `ClientID=0 rcon='sv_rcon_password ${ofLine}'`),
  ];
}

/** UDP payloads with their direction; every second one is compressed. */
function packetsOf(version: Version): readonly { isUp: boolean; packet: Uint8Array }[] {
  const is06 = version === '0.6';
  const [chunkOf, packetOf] = is06 ? [chunk06, packet06] : [chunk07, packet07];
  const sequences = { up: 0, down: 0 };
  const said = sentIn(version).map(({ isUp, message }, i) => {
    const sequence = ++sequences[isUp ? 'up' : 'down'];
    const chunk = chunkOf(message, { vital: true, sequence });
    return { isUp, packet: packetOf([chunk], { compressed: i % 2 === 1 }) };
  });
  if (!is06) return said;
  const snapshots = [2, 4, 6].map((tick) => ({ isUp: false, packet: packet06([chunk06(snapshotMessage(tick))]) }));
  return [
    { isUp: true, packet: control06(1) },
    { isUp: false, packet: control06(2) },
    ...said,
    ...snapshots,
    { isUp: true, packet: control06(4) },
  ];
}

/** A capture of such a player, on ports of its own. */
export function secretCapture(version: Version): Uint8Array {
  const [client, server] = version === '0.6' ? [50006, 8306] : [50007, 8307];
  const frames = packetsOf(version).map(({ isUp, packet }) => {
    const [from, to] = isUp ? [client, server] : [server, client];
    return ethernet(v4, ipv4(udp([...packet], from, to)));
  });
  return file(pcapHeader(), ...frames.map((frame, i) => pcapRecord(frame, { fraction: 1000 * i })));
}

/** The packets of a direction, as one of the games logs what it receives. */
export const secretNetlog = (version: Version): Uint8Array => netlogOf(packetsOf(version).map(({ packet }) => packet));

/** A demo that a server recorded, with what its console printed to an admin. */
export function secretDemo(): Uint8Array {
  const lines = secrets.map((secret) => messageBytes('0.6', 'rcon_line', [`rcon='sv_rcon_password ${secret}'`]));
  const snapshots = new Recording('0.6')
    .tick(2)
    .snapshot(['obj_game_info', 0])
    .tick(4)
    .snapshot(['obj_game_info', 0]).records;
  const bytes = snapshots.flatMap((record) =>
    record.record === 'snapshot' ? [encode(record.snapshot!, 'huffman')] : [],
  );
  const head = new DemoWriter(4);
  head.header({
    version: 4,
    netVersion: '0.6 626fce9a778df4d4',
    mapName: 'dm1',
    mapSize: 0,
    mapCrc: 1,
    type: 'server',
    length: 0,
    timestamp: '2026-11-20_11-13-51',
    markers: [],
  });
  return demoFile(
    head.flush(),
    bytes.map((snapshot, i) => ({ tick: 2 * i + 2, snapshot, messages: i === 0 ? lines : [] })),
  );
}

/** Every packet by itself. */
export const secretPackets = (version: Version): readonly Uint8Array[] =>
  packetsOf(version).map(({ packet }) => packet);

/** The first secret in an output: as text, in base64, or four bytes of it in hex, with or without spaces. */
export function secretIn(output: string): string | undefined {
  const digits = output.replace(/\s+/g, '').toLowerCase();
  const letters = output.replace(/\s+/g, '');
  return secrets.find((secret) => {
    const bytes = Buffer.from(secret);
    const hex = bytes.toString('hex');
    // What is at one of three places of four letters.
    const inBase64 = [0, 1, 2].map((from) => bytes.subarray(from, from + 9).toString('base64'));
    // `hunter2-` alone is in all of them.
    return output.includes(secret) || digits.includes(hex.slice(16)) || inBase64.some((text) => letters.includes(text));
  });
}
