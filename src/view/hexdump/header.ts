import { areDifferences } from '../../annotate/annotate.ts';
import type { Diagnostic } from '../../bytes/diagnostic.ts';
import type { Payload } from '../../decode/payload.ts';
import { controlsOf } from '../../packet/packet.ts';
import type { MessageContents, PacketContents } from '../../packet/packet-contents.ts';
import { Delta } from '../../snapshot/delta.ts';
import { diagnosticMessage } from '../text/diagnostic-messages.ts';
import { escapeText, maxInLine, quotedText } from '../text/escape.ts';
import { titled, wrap } from '../text/layout.ts';
import { count, thousands } from '../text/number.ts';
import { messageName } from '../text/recording-phrases.ts';
import { markOf, type Theme, type ViewStyle } from '../text/theme.ts';

/** `first.huff   huffman · delta · 0.7   25 bytes → 43 bytes → 37 ints   0 removed, 3 items`, on two lines if it is too long. */
export function header(payload: Payload, name: string, { theme, width }: { theme: Theme; width: number }): string {
  const { encoding, file, bytes, ints } = payload.layers;
  const sizes = [count(file.length, 'byte')];
  if (bytes.length !== file.length || encoding === 'huffman') sizes.push(count(bytes.length, 'byte'));
  sizes.push(count(ints.length, 'int'));
  return titled(escapeText(name), [reading(payload), sizes.join(' → '), contentText(payload)], { theme, width });
}

/** `huffman · delta · 0.7` */
export function reading(payload: Payload): string {
  return [payload.layers.encoding, payload.kind, payload.types.protocol.version].join(' · ');
}

/** `2 removed, 3 items`, and of a delta without a base whether its values are differences. */
export function contentText(payload: Pick<Payload, 'body' | 'base' | 'baseTick' | 'assumesEmptyBase'>): string {
  const { body } = payload;
  const items = count(body.count, 'item');
  if (body instanceof Delta) {
    const differences = body.count > 0 && areDifferences(payload) ? ', values are differences' : '';
    const base = payload.baseTick === undefined ? differences : `, from tick ${payload.baseTick}`;
    const note = payload.assumesEmptyBase ? ', base taken as empty' : base;
    return `${thousands(body.removedCount)} removed, ${items}${note}`;
  }
  return `${items}, checksum ${body.checksum()}`;
}

/** Warnings and errors, one per line. `place` returns the address columns. */
export function diagnosticLines(
  { diagnostics: { all, more, error, otherErrors } }: Pick<Payload, 'diagnostics'>,
  { theme, limit = Number.POSITIVE_INFINITY }: Pick<ViewStyle, 'theme' | 'limit'>,
  place: (diagnostic: Diagnostic) => string,
): string[] {
  const lines = all.map((diagnostic) => {
    const at = place(diagnostic);
    const words = [`${theme.strong(diagnostic.code)}:`, ...diagnosticMessage(diagnostic).split(' ')];
    const text = wrap(words, limit - at.length - 4).join(`\n${' '.repeat(at.length + 4)}`);
    return `${theme.dim(at)}  ${markOf(diagnostic.severity, theme)} ${text}`;
  });
  const errors = error ? 1 + otherErrors.length : 0;
  if (more > 0) lines.splice(lines.length - errors, 0, theme.dim(`  … ${count(more, 'more warning')}`));
  return lines;
}

/** `close.packet   packet · 0.7   31 bytes   close "Server shutdown"`, on two lines if it is too long. */
export function packetHeader(contents: PacketContents, name: string, options: { theme: Theme; width: number }): string {
  const { file, bytes, bits } = contents.layers;
  const sizes = [count(file.length, 'byte')];
  if (bits) sizes.push(count(bytes.length, 'byte'));
  return titled(escapeText(name), [packetReading(contents), sizes.join(' → '), ...contentsText(contents)], options);
}

/** `packet · 0.7` */
export function packetReading({ kind, protocol }: PacketContents): string {
  return `${kind} · ${protocol.version}`;
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
  const int = (name: string) => message.values.find((value) => value.name === name)?.value;
  const [part, parts] = [int('part'), int('num_parts')];
  const isPart = message.type?.name === 'snap' && typeof part === 'number' && typeof parts === 'number' && parts > 1;
  const words = isPart ? [`part ${part + 1} of ${parts}`] : [];
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
  const value = (name: string) => values.find((one) => one.name === name)?.value;
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
