import { annotateContents } from '../../../src/annotate/packet.ts';
import type { PacketContents } from '../../../src/packet/packet-contents.ts';
import { recognisePart } from '../../../src/source/recognise.ts';
import type { PacketReading, Stated } from '../../../src/source/stated.ts';
import { plainTheme } from '../../../src/text/theme.ts';
import { renderDump } from '../../../src/view/hexdump/hexdump.ts';
import { packetHeader } from '../../../src/view/hexdump/packet-header.ts';
import { renderJson } from '../../../src/view/json/json.ts';
import { packetJson } from '../../../src/view/json/packet-json.ts';
import { renderPacketTable } from '../../../src/view/table/table.ts';
import { covers, isJson, safe, same } from '../checks.ts';
import { makeMessage, makePacket } from '../make/packet.ts';
import type { Random } from '../random.ts';
import type { Target } from '../target.ts';

/** Packets and messages. */
export const packet: Target = {
  name: 'packet',
  share: 1900,
  run(random, material, note) {
    const kind = random.oneIn(3) ? 'message' : 'packet';
    const bytes =
      kind === 'packet' ? makePacket(random, material) : makeMessage(random, material, random.oneIn(2) ? '0.6' : '0.7');
    note(`a.${kind}`, bytes);
    const version = random.pick([undefined, undefined, '0.5', '0.6', '0.7'] as const);
    const base = random.oneIn(3) ? random.pick(material.contents).base : undefined;
    const read = (stated: Stated) => recognisePart({ bytes }, { kind, base, ...stated }) as PacketReading;
    const found = read({ version });
    checkContents(random, found.contents);
    // Of damage that may be of either version, the reading says so only where none is stated.
    const isUndecided = found.contents.diagnostics.error?.code === 'undecided';
    if (random.oneIn(16) && !isUndecided) {
      const stated = read({ version: found.contents.protocol.version });
      same(
        JSON.stringify(packetJson(stated.contents)),
        JSON.stringify(packetJson(found.contents)),
        'another reading when stated',
      );
    }
  },
};

function checkContents(random: Random, contents: PacketContents): void {
  const spans = annotateContents(contents);
  covers(spans, contents.layers.bytes.length);
  if (random.oneIn(8)) {
    const json = packetJson(contents);
    isJson(renderJson(json), json);
  }
  if (random.oneIn(20)) {
    const style = { name: 'x', theme: plainTheme, width: random.pick([20, 100, 160, 300]), verbose: random.oneIn(2) };
    safe(
      random.oneIn(4)
        ? renderPacketTable(contents, style)
        : renderDump(contents, packetHeader(contents, 'x', style), spans, style),
    );
  }
}
