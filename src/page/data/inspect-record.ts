import { count, thousands } from '../../output/text/number.ts';
import { messageName } from '../../wire/packet/message.ts';
import { unwrap } from '../../wire/payload/encoding-layers.ts';
import { type Inspected, inspectContents } from './inspect.ts';
import { type ChosenRecord, contentsOf } from './records.ts';
import type { Recording } from './shown-recording.ts';

/** A message or a packet; undefined for one that is not there, and for a packet that has a password. */
export function inspectRecord(recording: Recording, { kind, number }: ChosenRecord): Inspected | undefined {
  const contents = contentsOf(recording, { kind, number });
  if (!contents) return undefined;
  const inspected = inspectContents(contents, { player: (client) => recording.nameOf(client) });
  const { track } = recording;
  if (kind === 'packet') {
    const { frame, toServer } = track.packets[number]!;
    return { ...inspected, title: `Packet ${frame} to the ${toServer ? 'server' : 'client'}` };
  }
  const { bytes, chunk, tick } = track.messages[number]!;
  const name = messageName(contents.messages[0]!.message);
  const title = tick < 0 ? name : `${name} at tick ${tick}`;
  if (chunk === undefined) return { ...inspected, title };
  const sizes = `${count(bytes.length, 'byte')}, ${thousands(contents.layers.bytes.length)} unpacked`;
  const summary = `message of ${sizes}; its chunk is at 0x${chunk.toString(16)} of the file`;
  return { ...inspected, title, summary, recorded: unwrap(bytes, 'huffman') };
}
