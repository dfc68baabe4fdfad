import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../commands/index.ts';
import { corpusFile, hasCorpus } from '../support/corpus.ts';
import { damaged } from '../support/demo-damage.ts';
import { recordedDemo } from '../support/demos.ts';
import { contentsOf } from '../support/edit.ts';
import { fakeIo } from '../support/fake-io.ts';
import { type Game, hasGame, Stage } from '../support/games.ts';

/** Runs commands one after another on the same files, and returns the file `out.demo`. */
async function made(files: Files, ...commands: readonly string[]): Promise<Uint8Array> {
  let world = new Map(Object.entries(files));
  for (const command of commands) {
    const io = fakeIo({ files: world });
    const status = await main(command.split(' '), io);
    expect([0, 1], io.stderr.text).toContain(status);
    world = new Map([...world, ...io.files]);
  }
  return world.get('out.demo')!;
}

const noise = (file: Uint8Array) => damaged(file, contentsOf(file).header.chunksStart, 4).bytes;

const vanilla = () => ({ a: recordedDemo('vanilla-dm1.demo')! });
const race = () => ({ a: recordedDemo('06-ddnet-race-client-auto.demo')! });
const finishes = () => recordedDemo('06-ddnet20-coverage-finishes-client.demo')!;
const cut = 'slice a --ticks 0:20..0:28 -o';

type Files = Readonly<Record<string, Uint8Array>>;
type Case = [what: string, files: () => Files | Promise<Files>, ...commands: string[]];

const cases: Readonly<Record<Game, readonly Case[]>> = {
  teeworlds: [
    ['a slice', vanilla, `${cut} out.demo`],
    ['all kills, joined', vanilla, 'slice a --around kill --before 1 --after 1 --join -o out.demo'],
    ['a renamed slice', vanilla, `${cut} b`, 'edit b --rename stress2=rival --strip votes -o out.demo'],
    ['an anonymised slice', vanilla, `${cut} b`, 'edit b --anonymise -o out.demo'],
    [
      'a damaged slice, repaired',
      async () => ({ a: noise(await made(vanilla(), 'slice a --ticks 0:10..0:28 -o out.demo')) }),
      'repair a -o out.demo',
    ],
    [
      'two slices after one another',
      vanilla,
      'slice a --ticks 0:20..0:24 -o b',
      'slice a --ticks 0:10..0:14 -o c',
      'concat b c -o out.demo',
    ],
  ],
  DDNet: [],
};

const casesOfCorpus: typeof cases = {
  teeworlds: [
    [
      'a replay that DDNet saved with the wrong sizes, repaired',
      () => ({ a: recordedDemo('07-ddnet20-replay-wrong-sizes.demo')! }),
      'repair a -o b',
      'edit b --demo-version 4 -o out.demo',
    ],
    [
      'the demo of a capture',
      () => ({ a: corpusFile('07-vanilla-dm1.pcap') }),
      'extract a --client 127.0.0.1:58858 --demo -o b',
      'slice b --ticks 0:20..0:28 -o out.demo',
    ],
  ],
  DDNet: [
    ['a slice', race, 'slice a --ticks 0:10..0:35 -o out.demo'],
    [
      'a renamed and stripped demo of version 5',
      race,
      'edit a --rename racer=winner --strip emoticons --demo-version 5 -o out.demo',
    ],
    ['an anonymised demo of version 4', () => ({ a: finishes() }), 'edit a --anonymise --demo-version 4 -o out.demo'],
    ['a damaged demo, repaired', () => ({ a: noise(finishes()) }), 'repair a -o out.demo'],
    ['a demo after its own slice', race, 'slice a --ticks 0:05..0:10 -o b', 'concat b a -o out.demo'],
    ['all finishes, joined', race, 'slice a --around finish --before 1 --after 1 --join -o out.demo'],
    [
      'the demo of a capture',
      () => ({ a: corpusFile('06-ddnet-race.pcap') }),
      'extract a --client 127.0.0.1:13488 --demo -o out.demo',
    ],
  ],
};

for (const game of ['teeworlds', 'DDNet'] as const) {
  describe.skipIf(!hasGame(game))(`${game} (needs ${game} and Xvfb)`, () => {
    let stage: Stage | undefined;
    beforeAll(async () => {
      stage = await Stage.open();
    });
    afterAll(() => stage?.close());

    const plays = async (...[what, files, ...commands]: Case) => {
      const demo = await made(await files(), ...commands);
      const { header, ticks, messages, diagnostics } = contentsOf(demo);
      expect(diagnostics).toEqual([]);
      const played = await stage!.play(game, what.replaceAll(/\W+/g, '-'), demo, header.length);
      // Teeworlds says in the chat who changes the team, too: its message is not silent if the third int is 0.
      const chat = messages.filter(
        ({ name, bytes }) => name === 'sv_chat' || (name === 'sv_team' && bytes[3] === 0),
      ).length;
      console.log(`${game}, ${what}: ticks ${ticks[0]} to ${ticks.at(-1)}, ${chat} chat messages and the last one`);
      console.log(played.log.filter((line) => /demo|chat|assert|client\]?: disc/.test(line)).join('\n'));
      expect([played.hasCrashed, played.isAtEnd], played.log.slice(-9).join('\n')).toEqual([false, true]);
      expect(played.log.filter((line) => /assert|invalid snap|unpack|decompress/i.test(line))).toEqual([]);
      expect(played.chat.length).toBe(chat + 1);
    };

    const [own, recorded] = [cases[game], casesOfCorpus[game]];
    for (const testCase of own) it(`plays ${testCase[0]} to the end`, () => plays(...testCase));
    for (const testCase of recorded) {
      it.skipIf(!hasCorpus)(`plays ${testCase[0]} to the end (needs ../shared)`, () => plays(...testCase));
    }
  });
}
