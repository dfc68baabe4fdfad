import { recognisePart } from '../../../src/input/source/recognise.ts';
import { known } from '../../../src/input/source/recognise-payload.ts';
import { escapeText } from '../../../src/output/text/escape.ts';
import { unwrap } from '../../../src/wire/payload/encoding-layers.ts';
import { payloadOfSnapshot, readPayload } from '../../../src/wire/payload/payload.ts';
import { compare } from '../../../src/wire/snapshot/compare.ts';
import type { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { inputError } from '../options/errors.ts';
import { printNote } from '../platform/note.ts';
import { type Opened, otherPosition } from './inputs.ts';
import type { Loaded, LoadedInput, LoadedPacket, Loading } from './loaded.ts';
import { type AtMoment, atMoment, atPacket, uncertaintyOf } from './moment.ts';

/** Reads what a recording has at a position: its first snapshot, if none is named. */
export async function loadRecording(opened: Opened, loading: Loading): Promise<LoadedInput> {
  const { io } = loading;
  const { position } = opened;
  if (position && 'packet' in position) return loadPacketAt(opened, position.packet, loading);
  if (position && 'range' in position) throw otherPosition(opened.name, position);
  if (!position) {
    const kind = opened.format?.hasTicks ? 'demo' : 'capture';
    const others = kind === 'demo' ? 'FILE@MOMENT names another' : 'FILE@MOMENT names another, FILE#N a packet';
    const note = `a ${kind}: its first snapshot (${others})`;
    await printNote(`${escapeText(opened.name)}: ${note}`, io);
  }
  const found = await atMoment(opened, position ?? { text: 'first', moment: { from: 'first', ticks: 0 } }, loading);
  return loadTick(found, opened.name, loading);
}

/** The packet of a capture with Wireshark's number `number`; its delta is read with the base that its client had. */
async function loadPacketAt(opened: Opened, number: number, loading: Loading): Promise<LoadedPacket> {
  const found = await atPacket(opened, number, loading);
  const { stream, direction, bytes, snapshot, doubt } = found;
  const name = `${opened.name}#${number}`;
  const version = loading.version ?? stream?.protocol.version;
  const input = { name, bytes };
  const stated = { ...loading, kind: 'packet', version, base: loading.base?.snapshot ?? found.base } as const;
  const packet = { name, input, ...recognisePart(input, stated) } as LoadedPacket;
  if (!stream) return packet;
  const ends = direction === 'to_client' ? [stream.server, stream.client] : [stream.client, stream.server];
  const rebuilt = snapshot && payloadOfSnapshot(snapshot, stream.protocol);
  return { ...packet, route: ends.join(' > '), rebuilt, uncertainty: uncertaintyOf(doubt) };
}

function loadTick(found: AtMoment, file: string, { kind: wanted, base: given }: Loading): Loaded {
  const { tick, kind, snapshot, before, doubt, lastByte } = found;
  const { protocol } = found.stream;
  const name = `${file}@${tick}`;
  const base = kind === 'delta' ? (before ?? given?.snapshot) : undefined;
  if (base && given && base !== given.snapshot && isOther(base, given.snapshot))
    throw inputError(`${escapeText(name)}: this delta has another base, the snapshot of tick ${found.base}`);
  const read = readPayload(unwrap(found.payload, found.encoding), kind, protocol, base);
  const sent = base && base === before && found.base >= 0 ? { ...read, baseTick: found.base } : read;
  const rebuilt = snapshot && payloadOfSnapshot(snapshot, protocol);
  if (wanted === 'snapshot' && !rebuilt) throw inputError(`${escapeText(name)}: the snapshot can't be rebuilt`);
  const payload = wanted === 'snapshot' ? rebuilt! : sent;
  return { ...known(payload), name, rebuilt, uncertainty: uncertaintyOf(doubt), lastByte };
}

function isOther(a: Snapshot, b: Snapshot): boolean {
  const { removed, added, changed } = compare(a, b);
  return removed.length + added.length + changed.length > 0;
}
