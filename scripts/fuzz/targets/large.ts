import { main } from '../../../commands/index.ts';
import { join } from '../../../src/wire/bytes/copy.ts';
import { fakeIo } from '../../../test/support/fake-io.ts';
import { check } from '../checks.ts';
import { damaged } from '../make/bytes.ts';
import { makeCapture } from '../make/capture.ts';
import { makeDemo } from '../make/demo.ts';
import { makePacket } from '../make/packet.ts';
import { makePayload } from '../make/payload.ts';
import { damagedText, pasted } from '../make/text.ts';
import type { Material } from '../material.ts';
import type { Random } from '../random.ts';
import type { Target } from '../target.ts';

/** Files of some megabytes with many repetitions, to find excessive use of time or memory. */
export const large: Target = {
  name: 'large',
  share: 1,
  async run(random, material, note) {
    const { bytes, argv } = fileAndCommand(random, material);
    note('a', bytes);
    note('argv.txt', argv.join(' '));
    const io = fakeIo({ files: { a: bytes } });
    const { stackTraceLimit } = Error;
    // As the program does.
    Error.stackTraceLimit = 0;
    const status = await main(argv, io);
    Error.stackTraceLimit = stackTraceLimit;
    const stderr = io.stderr.text;
    check(
      status >= 0 && status <= 3 && !/internal error|\n {4}at /.test(stderr),
      `status ${status}: ${stderr.slice(0, 2000)}`,
    );
    // Three seconds for ten megabytes of text.
    return (3 * (io.stdout.bytes.length + stderr.length)) / 10_000;
  },
};

function fileAndCommand(random: Random, material: Material): { bytes: Uint8Array; argv: string[] } {
  const size = random.between(100_000, random.pick([200_000, 500_000, 1_500_000]));
  const from = random.oneIn(4) ? ['-f', random.pick(['packet', 'message'])] : [];
  const decode = ['decode', 'a', '-t', random.pick(['hexdump', 'table', 'json']), ...from];
  const recording = random.pick([
    ['info', 'a', '-t', 'json'],
    ['dump', 'a', '-t', random.pick(['text', 'ndjson', 'csv'])],
    ['checksum', 'a'],
    ['stats', 'a', '--by', random.pick(['type', 'field', 'player', 'second'])],
    ['decode', 'a@last'],
  ]);
  switch (random.below(5)) {
    case 0: {
      const payload = makePayload(random, material.contents).bytes;
      const unit = random.oneIn(2) ? random.bytes(random.between(1, 9)) : payload;
      return { bytes: repeated(random, payload.subarray(0, random.below(payload.length)), unit, size), argv: decode };
    }
    case 1: {
      const text = pasted(random, makePacket(random, material));
      const words = random.oneIn(3) ? random.pick(material.jsons) : text;
      const from = random.below(words.length);
      const unit = words.slice(from, from + random.pick([1, 2, 10, 100, 1000]));
      const head = new TextEncoder().encode(words.slice(0, from));
      const bytes = repeated(random, head, new TextEncoder().encode(damagedText(random, unit).slice(0, 5000)), size);
      return { bytes, argv: decode };
    }
    case 2: {
      const demo = makeDemo(random, material.demos, material);
      return { bytes: continued(random, demo, 176 + random.below(400), size), argv: recording };
    }
    case 3:
      return {
        bytes: continued(random, makeCapture(random, material.conversations, material), 24, size),
        argv: recording,
      };
    default: {
      const bytes = makeCapture(random, material.conversations, material);
      return { bytes: repeated(random, new Uint8Array(0), damaged(random, bytes), size), argv: recording };
    }
  }
}

/** A file that is continued with repetitions of one of its ranges, or with random bytes. */
function continued(random: Random, bytes: Uint8Array, headSize: number, size: number): Uint8Array {
  const at = headSize + random.below(bytes.length - headSize);
  const stretch = bytes.subarray(at, at + random.pick([1, 5, 50, 500, 5000]));
  return repeated(random, bytes.subarray(0, at), random.oneIn(4) ? random.bytes(1000) : stretch, size);
}

function repeated(random: Random, head: Uint8Array, unit: Uint8Array, size: number): Uint8Array {
  const bytes = unit.length > 0 ? unit : random.bytes(1);
  const times = Math.ceil(Math.max(0, size - head.length) / bytes.length);
  return join([head, ...new Array<Uint8Array>(times).fill(bytes)]);
}
