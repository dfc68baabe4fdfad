import { readPastedText } from '../../../src/input/pasted/pasted-text.ts';
import { intsOfJson, readJson } from '../../../src/input/source/json.ts';
import { hexText } from '../../../src/wire/bytes/to-hex.ts';
import { layersOfInts } from '../../../src/wire/payload/encoding-layers.ts';
import { readPayload } from '../../../src/wire/payload/payload.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { readSchema } from '../../../src/wire/schema/read-schema.ts';
import { check, same, unlessRefused } from '../checks.ts';
import { makePacket } from '../make/packet.ts';
import { makePayload } from '../make/payload.ts';
import { damagedText, pasted } from '../make/text.ts';
import type { Target } from '../target.ts';
import { checkPayload } from './payload.ts';

/** Hex text in all forms; undamaged text has to result in the bytes. */
export const hex: Target = {
  name: 'hex',
  share: 800,
  run(random, material, note) {
    const made = random.oneIn(2) ? makePacket(random, material) : makePayload(random, material.contents).bytes;
    // The format of fewer bytes is not clear.
    const bytes = made.length < 8 ? Uint8Array.from([...made, 1, 2, 3, 4, 5, 6, 7, 0xfe]) : made.subarray(0, 300);
    const text = pasted(random, bytes);
    const shown = random.oneIn(5) ? text : damagedText(random, text);
    note('pasted.hex', shown);
    const read = unlessRefused(() => readPastedText(shown));
    // Decimal digits in an address or a line of text may be a number.
    if (shown !== text || !/[a-f]/.test(hexText(bytes))) return;
    check(read !== undefined, 'hex: not seen');
    const [part] = read.parts;
    same(part?.bytes.join() ?? '(nothing)', bytes.join(), `hex: other bytes from ${read.form}`);
  },
};

/** JSON of payloads, and of a mod's items. */
export const json: Target = {
  name: 'json',
  share: 700,
  run(random, { jsons, schemas }, note) {
    if (random.oneIn(4)) {
      const text = damagedText(random, random.pick(schemas));
      note('mod-schema.json', text);
      unlessRefused(() => readSchema(text));
      return;
    }
    const text = damagedText(random, random.pick(jsons));
    note('payload.json', text);
    const protocol = protocolOf(random.pick(['0.5', '0.6', '0.7']));
    const ints = unlessRefused(() => {
      const body = readJson(text);
      return { ...body, ints: intsOfJson(body, protocol) };
    });
    if (ints) checkPayload(random, readPayload(layersOfInts(ints.ints, 'json'), ints.kind, protocol));
  },
};
