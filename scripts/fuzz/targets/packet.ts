import { recognisePart } from '../../../src/input/source/recognise.ts';
import type { PacketReading, Stated } from '../../../src/input/stated.ts';
import { renderDump } from '../../../src/output/hexdump/hexdump.ts';
import { packetHeader } from '../../../src/output/hexdump/packet-header.ts';
import { renderJson } from '../../../src/output/json/item-json.ts';
import { packetJson } from '../../../src/output/json/packet-json.ts';
import { renderPacketTable } from '../../../src/output/reports/decode.ts';
import { plainTheme } from '../../../src/output/text/theme.ts';
import { annotateContents } from '../../../src/wire/annotate/packet-spans.ts';
import type { PacketContents } from '../../../src/wire/packet/packet-contents.ts';
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
