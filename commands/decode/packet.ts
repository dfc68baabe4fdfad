import { annotateContents } from '../../src/annotate/packet.ts';
import { packetHeader, packetReading, renderDump } from '../../src/view/hexdump/hexdump.ts';
import { renderJson } from '../../src/view/json/json.ts';
import { packetJson } from '../../src/view/json/packet-json.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { count } from '../../src/view/text/number.ts';
import { baseHint, printReadings } from '../lib/input/describe-input.ts';
import type { LoadedPacket } from '../lib/input/load-packet.ts';
import type { Input } from '../lib/input/open.ts';
import { printNote } from '../lib/note.ts';
import type { Printing } from '../lib/output/output.ts';
import type { Selection } from './selection.ts';

export interface DecodePrinting extends Printing<'hexdump' | 'table' | 'json'> {
  /** What is shown; undefined for everything. */
  readonly select?: Selection | undefined;
  /** The address of the page, if a link to it is printed. */
  readonly site?: string;
}

export async function renderPacket({ contents: whole, name }: LoadedPacket, printing: DecodePrinting): Promise<string> {
  const { select } = printing;
  const contents = select?.contents(whole) ?? whole;
  if (printing.format === 'json') return renderJson(packetJson(contents, select?.filter));
  const how = { name, ...printing, filter: select?.filter };
  if (printing.format === 'hexdump')
    return how.fit(
      renderDump(contents, packetHeader(whole, name, how), annotateContents(whole), how, select?.isShown(contents)),
    );
  const { renderPacketTable } = await import('../../src/view/table/table.ts');
  return how.fit(renderPacketTable(contents, how, whole));
}

/** Reports how a packet or message was recognised, and which network headers were skipped. */
export async function describePacket(packet: LoadedPacket, how: Input): Promise<void> {
  const { name, route, wrongBit } = packet;
  const note = (text: string) => printNote(`${escapeText(name)}: ${text}`, how.io);
  if (route !== undefined) await note(route);
  else await describeReading(packet, how);
  if (!wrongBit) return;
  const { byte, bit, field } = wrongBit;
  await note(`reads without an error if bit 0x${byte}.${bit} of the header (${field}) is flipped`);
}

async function describeReading(
  { name, input, contents, equals, datagram }: LoadedPacket,
  { from, version, io }: Input,
): Promise<void> {
  const guessed = from === undefined || version === undefined;
  if (!guessed && input.form === undefined && !datagram) return;
  const hint = contents.messages.map(({ delta }) => (delta ? baseHint(delta.payload) : '')).find((text) => text !== '');
  await printReadings(name, input, [contents, ...equals].map(packetReading), hint ?? '', io);
  if (!datagram) return;
  const { source, destination, start, missing } = datagram;
  const cut = missing > 0 ? `, ${count(missing, 'byte')} of it not recorded` : '';
  await printNote(
    `the UDP packet ${source} > ${destination}: ${count(start, 'byte')} of network headers left out${cut}`,
    io,
  );
}
