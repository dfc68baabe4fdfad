import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

// Each limit of memory is reached in a test, which names it: what is beyond it is said, and is never healthy.

const filesIn = (folder: string, end: string): string[] =>
  readdirSync(new URL(`../${folder}`, import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(end))
    .map((path) => join(folder, path));

const textOf = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** Those beyond which nothing is left out: memory that is used again, and what is made again when it is asked for. */
const caches = new Set(['maxSpare', 'maxCached']);

/**
 * Those of the search for a cause. Beyond them a failure has none, and stays a failure: each is reached by the damage that
 * `scripts/explain/measure.mjs` makes.
 */
const searches = /^max(?:Frames|Ticks|Work|Changes|Earlier|BitWork|Size|Sets|OfPairs|OfSubsets)$/;

/** The constants whose comment says that they bound memory; one without a comment belongs to that of the one before. */
function limitsIn(text: string): string[] {
  const names: string[] = [];
  let isBound = false;
  for (const [, comment, name] of text.matchAll(/(\/\*\*[\s\S]*?\*\/\s*|^)export const (\w+)/gm)) {
    if (comment) isBound = /Memory|Bound\./.test(comment);
    if (isBound && /^max[A-Z]/.test(name!)) names.push(name!);
  }
  return names;
}

it.each(filesIn('src', 'limits.ts'))('%s: a test names each limit', (path) => {
  const tests = filesIn('test', '.test.ts').map(textOf).join('\n');
  const limits = limitsIn(textOf(path)).filter((name) => !caches.has(name) && !searches.test(name));
  expect(limits.length).toBeGreaterThan(0);
  expect(limits.filter((name) => !new RegExp(`\\b${name}\\b`).test(tests))).toEqual([]);
});

/** The limits that are constants beside their use, of what reads files: why no test has to reach each. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  'what the formats and the games fix, or more than they have': [
    'story/snapshot-facts.ts maxSpeed maxPlace maxClients',
    'playback/memory.ts maxBytes maxInts',
    'replay/impossible-message.ts maxNumber',
    'replay/server-info.ts maxPlayers maxParts',
    'capture/client-snapshot.ts maxParts',
    'capture/snapshot-receiver.ts maxWrongSums',
    'container/detect.ts maxPacketBytes',
    'container/ghost/ghost.ts maxChunkBytes maxChunkItems',
    'container/capture/capture-reader.ts maxLength',
    'container/capture/capture-writer.ts maxOptionBytes',
    'container/demo/chunk.ts maxHeadBytes',
    'container/demo/header.ts maxHeaderBytes maxMarkers',
    'container/demo/demo-writer.ts maxChunkBytes maxIntBytes',
    'games/skin-names.ts maxSkinBytes',
  ],
  'beyond it there is a number, or the last range stands for the rest': [
    'summary/stream-summary.ts maxMessageKinds',
    'summary/recording-summary.ts maxDiagnostics',
    'health/odd-values.ts maxKinds',
    'health/findings.ts maxDoubtful',
    'health/oddities.ts maxOddityLines maxKinds',
    'judge/tick-judge.ts maxRanges maxBetween',
    'container/capture/capture-reader.ts maxKinds maxLostReports',
    'story/snapshot-story.ts maxRecorders',
    'story/spans.ts maxNames',
    'events/player-choice.ts maxSeen',
  ],
  'what waits is given up or written early: nothing is left out': [
    'events/recording-events.ts maxHeld',
    'events/tick-messages.ts maxComparedBytes',
    'playback/demo-players.ts maxWaiting',
    'replay/server-info.ts maxWaiting',
    'capture/netlog-replay.ts maxWaiting',
    'container/capture/capture-reader.ts maxPending',
    // A copy beyond it is another packet.
    'container/capture/copies.ts maxSeen',
  ],
  'the input is refused, or what it is is guessed from less': [
    'source/file-kinds.ts maxItems maxQuakeMessage',
    'source/found.ts maxCandidates',
    'source/without-beginning.ts maxStart maxCaptured',
    'source/byte-strings.ts maxTextBytes',
    'source/payload-link.ts maxLinkBytes',
    'decompress/decompress.ts maxZipBytes maxHeaderText maxComment maxNames',
    'container/demo/resync.ts maxUnpackedBytes maxDraftUnpackedBytes maxCountedBytes',
    'container/demo/demo-reader.ts maxMapBytes',
    'container/map/game-map.ts maxTiles',
    'container/capture/pcapng.ts maxInterfaces',
    'capture/map-download.ts maxKeptMapBytes',
  ],
};

it('a limit that is a constant beside its use has a reason', () => {
  const named = Object.values(elsewhere).flatMap((lines) =>
    lines.flatMap((line) => {
      const [path, ...names] = line.split(' ');
      return names.map((name) => `${path} ${name}`);
    }),
  );
  const found = [...filesIn('src/recording', '.ts'), ...filesIn('src/input', '.ts')]
    .filter((path) => !path.endsWith('limits.ts'))
    .flatMap((path) =>
      [...textOf(path).matchAll(/^(?:export )?const (max[A-Z]\w*)/gm)].map(
        ([, name]) => `${path.replace(/^src[/\\]\w+[/\\]/, '').replaceAll('\\', '/')} ${name}`,
      ),
    );
  expect(found.sort()).toEqual(named.sort());
});
