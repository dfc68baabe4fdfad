import type { Diagnostics } from '../../src/decode/diagnostics.ts';
import type { PacketContents } from '../../src/packet/packet-contents.ts';
import type { ItemType } from '../../src/protocol/item.ts';
import { TrackBuilder } from '../../src/recording/track-builder.ts';
import type { ReportData } from '../../src/report/report-data.ts';
import { Delta } from '../../src/snapshot/delta.ts';
import { reading } from '../../src/view/hexdump/header.ts';
import { packetReading } from '../../src/view/hexdump/packet-header.ts';
import { diagnosticLine } from '../../src/view/text/diagnostic-messages.ts';
import { count, thousands } from '../../src/view/text/number.ts';
import { size } from '../../src/view/text/units.ts';
import { exit } from '../lib/errors.ts';
import { describeReading, withUncertainty } from '../lib/input/describe-input.ts';
import { type Loaded, loadAny, readBase } from '../lib/input/load.ts';
import type { Opened } from '../lib/input/open.ts';
import type { Position } from '../lib/input/position.ts';
import { nameOf, type Report, type ReportContext } from './context.ts';

/** One snapshot or delta as a track of its own; or a packet or message. */
export async function reportPayload(opened: Opened, context: ReportContext, position?: Position): Promise<Report> {
  const { options, extraItems, io } = context;
  const base = await readBase(options.base, context);
  const loaded = await loadAny(opened, position, context, base);
  if ('contents' in loaded) return packetReport(loaded.name, loaded.contents, extraItems);
  await describeReading(loaded, options, io);
  const { reportData, status } = snapshotReport(loaded, extraItems);
  return { reportData, status: withUncertainty(status, loaded, base) };
}

function snapshotReport({ name, payload, uncertainty }: Loaded, extraItems: readonly ItemType[]): Report {
  const { kind, layers, types, diagnostics, body } = payload;
  const track = new TrackBuilder('', types.protocol);
  const { encoding, bytes, file } = layers;
  track.add({
    tick: -1,
    kind,
    // JSON was packed as the games would.
    encoding: encoding === 'json' ? 'packed' : encoding,
    payload: encoding === 'json' ? bytes : file,
    offset: 0,
    uncertain: uncertainty?.status === exit.unreadable,
    base: undefined,
    before: payload.base,
  });
  const sizes = [size(file.length), ...(layers.bits ? [`${size(bytes.length)} unpacked`] : [])];
  const removed = body instanceof Delta ? `${thousands(body.removedCount)} removed, ` : '';
  return reportOf(diagnostics, {
    name: nameOf(name),
    kind: `${reading(payload)}, ${size(file.length)}`,
    facts: [
      { label: 'bytes', text: sizes.join(', ') },
      { label: 'ints', text: thousands(layers.ints.length) },
      { label: 'items', text: `${removed}${count(body.count, 'item')}` },
    ],
    sizes: [],
    extraItems,
    tracks: [track.build()],
  });
}

function packetReport(name: string, contents: PacketContents, extraItems: readonly ItemType[]): Report {
  const { kind, protocol, layers, diagnostics, messages } = contents;
  return reportOf(diagnostics, {
    name: nameOf(name),
    kind: `${packetReading(contents)}, ${size(layers.file.length)}`,
    facts: [{ label: 'messages', text: thousands(messages.length) }],
    sizes: [],
    extraItems,
    tracks: [],
    contents: { kind, version: protocol.version, bytes: layers.file },
  });
}

function reportOf(diagnostics: Diagnostics, reportData: Omit<ReportData, 'health' | 'tone' | 'findings'>): Report {
  const { error, warnings } = diagnostics;
  const state = error
    ? ({ health: 'damaged', tone: 'bad' } as const)
    : warnings.length > 0
      ? ({ health: 'read with warnings', tone: 'warning' } as const)
      : ({ health: 'healthy', tone: 'good' } as const);
  return {
    reportData: {
      ...reportData,
      ...state,
      findings: diagnostics.all.map((one) => ({ text: diagnosticLine(one), details: [] })),
    },
    status: error ? exit.unreadable : exit.fine,
  };
}
