import { annotateContents } from '../../src/annotate/packet.ts';
import { renderDump } from '../../src/view/hexdump/hexdump.ts';
import { packetHeader, packetReading } from '../../src/view/hexdump/packet-header.ts';
import { renderJson } from '../../src/view/json/json.ts';
import { packetJson } from '../../src/view/json/packet-json.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { count } from '../../src/view/text/number.ts';
import { textOrigin } from '../lib/input/describe-input.ts';
import type { LoadedPacket } from '../lib/input/load-packet.ts';
import type { Io } from '../lib/io.ts';
import { printNote } from '../lib/note.ts';
import type { InputOptions, OutputOptions } from '../lib/options.ts';
import { outputStyle } from '../lib/output/output.ts';

/** A packet or message in the format of `--to`. */
export async function renderPacket({ contents, name }: LoadedPacket, options: OutputOptions, io: Io): Promise<string> {
  if (options.to === 'json') return renderJson(packetJson(contents));
  const how = { name, ...(await outputStyle(options, io)) };
  if (options.to === 'hexdump')
    return how.fit(renderDump(contents, packetHeader(contents, name, how), annotateContents(contents), how));
  const { renderPacketTable } = await import('../../src/view/table/packet-table.ts');
  return how.fit(renderPacketTable(contents, how));
}

/** Reports what was guessed and which network headers were skipped. */
export async function describePacket(packet: LoadedPacket, options: InputOptions, io: Io): Promise<void> {
  await describeOrigin(packet, options, io);
  const { name, wrongBit } = packet;
  if (!wrongBit) return;
  const { byte, bit, field } = wrongBit;
  await printNote(
    `${escapeText(name)}: reads without an error if bit 0x${byte}.${bit} of the header (${field}) is flipped`,
    io,
  );
}

async function describeOrigin(
  { name, input, contents, equals, datagram, route }: LoadedPacket,
  options: InputOptions,
  io: Io,
): Promise<void> {
  if (route !== undefined) {
    await printNote(`${escapeText(name)}: ${route}`, io);
    return;
  }
  const guessed = options.from === 'auto' || options.protocol === 'auto';
  if (!guessed && input.form === undefined && !datagram) return;
  const others = equals.map(packetReading).join(', ');
  const also = others === '' ? '' : `; as good: ${others}`;
  const isOpen = contents.messages.some(({ delta }) => delta && delta.payload.body.count > 0 && !delta.payload.base);
  const hint = isOpen ? ' (without --base, updated items show differences)' : '';
  await printNote(`${escapeText(name)}: read as ${packetReading(contents)}${textOrigin(input)}${also}${hint}`, io);
  if (!datagram) return;
  const { source, destination, start, missing } = datagram;
  const cut = missing > 0 ? `, ${count(missing, 'byte')} of it not recorded` : '';
  await printNote(
    `the UDP packet ${source} > ${destination}: ${count(start, 'byte')} of network headers left out${cut}`,
    io,
  );
}
