import type { Payload } from '../../wire/payload/payload.ts';
import { Delta } from '../../wire/snapshot/delta.ts';

/** The type of each item of a snapshot or delta, and the bits of the file that it takes. */
export function* itemBits({ body, layers, types }: Payload): Generator<readonly [type: string, bits: number]> {
  const { offsets, length } = layers.ints;
  const bitAt = (int: number) => {
    const byte = offsets![Math.min(int, length)]!;
    return layers.bits?.[byte] ?? 8 * byte;
  };
  for (let i = 0; i < body.count; i++) {
    const end = body instanceof Delta ? body.starts[i]! + body.sizes[i]! : body.start(i) + 1 + body.size(i);
    yield [types.nameOf(body.type(i)), bitAt(end) - bitAt(body.start(i))];
  }
}
