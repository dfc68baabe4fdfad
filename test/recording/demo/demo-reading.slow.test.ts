import { describe, expect, it } from 'vitest';
import { Rename } from '../../../src/editing/rename-players.ts';
import { Players } from '../../../src/recording/events/players.ts';
import { hasCorpus } from '../../support/corpus.ts';
import { readDemoFile, recordedDemos } from '../../support/demos.ts';
import { contentsOf, edited, entriesOf, slices, withoutMap } from '../../support/edit.ts';

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

/** What a message is read as, without its bytes. */
const reading = (message: string) => message.split(' ', 3).join(' ');

/** The first message of a part that is not in the whole, in the same order. */
function firstMissing(part: readonly string[], whole: readonly string[]): string | undefined {
  let at = 0;
  return part.find((text) => {
    at = whole.indexOf(text, at) + 1;
    return at === 0;
  });
}

/** A player of the demo; undefined if it has none. */
function someName(file: Uint8Array): string | undefined {
  const players = new Players();
  for (const entry of entriesOf(file)) {
    if (entry.record === 'snapshot' && entry.snapshot) players.onSnapshot(entry.snapshot, entry.stream.protocol);
  }
  return [...players.seen].find((name) => name.length > 2);
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

  const name = someName(file);
  it.skipIf(name === undefined)('is read alike with another name of a player (needs a player in it)', () => {
    const rename = new Rename(new Map([[name!, 'another']]));
    const renamed = readingOf(edited(file, [rename]));
    expect(rename.found).toEqual(new Set([name]));
    expect(renamed.announces).toBe(whole.announces);
    expect(renamed.messages.length).toBe(whole.messages.length);
    // Each is read as before; a name in it is the only difference of its bytes.
    const raw = Buffer.from(name!).toString('latin1');
    const others = whole.messages.flatMap((message, i) => (message.includes(raw) ? [] : [i]));
    expect(others.map((i) => renamed.messages[i])).toEqual(others.map((i) => whole.messages[i]));
    expect(renamed.messages.map(reading)).toEqual(whole.messages.map(reading));
  });

  it('each message of a slice is read as in the whole demo', () => {
    const { ticks } = contentsOf(file);
    // Ticks that the demo has: a slice without a snapshot is no demo.
    const starts = Array.from({ length: 12 }, (_, i) => ticks[Math.floor((ticks.length * i) / 12)]!);
    const ranges = starts.flatMap((from) => [[{ from, to: from + 2 }], [{ from, to: from + 60 }]]);
    for (const [i, part] of slices(file, ranges).entries()) {
      const { announces, messages } = readingOf(part);
      expect(firstMissing(messages, whole.messages), `range ${i}`).toBeUndefined();
      expect(announces, `range ${i}`).toBe(whole.announces);
    }
  });

  if (!hasCorpus) it.todo('(the corpus is not available: only the samples were tested)');
});
