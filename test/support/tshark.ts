import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '../../commands/index.ts';
import { fakeIo } from './fake-io.ts';
import { execFileSync, hasTool, spawnSync, tool } from './host.ts';

/** Whether there is a tshark that runs post-dissectors. */
export const hasTsharkWithLua =
  hasTool('tshark') && /with\s+Lua/.test(spawnSync(tool('tshark'), ['--version'], { encoding: 'utf8' }).stdout);

/** Rows of fields that tshark prints of a file, with a post-dissector in Lua. */
export function tsharkRows(bytes: Uint8Array, lua: string, filter: string, fields: readonly string[]): string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'tw-snap-tshark-'));
  const [file, script] = [join(folder, 'x.pcapng'), join(folder, 'x.lua')];
  try {
    writeFileSync(file, bytes);
    writeFileSync(script, lua);
    const argv = ['-r', file, '-X', `lua_script:${script}`, '-Y', filter, '-T', 'fields'];
    const text = execFileSync(tool('tshark'), [...argv, ...fields.flatMap((field) => ['-e', field])], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1 << 28,
    });
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split('\t'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Some fields of items. */
const fields = [
  'obj_character.id',
  'obj_character.x',
  'obj_character.y',
  'obj_player_info.score',
  'obj_client_info.name',
];

/**
 * Frame, ticks, checksums and some fields of items for each frame with snapshots, as tshark has them after `annotate`.
 */
export async function annotatedValues(bytes: Uint8Array): Promise<string[][]> {
  const [io, lua] = [fakeIo({ files: { 'x.pcap': bytes } }), fakeIo()];
  await main(['annotate', 'x.pcap'], io);
  await main(['annotate', '--lua'], lua);
  const columns = ['frame.number', 'twsnap.tick', 'twsnap.crc', ...fields.map((field) => `twsnap.${field}`)];
  return tsharkRows(io.stdout.bytes, lua.stdout.text, 'twsnap.tick', columns);
}

/** The same values from `dump`. */
export async function dumpedValues(bytes: Uint8Array): Promise<string[][]> {
  const io = fakeIo({ files: { 'x.pcap': bytes } });
  await main(['dump', '-t', 'ndjson', '--no-messages', 'x.pcap'], io);
  const byFrame = new Map<number, string[][]>();
  for (const line of io.stdout.text.split('\n').slice(0, -1)) {
    const { record, frame, tick, crc, items = [] } = JSON.parse(line);
    if (record !== 'snapshot' || frame === 0) continue;
    const columns = byFrame.get(frame) ?? [[], [], ...fields.map(() => [])];
    byFrame.set(frame, columns);
    columns[0]!.push(String(tick));
    if (crc !== null) columns[1]!.push(String(crc));
    for (const { name, id, fields: values } of items) {
      for (const [i, field] of fields.entries()) {
        const [item, key] = field.split('.') as [string, string];
        if (item === name) columns[2 + i]!.push(String(key === 'id' ? id : values[key]));
      }
    }
  }
  return [...byFrame]
    .sort(([a], [b]) => a - b)
    .map(([frame, columns]) => [String(frame), ...columns.map((column) => column.join(','))]);
}
