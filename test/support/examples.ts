import { type Outcome, runCommand, words, worldOfFiles } from './transcript.ts';

/** The file names in examples, and the samples that they stand for. */
const meant: Readonly<Record<string, string>> = {
  FILE: 'first.huff',
  'match.demo': 'vanilla-dm1.demo',
  'race.demo': 'ddnet-race-player.demo',
  'best.demo': 'ddnet-race-player.demo',
  'today.demo': 'ddnet-race-player.demo',
  'broken.demo': 'vanilla-dm1.demo',
  'replay.demo': 'vanilla-dm1.demo',
  'first.demo': 'vanilla-dm1.demo',
  'second.demo': 'vanilla-dm1.demo',
  'frag-1.demo': 'vanilla-dm1.demo',
  'frag-2.demo': 'vanilla-dm1.demo',
  'recordings/match.demo': 'vanilla-dm1.demo',
  'recordings/server.pcap': 'ddnet-ipv6.pcap',
  'demos/a.demo': 'vanilla-dm1.demo',
  'demos/b.demo': 'ddnet-race-player.demo',
  'demos/c.pcap': 'ddnet-ipv6.pcap',
  'server.pcap': 'ddnet-ipv6.pcap',
  'old.pcap': 'ddnet-ipv6.pcap',
  'new.pcap': 'vanilla-ctf-timeout.pcap',
  'faulty.pcap': 'duplicate-key.pcap',
  'client.log': 'duplicate-key.log',
  'server.packet': 'vanilla-dm1-tick9892.packet',
  'old.snap': 'ddnet-race-tick956.snapshot.huff',
  'new.snap': 'ddnet-tutorial-tick3948.snapshot.ints',
  'base.snap': 'ddnet-race-tick956.snapshot.huff',
  'next.delta': 'ddnet-race-tick958.delta.packed',
  'first.delta': 'first.huff',
  'network.json': 'mod-network.json',
  'budget.json': 'budget.json',
};

/**
 * Whether a command needs more than the samples: a server, until Ctrl-C (test/process/record.slow.test.ts runs it), or
 * the eleventh minute of a capture of several files (test/commands/rolled.test.ts).
 */
export const needsMore = (command: string): boolean =>
  /^(?:npx )?tw-snap record |'server\.pcap\*@10:00\.\./.test(command);

/** A chat in which a packet was pasted twice. */
function chatWith(packet: Uint8Array): Uint8Array {
  const hex = Buffer.from(packet).toString('hex');
  return new TextEncoder().encode(`<robin> got ${hex}\n<sam> and I ${hex}\n`);
}

/** The files that examples name. */
export function exampleFiles(): Map<string, Uint8Array> {
  const files = worldOfFiles();
  for (const [name, sample] of Object.entries(meant)) files.set(name, files.get(`samples/${sample}`)!);
  // The map of a demo follows its header, which has 436 bytes.
  files.set('dm1.map', files.get('match.demo')!.slice(436, 436 + 6793));
  files.set('chat.txt', chatWith(files.get('server.packet')!));
  return files;
}

/** Runs a shell line from the help; standard output includes what the line wrote into files. */
export async function runExample(line: string, files = exampleFiles()): Promise<Outcome> {
  const before = new Map(files);
  const plain = line.replace(/ +# .*/, '');
  const [, inner = plain] = /^source <\((.*)\)$/.exec(plain) ?? [];
  let last: Outcome = { stdout: new Uint8Array(), stderr: '', status: 0 };
  for (const part of inner.split(' && ')) last = await runPipe(part, files);
  const written = [...files].filter(([name, bytes]) => before.get(name) !== bytes).map(([, bytes]) => bytes);
  return { ...last, stdout: new Uint8Array(Buffer.concat([last.stdout, ...written])) };
}

async function runPipe(line: string, files: Map<string, Uint8Array>): Promise<Outcome> {
  let last: Outcome = { stdout: new Uint8Array(), stderr: '', status: 0 };
  for (const [i, command] of words(line).entries()) {
    last = await runOne(command.flatMap(expanded(files, line)), i > 0 ? last.stdout : undefined, files);
    if (last.status !== 0) return last;
  }
  return last;
}

async function runOne(
  command: readonly string[],
  piped: Uint8Array | undefined,
  files: Map<string, Uint8Array>,
): Promise<Outcome> {
  const into = command.indexOf('>');
  if (into >= 0) {
    const outcome = await runOne(command.slice(0, into), piped, files);
    files.set(command[into + 1]!, outcome.stdout);
    return outcome;
  }
  const done = (stdout: Uint8Array): Outcome => ({ stdout, stderr: '', status: 0 });
  switch (command[0]) {
    case 'tcpdump': {
      const file = command[command.indexOf('-w') + 1] ?? '-';
      const capture = files.get('server.pcap')!;
      if (file !== '-') files.set(file, capture);
      return done(file === '-' ? capture : new Uint8Array());
    }
    case 'tshark':
      return done(new TextEncoder().encode(`${Buffer.from(files.get('server.packet')!).toString('hex')}\n`));
    case 'jq':
      JSON.parse(new TextDecoder().decode(piped));
      return done(piped!);
    case 'source':
      return done(piped!);
    case 'npx':
      return runCommand(command.slice(1), piped, files, 0);
    default:
      return runCommand(command, piped, files, 0);
  }
}

/** Expands an unquoted `*` as a shell does. */
const expanded = (files: ReadonlyMap<string, Uint8Array>, line: string) => (word: string) => {
  if (line.includes(`'${word}'`) || !/^[\w./-]*\*[\w.-]*$/.test(word)) return [word];
  const pattern = new RegExp(`^${word.replaceAll('.', '\\.').replace('*', '[^/]*')}$`);
  return [...files.keys()].filter((name) => pattern.test(name)).sort();
};
