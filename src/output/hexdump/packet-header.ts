import { messageName, snapshotMessage } from '../../wire/packet/message.ts';
import { controlsOf } from '../../wire/packet/packet.ts';
import type { MessageContents, PacketContents } from '../../wire/packet/packet-contents.ts';
import type { Payload } from '../../wire/payload/payload.ts';
import { Delta } from '../../wire/snapshot/delta.ts';
import { escapeText, maxInLine, pathText, quotedText } from '../text/escape.ts';
import { titled } from '../text/layout.ts';
import { count, thousands } from '../text/number.ts';
import type { Theme } from '../text/theme.ts';
import { contentText, packetReading } from './hexdump.ts';

/** `close.packet   packet · 0.7   31 bytes   close "Server shutdown"`, on two lines if it is too long. */
export function packetHeader(contents: PacketContents, name: string, options: { theme: Theme; width: number }): string {
  const { file, bytes, bits } = contents.layers;
  const sizes = [count(file.length, 'byte')];
  if (bits) sizes.push(count(bytes.length, 'byte'));
  return titled(pathText(name), [packetReading(contents), sizes.join(' → '), ...contentsText(contents)], options);
}

const namedMessages = 3;

function contentsText(contents: PacketContents): string[] {
  const { messages } = contents;
  if (contents.kind === 'packet' && contents.packet?.kind !== 'chunks') return [packetText(contents)];
  if (messages.length === 0) return ['no messages'];
  const names = messages
    .slice(0, namedMessages)
    .map(({ message }) => messageName(message))
    .join(', ');
  const listed = messages.length > namedMessages ? `${count(messages.length, 'message')}: ${names}, …` : names;
  return [listed, ...messages.flatMap(deltaText)];
}

/** `2 removed, 3 items`; `part 1 of 3, 0 removed, 39 of 52 items`; `part 2 of 3` */
function deltaText({ message, delta, isContinued }: MessageContents): string[] {
  const { part = 0, parts = 1 } = snapshotMessage(message) ?? {};
  const words = parts > 1 ? [`part ${part + 1} of ${parts}`] : [];
  if (delta) words.push(isContinued ? partialContentText(delta.payload) : contentText(delta.payload));
  return words.length > 0 ? [words.join(', ')] : [];
}

function partialContentText({ body, layers }: Payload): string {
  const whole = body instanceof Delta && body.missing > 0 ? body.count - 1 : body.count;
  const removed = body instanceof Delta ? `${thousands(body.removedCount)} removed, ` : '';
  return `${removed}${thousands(whole)} of ${count(layers.ints.ints[1] ?? 0, 'item')}`;
}

function packetText({ packet, values }: PacketContents & { kind: 'packet' }): string {
  if (!packet) return 'cut inside the header';
  const value = (name: string) => values.find((value) => value.name === name)?.value;
  if (packet.kind === 'connless') {
    const server = value('server_name');
    const name = `connectionless ${quotedText(String(value('name') ?? ''), maxInLine)}`;
    if (server === undefined) return name;
    const text = (field: string) => escapeText(String(value(field) ?? '?'));
    const clients = `${text('num_clients')}/${text('max_clients')} clients`;
    return `${name}: ${quotedText(String(server), maxInLine)}, map ${text('map')}, ${clients}`;
  }
  const name = controlsOf(packet.version)[packet.control ?? -1] ?? packet.control ?? 'nothing';
  const reason = value('reason');
  return `control: ${name}${reason === undefined ? '' : ` ${quotedText(String(reason), maxInLine)}`}`;
}
