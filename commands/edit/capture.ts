import { Addresses, Tokens } from '../../src/editing/packets/addresses.ts';
import { AnonymisingRules } from '../../src/editing/packets/anonymised.ts';
import { CaptureRewriter } from '../../src/editing/packets/capture-rewriter.ts';
import { KnownSecrets } from '../../src/editing/packets/known-secrets.ts';
import { Leftovers } from '../../src/editing/packets/leftovers.ts';
import { MessageRewriter } from '../../src/editing/packets/message-rewriter.ts';
import { PacketRewriter } from '../../src/editing/packets/packet-rewriter.ts';
import { Anonymise } from '../../src/editing/rename-players.ts';
import { renderAnonymised, renderLeftovers } from '../../src/output/reports/edit-capture.ts';
import { nameText, pathText } from '../../src/output/text/escape.ts';
import { thousands } from '../../src/output/text/number.ts';
import type { Opened, OpenedRecording } from '../lib/input/opened.ts';
import { exit, inputError, usageError } from '../lib/options/errors.ts';
import { isToStdout } from '../lib/output/printing.ts';
import { printProblem } from '../lib/platform/note.ts';
import { CaptureOutput, captureFormatOf, formatOf, readCapture } from '../lib/run/capture-output.ts';
import { type DemoWork, printReport } from '../lib/run/demo-output.ts';
import { keepNames, type Options, renames, strippedNames } from './definition.ts';

/** The options that only demos have. */
const ofDemos = ['map', 'marker', 'markers', 'demoVersion', 'timestamp'] as const;
const flagOf = {
  map: '--map',
  marker: '--marker',
  markers: '--markers',
  demoVersion: '--demo-version',
  timestamp: '--timestamp',
};

/**
 * Writes a capture anew without names, addresses and secrets: reads it for what there is of these, then packet by
 * packet. What was written is read and searched before the file appears.
 */
export async function anonymiseCapture(
  named: Opened,
  given: Options,
  { schema, io, theme, output: path }: DemoWork,
): Promise<number> {
  const { name } = named;
  const wrong = ofDemos.find((option) => given[option] !== undefined);
  if (wrong) throw usageError(`${name}: ${flagOf[wrong]} is for demos`);
  if (!given.anonymise) throw usageError(`${name}: a capture is only edited with --anonymise`);
  if (!named.isFile) throw usageError(`${name}: --anonymise reads the input twice; name a file`);
  if (isToStdout({ output: path })) throw usageError('name a file with -o: it is searched before it appears');

  const opened = named as OpenedRecording;
  const addresses = new Addresses();
  const known = new KnownSecrets(addresses);
  const { identities } = known;
  await readCapture(await opened.again(), { schema, io }, (entry) => known.add(entry));
  if (identities.isFull)
    throw inputError(`${name}: --anonymise replaces at most ${thousands(identities.names.size)} names`);
  for (const [old, now] of renames(given.rename ?? [])) {
    if (!identities.rename(old, now)) throw usageError(`--rename: nobody has the name ${nameText(old)}`);
  }
  keepNames(identities, given.except, known.texts);
  addresses.settle();

  const tokens = new Tokens();
  const messages = new MessageRewriter(new Anonymise(identities), tokens, strippedNames(given.strip ?? [], schema));
  const packets = new PacketRewriter(messages, tokens);
  const replaced = [...identities.names].flatMap(([old, now]) => (old === now ? [] : [old]));
  const leftovers = new Leftovers([...replaced, ...known.texts], addresses.noted);
  const format = captureFormatOf(path, formatOf(opened));
  const output = new CaptureOutput(path, io, { format, schema, onlyPackets: true, check: leftovers });
  const rules = new AnonymisingRules(packets, messages);
  const anonymiser = new CaptureRewriter(packets, rules, addresses, (...block) => output.write(...block));
  const status = await readCapture(opened, { schema, io, tells: true, afterPiece: () => output.drain() }, (entry) => {
    if (entry.record === 'block') rules.block(entry);
    anonymiser.add(entry);
  });
  anonymiser.finish();
  rules.finish();
  await output.settle();
  if (output.packets === 0) throw inputError(`${name}: there is no packet that can be anonymised`);
  if (leftovers.found.length > 0) {
    for (const line of renderLeftovers(leftovers.found)) await printProblem(`${pathText(path)}: ${line}`, io);
    return exit.finding;
  }
  await output.finish();
  const counts = {
    ...identities.counts,
    addresses: addresses.noted.size,
    searched: replaced.length + known.texts.size,
  };
  await printReport(renderAnonymised(output, anonymiser.frames, counts, packets.leftOut, theme), { output: path, io });
  return status;
}
