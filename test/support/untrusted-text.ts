import { DemoWriter } from '../../src/recording/container/demo/demo-writer.ts';
import { encode } from '../../src/wire/payload/encoding-layers.ts';
import type { Snapshot } from '../../src/wire/snapshot/snapshot.ts';
import { text } from './bytes.ts';
import { ethernet, ipv4, pcap, udp, v4 } from './capture-builder.ts';
import { demoFile } from './demo-builder.ts';
import { chunk06, control06, ints, packet06 } from './packet-builder.ts';
import { messageBytes, Recording } from './recording.ts';

const char = String.fromCodePoint;

/** Texts that a terminal would interpret, hide or reverse; each fits into a name of 15 bytes. */
export const hostile: readonly string[] = [
  `${char(0x1b)}[31mred`,
  `${char(0x1b)}]0;own${char(7)}`,
  `${char(0x9b)}2J`,
  `a${char(0x202e)}gpj.exe`,
  `a${char(0x2066)}b${char(0x200b)}c`,
  `a${char(0x3164)}b${char(0x115f)}`,
  `${char(0xfeff)}${char(0xad)}a${char(0x34f)}b`,
  `two\nlines\r\t\b${char(0x7f)}`,
  `${char(0x2028)}${char(0x200d)}${char(0xfe0f)}`,
  `${char(0xe0001)}${char(0xe0041)}`,
  '=1+1',
];

/** All of them, and more than fits. */
export const hostileWords = hostile.join(' | ');
export const longWords = `${char(0x1b)}[31m${'long '.repeat(2000)}`;

/** The characters that must not remain in a text: all that are invisible, other than line ends. */
const raw = /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

/** The first forbidden character, with the text around it. */
export function rawIn(output: string): string | undefined {
  const at = output.search(raw);
  return at < 0 ? undefined : JSON.stringify(output.slice(Math.max(0, at - 40), at + 20));
}

/** Messages of a server with every text that players and servers choose. */
const printed = (words: string) => [
  messageBytes('0.6', 'sv_chat', [0, 0, words]),
  messageBytes('0.6', 'sv_chat', [0, -1, words]),
  messageBytes('0.6', 'sv_motd', [words]),
  messageBytes('0.6', 'sv_broadcast', [words]),
  messageBytes('0.6', 'sv_voteset', [25, words, words]),
  messageBytes('0.6', 'sv_voteoptionadd', [words]),
];

/** Two snapshots with a player of each of these names, and these messages. */
export function hostileDemo(): Uint8Array {
  const players = hostile.flatMap((name, id) => [
    ['obj_client_info', id, { name, clan: '=1+1', skin: name }] as const,
    ['obj_player_info', id, { client_id: id, local: id === 0 ? 1 : 0 }] as const,
    ['obj_character', id, { x: 100 * id }] as const,
  ]);
  const others = players.map(([type, id, fields]) => {
    return [
      type,
      id,
      type === 'obj_client_info' ? { ...fields, name: hostile[hostile.length - 1 - id]! } : { x: 7 },
    ] as const;
  });
  const records = new Recording('0.6')
    .tick(100)
    .snapshot(...players)
    .tick(102)
    .snapshot(...others.filter(([type]) => type !== 'obj_player_info')).records;
  const snapshots = records.filter((record) => record.record === 'snapshot').map(({ snapshot }) => snapshot!);
  const messages = [...printed(hostileWords), ...printed(longWords)];
  return demoFile(
    demoHead(),
    snapshots.map((snapshot, i) => ({ tick: 100 + 2 * i, snapshot: bytesOf(snapshot), messages })),
  );
}

const bytesOf = (snapshot: Snapshot) => encode(snapshot, 'huffman');

/** A header with such a text in each of its fields. */
function demoHead(): Uint8Array {
  const writer = new DemoWriter(4);
  writer.header({
    version: 4,
    netVersion: `0.6 ${hostile[0]}${hostile[3]}`,
    mapName: `../../${hostile[0]}${hostile[1]}${hostile[3]}`,
    mapSize: 0,
    mapCrc: 0,
    type: `${char(0x1b)}[31m`,
    length: 0,
    timestamp: `${hostile[1]}${hostile[3]}`,
    markers: [],
  });
  return writer.flush();
}

/** A packet that closes a connection with such a reason. */
export const hostileClose = (words = hostileWords) => control06(4, ...text(words), 0);

/** The answer of a server with such texts: name, map, game type, and a player. */
export const hostileServer = (): Uint8Array =>
  Uint8Array.from([
    ...new Array<number>(10).fill(0xff),
    ...text(
      `inf31\0${['0.6', ...hostile.slice(0, 3), '0', '1', '16', '1', '16', hostile[3], hostile[4], '-1', '0', '1'].join('\0')}\0`,
    ),
  ]);

/** Lines of a client's log with such texts. */
export const hostileLog = `${hostileWords}
2026-11-20 11:26:30 E client: snapshot crc error #1 - tick=226 wantedcrc=1 gotcrc=2 compressed_size=72 delta_tick=220 ${hostile[0]}${hostile[3]}
`;

/** A connection in which a server sends all these texts and then closes. */
export function hostileCapture(): Uint8Array {
  const map = [...ints((2 << 1) | 1), ...text(`../../${hostile[0]}`), 0, ...ints(1, 2)];
  const words = [hostileWords, longWords.slice(0, 900)].flatMap(printed).map((message) => [...message]);
  const name = messageBytes('0.6', 'cl_startinfo', [hostile[0]!, hostile[1]!, -1, hostile[3]!, 0, 0, 0]);
  const down = [map, ...words].map((message, i) => packet06([chunk06(message, { vital: true, sequence: i + 1 })]));
  const frames = [
    ...[down[0]!].map((packet) => frame(packet, false)),
    frame(packet06([chunk06([...name], { vital: true, sequence: 1 })]), true),
    ...[...down.slice(1), hostileClose()].map((packet) => frame(packet, false)),
  ];
  return pcap(frames);
}

const frame = (packet: Uint8Array, isUp: boolean) =>
  ethernet(v4, ipv4(isUp ? udp([...packet], 50000, 8303) : udp([...packet])));
