import { controlsOf } from '../container/packet.ts';
import type { Wire, WireMessage } from '../model/wire.ts';
import { quote } from './escape.ts';
import { contents, titleLine } from './header.ts';
import { count } from './number.ts';
import type { Theme } from './theme.ts';

/** `close.packet   packet · 0.7   31 bytes   close "Server shutdown"`, on two lines where it must be. */
export function wireHeader(wire: Wire, name: string, options: { theme: Theme; width: number }): string {
  const { file, bytes, bits } = wire.layers;
  const sizes = [count(file.length, 'byte')];
  if (bits) sizes.push(count(bytes.length, 'byte'));
  return titleLine(name, [wireReading(wire), sizes.join(' → '), wireContents(wire)], options);
}

/** `packet · 0.7` */
export function wireReading({ kind, protocol }: Wire): string {
  return `${kind} · ${protocol.version}`;
}

export const messageName = ({ message }: WireMessage) =>
  message.type?.name ?? `unknown message ${message.uuid ?? message.id ?? ''}`.trimEnd();

/** Messages that are named one by one. */
const namedMessages = 3;

function wireContents(wire: Wire): string {
  const { messages } = wire;
  if (wire.kind === 'packet' && wire.packet?.kind !== 'chunks') return wordsOf(wire);
  if (messages.length === 0) return 'no messages';
  const names = messages.slice(0, namedMessages).map(messageName).join(', ');
  const listed = messages.length > namedMessages ? `${count(messages.length, 'message')}: ${names}, …` : names;
  return [listed, ...messages.flatMap(deltaWords)].join('   ');
}

/** `2 removed, 3 items`, `part 1 of 3: …` */
function deltaWords({ carried }: WireMessage): string[] {
  if (!carried) return [];
  const { payload, part, parts } = carried;
  return [parts > 1 ? `part ${part + 1} of ${parts}: ${contents(payload)}` : contents(payload)];
}

/** What a control packet, or one without a connection, says. */
function wordsOf({ packet, values }: Wire & { kind: 'packet' }): string {
  if (!packet) return 'cut inside the header';
  const value = (name: string) => values.find((one) => one.name === name)?.value;
  if (packet.kind === 'connless') return `connectionless ${quote(String(value('name') ?? ''))}`;
  const name = controlsOf(packet.version)[packet.control ?? -1];
  const reason = value('reason');
  return [name ?? `control ${packet.control ?? ''}`, ...(reason === undefined ? [] : [quote(String(reason))])].join(
    ' ',
  );
}
