import { describe, expect, it } from 'vitest';
import { Rename } from '../../src/edit/names.ts';
import { hasCorpus } from '../support/corpus.ts';
import { readDemoFile, recordedDemos } from '../support/demos.ts';
import { contentsOf, edited, entriesOf, slices, withoutMap } from '../support/edit.ts';

/** What each message is read as: its version, its name and its bytes. */
function readingOf(file: Uint8Array): { readonly announces: boolean; readonly messages: readonly string[] } {
  const messages: string[] = [];
  let announces = false;
  for (const entry of entriesOf(file)) {
    if (entry.record === 'header') announces = entry.stream.announcesChecksums === true;
    if (entry.record !== 'message') continue;
    const { message, stream, bytes } = entry;
    const read = `${message.version ?? stream.protocol.version} ${message.type?.name} ${message.values.length}`;
    messages.push(`${read} ${Buffer.from(bytes).toString('latin1')}`);
  }
  return { announces, messages };
}

function firstMissing(part: readonly string[], whole: readonly string[]): string | undefined {
  const left = new Map<string, number>();
  for (const one of whole) left.set(one, (left.get(one) ?? 0) + 1);
  return part.find((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count === 0;
  });
}

// A replay with wrong sizes is corrected when it is written, and a cut of it has other deltas.
const demos = recordedDemos.filter(({ name }) => !name.includes('wrong-sizes'));

describe.each(demos)('$name', ({ path }) => {
  const file = readDemoFile(path);
  const whole = readingOf(file);

  it('is read alike without its map, and with another type in its header', () => {
    expect(readingOf(withoutMap(file))).toEqual(whole);
    for (const type of ['server', 'client']) expect(readingOf(withoutMap(file, { type }))).toEqual(whole);
  });

  it('is read alike with another player name', () => {
    const renamed = readingOf(edited(file, [new Rename(new Map([['no such player', 'another']]))]));
    expect(renamed).toEqual(whole);
  });

  it('each message of a slice is read as in the whole demo', () => {
    const { ticks } = contentsOf(file);
    const [first, last] = [ticks[0]!, ticks.at(-1)!];
    const starts = Array.from({ length: 12 }, (_, i) => first + Math.floor(((last - first) * i) / 12));
    const ranges = starts.flatMap((from) => [[{ from, to: from + 2 }], [{ from, to: from + 60 }]]);
    for (const [i, part] of slices(file, ranges).entries()) {
      const { announces, messages } = readingOf(part);
      expect(firstMissing(messages, whole.messages), `range ${i}`).toBeUndefined();
      expect(announces, `range ${i}`).toBe(whole.announces);
    }
  });

  if (!hasCorpus) it.todo('(the corpus is not available: only the samples were tested)');
});
