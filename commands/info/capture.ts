import type { ItemType } from '../../src/protocol/item.ts';
import { CaptureSummary } from '../../src/recording/capture-summary.ts';
import type { CaptureInfo } from '../../src/view/info/capture-info.ts';
import { exit } from '../lib/errors.ts';
import { requireClient } from '../lib/input/capture-client.ts';
import type { Opened } from '../lib/input/open.ts';
import { readRecords } from '../lib/input/read-records.ts';
import type { Cell } from './demo.ts';

/** What `info` has gathered of a capture. */
export interface GatheredCapture extends CaptureInfo {
  readonly format: 'capture';
  readonly status: number;
}

/** @param client the only one that is wanted, if one is */
export async function gatherCapture(
  opened: Opened,
  client: string | undefined,
  added: readonly ItemType[],
): Promise<GatheredCapture> {
  const replay = opened.format!.open({ extraItems: added });
  const capture = new CaptureSummary(client);
  const { bytes, failure } = await readRecords(opened, replay, (record) => capture.add(record));
  if (failure) throw failure;
  requireClient(opened.name, client, replay.streams);
  const isBroken = capture.diagnostics.some(({ severity }) => severity === 'error');
  const isWrong = capture.connections.some(({ outcomes }) => outcomes.mismatch > 0);
  return {
    format: 'capture',
    file: opened.name,
    container: replay.container ?? 'unknown',
    bytes,
    capture,
    datagrams: replay.datagrams!,
    status: isBroken || capture.undecodable > 0 ? exit.unreadable : isWrong ? exit.finding : exit.fine,
  };
}

/** The columns of {@link captureCells}. */
export const captureHead = [
  'file',
  'client',
  'server',
  'version',
  'player',
  'first_time',
  'last_time',
  'packets_to_server',
  'bytes_to_server',
  'packets_to_client',
  'bytes_to_client',
  'resent',
  'lost',
  'undecodable',
  'snapshots',
  'empty',
  'matched',
  'mismatched',
  'missing_base',
  'missing_part',
  'damaged',
];

/** A capture as rows of a table, one for each connection. */
export function captureCells({ file, capture }: GatheredCapture): Cell[][] {
  return capture.connections.map(({ connection, player, snapshots, kinds, outcomes }) => {
    const [up, down] = [connection.counts('to_server'), connection.counts('to_client')];
    return [
      file,
      connection.client,
      connection.server,
      connection.version,
      player,
      connection.firstTime,
      connection.lastTime,
      up.packets,
      up.bytes,
      down.packets,
      down.bytes,
      up.resent + down.resent,
      up.lost + down.lost,
      connection.undecodable,
      snapshots,
      kinds.empty,
      outcomes.ok,
      outcomes.mismatch,
      outcomes.missing_base,
      outcomes.missing_part,
      outcomes.damaged,
    ];
  });
}
