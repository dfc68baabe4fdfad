import { Delta } from '../src/model/delta.ts';
import { TrackBuilder } from '../src/replay/track-builder.ts';
import { reading } from '../src/view/header.ts';
import { size } from '../src/view/measure.ts';
import { count, thousands } from '../src/view/number.ts';
import { fullSentence } from '../src/view/sentences.ts';
import { exit, inputError } from './errors.ts';
import { baseOptions, type Loaded, loadAny, readSnapshot } from './input.ts';
import { sayReading } from './reading.ts';
import { type Gathered, nameOf, type Reporting } from './report-gathered.ts';

/** What a report tells of one snapshot or delta: a track of it alone. */
export async function gatherPayload({ opened, options, added, io }: Reporting): Promise<Gathered> {
  const base =
    options.base === undefined ? undefined : await readSnapshot(options.base, baseOptions(options), added, io);
  const loaded = await loadAny(opened, undefined, options, added, io, base);
  if ('wire' in loaded) throw inputError(`${loaded.name}: a packet or message; tw-snap decode shows those`);
  await sayReading(loaded, options, io);
  return gathered(loaded, added);
}

function gathered({ name, payload }: Loaded, added: Reporting['added']): Gathered {
  const { kind, layers, types, findings, body } = payload;
  const track = new TrackBuilder('', types.protocol);
  const { encoding, bytes, file } = layers;
  track.add({
    tick: -1,
    kind,
    // JSON was packed as the games would.
    encoding: encoding === 'json' ? 'packed' : encoding,
    payload: encoding === 'json' ? bytes : file,
    offset: 0,
    base: undefined,
    before: payload.base,
  });
  const removed = body instanceof Delta ? `${thousands(body.removedCount)} removed, ` : '';
  const sizes = [size(file.length), ...(layers.bits ? [`${size(bytes.length)} unpacked`] : [])];
  return {
    cargo: {
      name: nameOf(name),
      kind: `${reading(payload)}, ${size(file.length)}`,
      health: findings.error ? 'damaged' : findings.warnings.length > 0 ? 'odd' : 'healthy',
      tone: findings.error ? 'bad' : findings.warnings.length > 0 ? 'odd' : 'good',
      facts: [
        { label: 'bytes', text: sizes.join(', ') },
        { label: 'ints', text: thousands(layers.ints.length) },
        { label: 'items', text: `${removed}${count(body.count, 'item')}` },
      ],
      findings: findings.all.map(fullSentence),
      weights: [],
      added,
      tracks: [track.build()],
    },
    status: findings.error ? exit.unreadable : exit.fine,
  };
}
