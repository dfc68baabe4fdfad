import { describe, expect, it } from 'vitest';
import { repaired, writeDemo } from '../../src/api/edit.ts';
import { DecodeError, readDemo } from '../../src/api/index.ts';
import { damaged } from '../support/demo-damage.ts';
import { runWriting } from '../support/run.ts';
import { read } from '../support/samples.ts';

/** What the library makes of a demo, or the code with which it refuses. */
function written(file: Uint8Array): string {
  try {
    return Buffer.from(writeDemo(repaired(readDemo(file)))).toString('base64');
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return 'refused';
  }
}

async function writtenByCommand(file: Uint8Array): Promise<string> {
  const { bytes, status } = await runWriting('repair a -o b', { a: file }).then(({ files, ...rest }) => ({
    ...rest,
    bytes: files.get('b'),
  }));
  return status === 3 ? 'refused' : Buffer.from(bytes!).toString('base64');
}

describe.each(['vanilla-dm1.demo', 'ddnet-race-player.demo'])('what repaired makes of %s', (name) => {
  const demo = read(name);

  it('is what the command writes, byte for byte, or both refuse', async () => {
    const differing: string[] = [];
    for (let seed = 0; seed < Number(process.env.SEEDS ?? 10); seed++) {
      // One in five is damaged in its header or map.
      const { kind, bytes } = damaged(demo, seed % 5 === 0 ? 0 : 7000, seed);
      if (written(bytes) !== (await writtenByCommand(bytes))) differing.push(`${kind} ${seed}`);
    }
    expect(differing).toEqual([]);
  });
});

it('records without those of chunks are refused: what was lost does not show', () => {
  const records = [...readDemo(read('vanilla-dm1.demo'))];
  expect(() => writeDemo(repaired(records))).toThrow(
    new TypeError('repaired expects the records of chunks: readDemo(…, { parts: true }), not filtered'),
  );
  const whole = [...readDemo(read('vanilla-dm1.demo'), { parts: true })];
  expect(writeDemo(repaired(whole))).toEqual(read('vanilla-dm1.demo'));
});
