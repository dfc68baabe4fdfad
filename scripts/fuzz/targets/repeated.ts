import process from 'node:process';
import { main } from '../../../commands/index.ts';
import { join } from '../../../src/wire/bytes/copy.ts';
import { toHex } from '../../../src/wire/bytes/to-hex.ts';
import { fakeIo } from '../../../test/support/fake-io.ts';
import { check } from '../checks.ts';
import { makePacket } from '../make/packet.ts';
import { argumentsOf, commandsOf, repeated as repeatedPieces, repetitions } from '../make/repeated.ts';
import type { Target } from '../target.ts';

/** A program that does nothing takes this much of the 300 MB that a command may take. */
const [maxMegabytes, emptyMegabytes] = [300, 60];

/**
 * Files that consist of one record, repeated: no command takes much memory. scripts/fuzz/memory.mjs measures larger
 * ones.
 */
export const repeated: Target = {
  name: 'repeated',
  share: 1,
  async run(random, material, note) {
    const line = new TextEncoder().encode(`${toHex(makePacket(random, material).subarray(0, 1500))}\n`);
    const pasted = { name: 'packet.txt', head: new Uint8Array(0), record: () => line } as const;
    const entry = random.oneIn(4) ? pasted : random.pick(repetitions);
    const kind = entry.name.split('.').at(-1)!;
    const size = random.pick([30_000, 100_000, 300_000]);
    const command = random.pick(commandsOf[kind]!);
    const bytes = join([...repeatedPieces(entry, size)]);
    note(entry.name, bytes);
    note('argv.txt', command);
    const world = fakeIo({ files: { [entry.name]: bytes } });
    const megabytes = () => process.memoryUsage.rss() / 1e6;
    const before = megabytes();
    let most = before;
    let written = 0;
    const dropped = {
      write: async (data: string | Uint8Array) => {
        written += data.length;
        most = Math.max(most, megabytes());
      },
    };
    const io = {
      ...world,
      stdout: { ...world.stdout, ...dropped },
      create: async () => ({ ...dropped, overwrite: async () => true, finish: async () => {} }),
      // The script of a page takes long to bundle, and is always the same.
      pageProgram: async () => ({ script: '', licences: '' }),
    };
    const status = await main(argumentsOf(command, entry.name, 'out'), io);
    most = Math.max(most, megabytes());
    const stderr = world.stderr.text;
    check(
      status >= 0 && status <= 3 && !/internal\s+error/.test(stderr),
      `${command}: status ${status}: ${stderr.slice(0, 500)}`,
    );
    check(
      most - before < maxMegabytes - emptyMegabytes,
      `${command} ${entry.name}: ${Math.round(most - before)} MB more`,
    );
    // Six seconds for a megabyte: records of one byte take as long as others.
    return (6 * (size + written / 10)) / 1000;
  },
};
